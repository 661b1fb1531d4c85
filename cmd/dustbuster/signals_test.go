package main

import (
	"bytes"
	"errors"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
)

// oneSignal is the time within which several signals are one.
const oneSignal = time.Second

// interruptValidate starts validate -o json below the given words, interrupts it when some rules
// hold, and returns its exit code and output. Further requests wait for the gate; nil: there is none.
func interruptValidate(t *testing.T, gate chan bool, words []string, interrupt func(p *os.Process, stderr *output)) (code int, stdout, stderr string) {
	t.Helper()
	const enough = 200 // requests after which rules hold
	path, ready := filepath.Join(t.TempDir(), "access.log"), make(chan bool)
	must(t, os.WriteFile(path, []byte(hits(books, bookForms...)), 0o600))
	var once sync.Once
	site := httptest.NewServer(&library{see: func(n int) {
		if n >= enough {
			once.Do(func() { close(ready) })
		}
		if n > enough && gate != nil {
			<-gate
		}
	}})
	defer site.Close()
	words = append(words, "dustbuster", "validate", "--fetch-kinds", "any", "--origin", site.URL, "--fetch-delay", "3ms", "-o", "json", path)
	cmd := exec.Command(words[0], words[1:]...)
	var out bytes.Buffer
	errs := &output{}
	cmd.Stdout, cmd.Stderr = &out, errs
	must(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ready:
		interrupt(cmd.Process, errs)
	case err := <-ended:
		t.Fatalf("ended before %d requests: %v\n%s", enough, err, errs)
	}
	var exit *exec.ExitError
	if err := <-ended; !errors.As(err, &exit) {
		t.Fatalf("ended with %v\n%s", err, errs)
	}
	return exit.ExitCode(), out.String(), errs.String()
}

// GNU timeout signals the program, and at once its process group. An alarm tells timeout that the
// time is over.
func TestTimeoutInterruptsOnce(t *testing.T) {
	t.Parallel()
	code, list, stderr := interruptValidate(t, nil, []string{"timeout", "--preserve-status", "3600"}, func(p *os.Process, _ *output) {
		if err := p.Signal(syscall.SIGALRM); err != nil {
			t.Error(err)
		}
	})
	if code != cli.ExitPartial || !strings.Contains(list, `"state":"valid"`) {
		t.Errorf("ended with %d\n%s%s", code, list, stderr)
	}
}

// Of two signals within a second, the second does nothing: validate still prints the rules that
// hold. Attempts that took the test itself longer prove nothing, and are repeated.
func TestSignalsWithinASecondAreOne(t *testing.T) {
	t.Parallel()
	for within := false; !within; {
		code, list, stderr := interruptValidate(t, nil, nil, func(p *os.Process, stderr *output) {
			start := time.Now()
			first := p.Signal(syscall.SIGTERM)
			stderr.awaits(t, "dustbuster: interrupted. ")
			time.Sleep(10 * time.Millisecond)
			if err := errors.Join(first, p.Signal(syscall.SIGTERM)); err != nil {
				t.Error(err)
			}
			within = time.Since(start) < oneSignal
		})
		if within && (code != cli.ExitPartial || !strings.Contains(list, `"state":"valid"`)) {
			t.Errorf("ended with %d\n%s%s", code, list, stderr)
		}
	}
}

// A signal after that second ends the program at once.
func TestSecondSignalEnds(t *testing.T) {
	t.Parallel()
	gate := make(chan bool)
	code, list, stderr := interruptValidate(t, gate, nil, func(p *os.Process, stderr *output) {
		defer close(gate)
		for p.Signal(syscall.SIGTERM) == nil {
			time.Sleep(oneSignal / 4)
		}
	})
	if code != -1 || list != "" || !strings.Contains(stderr, "dustbuster: interrupted. ") {
		t.Errorf("ended with %d\n%s%s", code, list, stderr)
	}
}
