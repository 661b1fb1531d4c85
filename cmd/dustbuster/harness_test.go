package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
	until(t, fmt.Sprintf("%q", texts), func() (string, bool) { return o.String(), hasAll(o.String(), texts) })
}

// until waits until look returns true, and returns the last value.
func until[T any](t *testing.T, what string, look func() (T, bool), said ...fmt.Stringer) T {
	t.Helper()
	return expect.Await(t, patience, what, look, said...)
}

// hasAll reports whether a text has all others.
func hasAll(text string, all []string) bool {
	return !slices.ContainsFunc(all, func(one string) bool { return !strings.Contains(text, one) })
}

// site serves a site without a robots.txt until the test ends, and returns its address.
func site(t *testing.T, pages http.HandlerFunc) (origin string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		pages(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// samePages are pages that differ in their paths only.
func samePages(w http.ResponseWriter, r *http.Request) { writePage(w, r.URL.Path) }

// address returns the address of the admin listener of a daemon whose log is JSON.
func (o *output) address(t *testing.T) string {
	t.Helper()
	o.awaits(t, "serving metrics")
	return regexp.MustCompile(`"address":"([^"]+)"`).FindStringSubmatch(o.String())[1]
}
