package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pages are lines of a log in which some stories have two URLs each.
func pages(name string) string {
	var b strings.Builder
	for i := range 4 {
		for _, form := range []string{"/%s?id=%d", "/%s_%d"} {
			fmt.Fprintf(&b, "192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET "+form+" HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", name, i, 1000+100*i)
		}
	}
	return b.String()
}

// At SIGHUP the configuration is read anew. Settings that can change do, and the table
// stays. An invalid setting, or a setting that needs a restart, changes nothing.
func TestReload(t *testing.T) {
	dir := t.TempDir()
	file, state := filepath.Join(dir, "dustbuster.yml"), filepath.Join(dir, "state")
	put := func(name, text string) {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	configure := func(level, more string, names ...string) {
		t.Helper()
		text := fmt.Sprintf("keep: {state: %s}\nwrite: {withhold: false, log_level: %s}\npace: {refine_interval: 100ms}\nadmin: {listen: \"\"}\nread:\n%s  inputs:\n", state, level, more)
		for _, name := range names {
			text += fmt.Sprintf("    - paths: [%s]\n      site: %s.example\n", filepath.Join(dir, name+".log"), name)
		}
		put("dustbuster.yml", text)
	}
	put("one.log", pages("one"))
	put("two.log", pages("two"))
	configure("info", "", "one")
	cmd, stderr := start(t, faults{}, file)
	hangup := func() {
		t.Helper()
		must(t, cmd.Process.Signal(syscall.SIGHUP))
	}
	rules := filepath.Join(state, "rules.jsonl")
	awaitText(t, rules, `"site":"one.example"`)

	hangup()
	stderr.awaits(t, "no change")
	configure("info", "", "one", "two")
	hangup()
	awaitText(t, rules, `"site":"one.example"`, `"site":"two.example"`)
	configure("info", "  pane: 1h\n", "one")
	hangup()
	stderr.awaits(t, "only a restart can change read.pane")
	configure("info", "  nonsense: 1\n", "one")
	hangup()
	stderr.awaits(t, "nonsense")
	configure("error", "", "two")
	hangup()
	stderr.awaits(t, `["read.inputs","write.log_level"]`)
	time.Sleep(200 * time.Millisecond) // a line that was begun before the change may still be written
	before := stderr.String()
	put("two.log", pages("two")+pages("three"))
	awaitText(t, rules, `"site":"one.example"`, "three") // lines read from a removed input stay
	end(t, cmd, stderr)
	if after := stderr.String(); after != before {
		t.Errorf("logged at level error: %s", strings.TrimPrefix(after, before))
	}
	n, stays := strings.Count(stderr.String(), "cannot"), strings.Count(stderr.String(), "cannot read the configuration again: the old one stays")
	if n != 2 || stays != 2 { // of the two configurations that are invalid
		t.Errorf("%d errors, of which %d are of the configuration:\n%s", n, stays, stderr)
	}
}

// awaitText waits for a file to have all texts.
func awaitText(t *testing.T, path string, texts ...string) {
	t.Helper()
	until(t, fmt.Sprintf("%q in %s", texts, path), func() (string, bool) {
		got, _ := os.ReadFile(path) // it may not be there yet
		return string(got), hasAll(string(got), texts)
	})
}
