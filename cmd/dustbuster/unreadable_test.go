package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// ownLines are lines of a real log in a format that detection does not know.
func ownLines(t *testing.T, lines [][]byte) (own [][]byte) {
	t.Helper()
	shape := regexp.MustCompile(`^(\S+) .*?"(.*?)" (\d+) (\S+) `)
	for _, line := range lines {
		if m := shape.FindSubmatch(line); m != nil {
			own = append(own, fmt.Appendf(nil, "%s|%s|%s|%s\n", m[1], m[2], m[3], m[4]))
		}
	}
	return own
}

const ownFormat = `$remote_addr|$request|$status|$body_bytes_sent`

// probe waits for an answer of /readyz.
func probe(t *testing.T, stderr *output, status int, texts ...string) {
	t.Helper()
	address := stderr.address(t)
	until(t, fmt.Sprintf("/readyz: %d %q", status, texts), func() (string, bool) {
		answer, err := http.Get("http://" + address + "/readyz")
		must(t, err)
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		return answer.Status + " " + string(body), answer.StatusCode == status && hasAll(string(body), texts)
	}, stderr)
}

// Lines in an unknown format are read after a restart with the right format: lines of a
// file in another format, and lines after a change of format.
func TestUnreadableBacklog(t *testing.T) {
	all := realLog(t)[:2000]
	own := ownLines(t, all)
	for _, c := range []struct {
		name   string
		before [][]byte
	}{{"from the start", nil}, {"after a change", all[:1000]}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			log, state := filepath.Join(dir, "access.log"), filepath.Join(dir, "state")
			rules := filepath.Join(state, "rules.jsonl")
			must(t, os.WriteFile(log, bytes.Join(slices.Concat(c.before, own), nil), 0o600))
			args := []string{"--tail", log, "--state", state, "--refine-interval", "100ms", "--checkpoint-interval", "10ms", "--window", "0", "--no-withhold", "--admin-listen", "127.0.0.1:0", "--log-format", "json"}
			stop, stderr := inside(t, nil, args...)
			probe(t, stderr, http.StatusServiceUnavailable, "most of the last lines of", "--format")
			stderr.awaits(t, "most new lines cannot be read; they are read again once their format is known")
			if strings.Contains(stderr.String(), string(own[0][:bytes.IndexByte(own[0], '|')])) {
				t.Errorf("an address is logged:\n%s", stderr)
			}
			want := mined(t, c.before)
			if got := await(rules, want); !bytes.Equal(got, want) {
				t.Errorf("%d bytes of rules of what can be read, want %d", len(got), len(want))
			}
			stop()

			stop, stderr = inside(t, nil, append(args, "--format", ownFormat)...)
			probe(t, stderr, http.StatusOK)
			want = minedOf(t, c.before, own)
			if got := await(rules, want); !bytes.Equal(got, want) {
				t.Errorf("after a restart %d bytes of rules, mine has %d\n%s", len(got), len(want), stderr)
			}
			stop()
		})
	}
}

// minedOf returns the rules that mine finds in lines of two layouts.
func minedOf(t *testing.T, combined, own [][]byte) []byte {
	t.Helper()
	var rewritten [][]byte
	for _, line := range own {
		p := strings.Split(strings.TrimSuffix(string(line), "\n"), "|")
		rewritten = append(rewritten, fmt.Appendf(nil, "%s - - [17/May/2015:10:05:03 +0000] \"%s\" %s %s \"-\" \"-\"\n", p[0], p[1], p[2], p[3]))
	}
	return mined(t, slices.Concat(combined, rewritten))
}

// A format that changes while the log grows, and a second format in the same log, are
// reported and read.
func TestFormatChangesInAFile(t *testing.T) {
	all := realLog(t)[:3000]
	dir := t.TempDir()
	w := &writer{t: t, path: filepath.Join(dir, "access.log"), lines: slices.Clone(all[:1000])}
	state := filepath.Join(dir, "state")
	w.write(1000)
	stop, stderr := inside(t, nil, "--tail", w.path, "--state", state, "--site", "www.example.org", "--refine-interval", "100ms", "--window", "0", "--no-withhold", "--admin-listen", "127.0.0.1:0", "--log-format", "json")
	probe(t, stderr, http.StatusOK)
	for i, line := range all[1000:] {
		if i%3 > 0 || i > 1000 {
			line = append([]byte("www.example.org:443 "), line...)
		}
		w.lines = append(w.lines, line)
	}
	for len(w.lines) > 0 {
		w.write(100)
		time.Sleep(5 * time.Millisecond)
	}
	want := bytes.ReplaceAll(mined(t, all), []byte(`{"schema":2,"site":""`), []byte(`{"schema":2,"site":"www.example.org"`))
	if got := await(filepath.Join(state, "rules.jsonl"), want); !bytes.Equal(got, want) {
		t.Errorf("%d bytes of rules, mine has %d\n%s", len(got), len(want), stderr)
	}
	stderr.awaits(t, "a file has lines in another format, which are read as well", `"format":"vhost_combined"`)
	probe(t, stderr, http.StatusOK)
	stop()
}
