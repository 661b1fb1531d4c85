package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/zap"
)

// A daemon that reads standard input, a named pipe and a directory finds mine's rules,
// however often its configuration changes meanwhile. No change loses a line read from a
// pipe.
func TestPipesOverReloads(t *testing.T) {
	all := realLog(t)[:3000]
	dir := t.TempDir()
	file, fifo, logs := filepath.Join(dir, "dustbuster.yml"), filepath.Join(dir, "fifo"), filepath.Join(dir, "logs")
	rules := filepath.Join(dir, "state", "rules.jsonl")
	if err := os.Mkdir(logs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(logs, "access.log"), bytes.Join(all[:1000], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	configure := func(round int) {
		t.Helper()
		text := fmt.Sprintf("state: %s\nwithhold: false\nrefine_interval: 100ms\ncheckpoint_interval: %dms\nadmin: {listen: \"\"}\nmining: {window: 0}\n"+
			"inputs:\n- paths: ['-', %s]\n- paths: [%s]\n- paths: [/dev/stdin, '%s']\n", filepath.Dir(rules), 50+round, fifo, logs, filepath.Join(logs, "*.log"))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	configure(0)
	stdin, input, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd, stderr := startWith(t, stdin, file)
	stderr.awaits(t, "following logs", "lost in a crash", "read once")
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
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	writers.Wait()
	want := mined(t, all)
	if got := await(rules, want); !bytes.Equal(got, want) {
		t.Errorf("%d bytes of rules, mine has %d\n%s", len(got), len(want), stderr)
	}
	stderr.awaits(t, "standard input has ended")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the daemon's end: %v\n%s", err, stderr)
	}
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

// Paths that cannot be followed are refused. The error names the supported kinds.
func TestPathsThatCannotBeFollowed(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	folder, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	for _, c := range []struct {
		stdin io.Reader
		path  string
		want  string
	}{
		{null, os.DevNull, "it is a device"}, {null, "/dev/zero", "it is a device"}, {null, socket, "it is a socket"},
		{null, "-", "/dev/null, or closed"}, {null, "/dev/stdin", "/dev/null, or closed"}, {folder, "-", "a directory"},
	} {
		_, _, err := newInputs(c.stdin, zap.NewNop()).sort([]string{c.path})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	in := newInputs(strings.NewReader(""), zap.NewNop())
	logs, pipes, err := in.sort([]string{dir, "-", filepath.Join(dir, "none.log"), filepath.Join(dir, "*.log"), "/dev/stdin"})
	if err != nil || !slices.Equal(logs, []string{dir, filepath.Join(dir, "none.log"), filepath.Join(dir, "*.log")}) || len(pipes) != 2 || pipes[0] != pipes[1] {
		t.Errorf("logs %q, pipes %v, %v", logs, pipes, err)
	}
}
