package main

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/internal/expect"

	"github.com/klauspost/compress/gzip"
)

// keptState writes the state of a daemon of the commit before 0.1.0 (20ecb88d) to a new directory, and
// returns the directory. The site has 85 URLs and one published rule.
func keptState(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"key", "journal.ack", "journal.gz"} {
		text, err := os.ReadFile(filepath.Join("testdata/state", name))
		must(t, err)
		if name == "journal.gz" {
			unpacked, err := gzip.NewReader(bytes.NewReader(text))
			must(t, err)
			text, err = io.ReadAll(unpacked)
			must(t, err)
			name = "journal"
		}
		must(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	return dir
}

// followKept runs a daemon on a state until it has written its rules, without a log to follow and
// without a server that answers, and returns the rules and the daemon's log.
func followKept(t *testing.T, state string) (rules, log string) {
	t.Helper()
	path := filepath.Join(state, "rules.jsonl")
	must(t, os.RemoveAll(path))
	stop, stderr := inside(t, nil, "--tail", filepath.Join(t.TempDir(), "access.log"), "--state", state, "--origin", "http://127.0.0.1:1",
		"--admin-listen", "", "--refine-interval", "100ms", "--checkpoint-interval", "10ms")
	text, ok := expect.Poll(patience, func() ([]byte, bool) {
		text, err := os.ReadFile(path)
		return text, err == nil || strings.Contains(stderr.String(), "dustbuster: ") // the daemon has ended
	})
	stop()
	if !ok || len(text) == 0 {
		t.Fatalf("no rules:\n%s", stderr)
	}
	return string(text), stderr.String()
}

// A daemon continues with the state of an older version: the published rule holds, and so it does
// after a restart, when the daemon has written to the state.
func TestOlderState(t *testing.T) {
	t.Parallel()
	state := keptState(t)
	for _, start := range []string{"first", "second"} {
		rules, log := followKept(t, state)
		if !strings.Contains(log, `"sites":1,"observations":85,"published_rules":1`) {
			t.Errorf("%s start: %s", start, log)
		}
		if strings.Count(rules, "\n") != 1 || !strings.Contains(rules, `"id":"ba485c4d6d7b7e9d8a74","kind":"parameter","op":"drop","params":["ref"]`) || !strings.Contains(rules, `"state":"valid"`) {
			t.Errorf("%s start: the rules are\n%s", start, rules)
		}
	}
}

// The state of a newer version is refused by name, and left as it is.
func TestNewerState(t *testing.T) {
	t.Parallel()
	state := keptState(t)
	path := filepath.Join(state, "journal")
	journal, err := os.ReadFile(path)
	must(t, err)
	binary.LittleEndian.PutUint32(journal[8:], binary.LittleEndian.Uint32(journal[8:])+1) // the version, and its sum: see package journal
	binary.LittleEndian.PutUint32(journal[12:], crc32.Checksum(journal[:12], crc32.MakeTable(crc32.Castagnoli)))
	must(t, os.WriteFile(path, journal, 0o600))
	code, _, stderr := program(t.Context(), "run", "--tail", "access.log", "--state", state, "--admin-listen", "")
	if want := "written by a newer version of this program: format 6, this program knows 5; run the newer version"; code != 1 || !strings.Contains(stderr.String(), want) {
		t.Errorf("code %d, %s\nwant %s", code, stderr, want)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, journal) {
		t.Errorf("the journal was changed: %v", err)
	}
}
