package main

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

// must ends a test at an error.
var must = expect.NoError

// newFile writes a text to a file of a new directory, and returns its path.
var newFile = expect.File

// program runs a command line of the program, without standard input.
func program(ctx context.Context, args ...string) (code int, stdout, stderr *bytes.Buffer) {
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return run(ctx, args, nil, stdout, stderr), stdout, stderr
}

// inside runs the daemon in this process until the test ends or stop is called.
func inside(t *testing.T, stdin io.Reader, args ...string) (stop func(), stderr *output) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended, stderr := make(chan int, 1), &output{}
	go func() { ended <- run(ctx, append([]string{"run"}, args...), stdin, io.Discard, stderr) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if code := <-ended; code != 0 {
			t.Errorf("the daemon ended with %d\n%s", code, stderr)
		}
	})
	t.Cleanup(stop)
	return stop, stderr
}

// end ends a daemon normally.
func end(t *testing.T, cmd *exec.Cmd, stderr *output) {
	t.Helper()
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil {
		t.Errorf("the daemon's end: %v\n%s", err, stderr)
	}
}

// output is what a program writes.
type output struct{ expect.Output }

// patience is the longest wait for an expected result, on a machine under load.
const patience = 2 * time.Minute

// awaits waits for a text to be written.
func (o *output) awaits(t *testing.T, texts ...string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		got := o.String()
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(got, text) }) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not all of %q in:\n%s", texts, got)
		}
	}
}

// address returns the address of the admin listener of a daemon whose log is JSON.
func (o *output) address(t *testing.T) string {
	t.Helper()
	o.awaits(t, "serving metrics")
	return regexp.MustCompile(`"address":"([^"]+)"`).FindStringSubmatch(o.String())[1]
}
