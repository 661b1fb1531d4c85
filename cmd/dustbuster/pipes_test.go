package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A daemon that reads standard input, a named pipe and a directory finds mine's rules,
// however often its configuration changes meanwhile. No change loses a line read from a
// pipe.
func TestPipesOverReloads(t *testing.T) {
	all := realLog(t)[:3000]
	dir := t.TempDir()
	file, fifo, logs := filepath.Join(dir, "dustbuster.yml"), filepath.Join(dir, "fifo"), filepath.Join(dir, "logs")
	rules := filepath.Join(dir, "state", "rules.jsonl")
	must(t, os.Mkdir(logs, 0o700))
	must(t, os.WriteFile(filepath.Join(logs, "access.log"), bytes.Join(all[:1000], nil), 0o600))
	must(t, syscall.Mkfifo(fifo, 0o600))
	configure := func(round int) {
		t.Helper()
		text := fmt.Sprintf("keep: {state: %s}\nwrite: {withhold: false}\npace: {refine_interval: 100ms, checkpoint_interval: %dms}\nadmin: {listen: \"\"}\n"+
			"read:\n  window: 0\n  inputs:\n  - paths: ['-', %s]\n  - paths: [%s]\n  - paths: [/dev/stdin, '%s']\n", filepath.Dir(rules), 50+round, fifo, logs, filepath.Join(logs, "*.log"))
		must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	configure(0)
	stdin, input, err := os.Pipe()
	must(t, err)
	cmd, stderr := startWith(t, stdin, file)
	stderr.awaits(t, "following logs", "a crash loses the lines of a pipe", "read once")
	var writers sync.WaitGroup
	writers.Go(func() { trickle(t, input, all[1000:2000]) })
	writers.Go(func() {
		to, err := os.OpenFile(fifo, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		trickle(t, to, all[2000:])
	})
	for round := range 5 {
		configure(1 + round)
		must(t, cmd.Process.Signal(syscall.SIGHUP))
		time.Sleep(50 * time.Millisecond)
	}
	writers.Wait()
	want := mined(t, all)
	if got := await(rules, want); !bytes.Equal(got, want) {
		t.Errorf("%d bytes of rules, mine has %d\n%s", len(got), len(want), stderr)
	}
	stderr.awaits(t, "standard input has ended")
	end(t, cmd, stderr)
}

// SIGHUP before the daemon is ready, as when logs are rotated during a start, is heeded once it is.
func TestHangupAtStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, state := filepath.Join(dir, "access.log"), filepath.Join(dir, "state")
	key := filepath.Join(state, "key") // at which the start waits
	must(t, os.WriteFile(log, nil, 0o600))
	must(t, os.Mkdir(state, 0o700))
	must(t, syscall.Mkfifo(key, 0o600))
	cmd, stderr := start(t, faults{}, "--tail", log, "--state", state, "--admin-listen", "")
	to, err := os.OpenFile(key, os.O_WRONLY, 0) // once the daemon reads
	must(t, err)
	must(t, cmd.Process.Signal(syscall.SIGHUP))
	time.Sleep(50 * time.Millisecond) // in which the signal would end the daemon
	_, err = to.Write(make([]byte, 16))
	must(t, errors.Join(err, to.Close()))
	stderr.awaits(t, "following logs", "no change")
	end(t, cmd, stderr)
}

// trickle writes lines in pieces that end anywhere, and closes the pipe.
func trickle(t *testing.T, to io.WriteCloser, lines [][]byte) {
	defer to.Close()
	for rest := bytes.Join(lines, nil); len(rest) > 0; {
		n := min(1+rand.IntN(8000), len(rest))
		if _, err := to.Write(rest[:n]); err != nil {
			t.Error(err)
			return
		}
		rest = rest[n:]
		time.Sleep(time.Millisecond)
	}
}
