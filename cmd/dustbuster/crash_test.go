package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/expect"

	"github.com/klauspost/compress/gzip"
)

var rounds = flag.Int("rounds", 3, "times that the daemon is killed at each step of a checkpoint; 6 in make long NAME=faults")

// faulty starts the daemon on a disk with faults.
func faulty(t *testing.T, o faults, log, state string) (*exec.Cmd, *output) {
	t.Helper()
	return start(t, o, "--tail", log, "--state", state, "--admin-listen", "", "--refine-interval", "100ms",
		"--checkpoint-interval", "10ms", "--window", "0", "--no-withhold")
}

// start runs the daemon in a process of its own.
func start(t *testing.T, o faults, args ...string) (*exec.Cmd, *output) {
	t.Helper()
	return launch(t, exec.Command(os.Args[0], append([]string{"run"}, args...)...), o)
}

// startWith is start with something on standard input, which is closed here.
func startWith(t *testing.T, stdin *os.File, args ...string) (*exec.Cmd, *output) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"run"}, args...)...)
	cmd.Stdin = stdin
	defer stdin.Close()
	return launch(t, cmd, faults{})
}

func launch(t *testing.T, cmd *exec.Cmd, o faults) (*exec.Cmd, *output) {
	t.Helper()
	cmd.Env = append(os.Environ(), faultVariable+"="+o.String())
	var stderr output
	cmd.Stderr = &stderr
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, &stderr
}

// writer writes a log and rotates it.
type writer struct {
	t       *testing.T
	path    string
	lines   [][]byte
	rotated int
}

func (w *writer) write(n int) {
	w.t.Helper()
	f, err := os.OpenFile(w.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(w.t, err)
	defer f.Close()
	n = min(n, len(w.lines))
	_, err = f.Write(bytes.Join(w.lines[:n], nil))
	must(w.t, err)
	w.lines = w.lines[n:]
}

func (w *writer) rotate() {
	w.t.Helper()
	for i := w.rotated; i > 0; i-- {
		must(w.t, os.Rename(fmt.Sprintf("%s.%d", w.path, i), fmt.Sprintf("%s.%d", w.path, i+1)))
	}
	must(w.t, os.Rename(w.path, w.path+".1"))
	w.rotated++
	w.write(1)
}

// realLog are the lines of a real log.
func realLog(t *testing.T) (lines [][]byte) {
	t.Helper()
	f, err := os.Open("../../integration/testdata/semicomplete.log.gz")
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	for in := bufio.NewScanner(z); in.Scan(); {
		lines = append(lines, append(slices.Clone(in.Bytes()), '\n'))
	}
	return lines
}

// onlineRules returns the rules of a list that the daemon keeps exact at every moment, without
// their weights. The other rules and the weights are those of the last look at the window.
func onlineRules(list []byte) (online []byte) {
	for line := range bytes.Lines(list) {
		if !bytes.Contains(line, []byte(`,"learner":"`)) {
			online = append(online, weights.ReplaceAll(line, nil)...)
		}
	}
	return online
}

var weights = regexp.MustCompile(`,"pairs":\d+,"alike":\d+,"expected":[^,]+,"weight":[^,}]+,"own":[^,]+,"meetings":\d+,"met":[^,]+,"urls":\d+(,"hits":\d+,"bytes":\d+)?`)

// mined returns the online rules that mine finds in lines.
func mined(t *testing.T, lines [][]byte) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"mine", "--output", "json", "-"}, bytes.NewReader(bytes.Join(lines, nil)), &stdout, &stderr); code != 0 {
		t.Fatalf("mine ended with %d: %s", code, stderr.Bytes())
	}
	return onlineRules(stdout.Bytes())
}

// finish runs the daemon, without faults, until the rules are mine's, and ends it.
func finish(t *testing.T, log, state string, want []byte) {
	t.Helper()
	_ = os.Remove(filepath.Join(state, "rules.jsonl"))
	cmd, stderr := faulty(t, faults{}, log, state)
	got := await(filepath.Join(state, "rules.jsonl"), want)
	end(t, cmd, stderr)
	if !bytes.Equal(got, want) {
		t.Errorf("%d bytes of rules, mine has %d\n%s", len(got), len(want), stderr)
	}
}

// await waits until a file has some online rules, and returns the last rules read.
func await(path string, want []byte) (got []byte) {
	got, _ = expect.Poll(patience, func() ([]byte, bool) {
		list, _ := os.ReadFile(path)
		online := onlineRules(list)
		return online, bytes.Equal(online, want)
	})
	return got
}

// steps are those of opening a journal, of a checkpoint and of a compaction.
var steps = []string{
	"remove/journal.new", "create/journal.new", "write/journal.new", "sync/journal.new", "rename/journal.new", "syncdir/state",
	"write/journal", "sync/journal", "create/journal.ack", "write/journal.ack",
}

// A daemon killed at each step of opening, of a checkpoint and of a compaction finds the
// rules of one run of mine.
func TestKilledAtEachStep(t *testing.T) {
	for _, step := range steps {
		t.Run(step, func(t *testing.T) { killAt(t, step) })
	}
}

func killAt(t *testing.T, step string) {
	t.Parallel()
	all := realLog(t)[:4000]
	dir := t.TempDir()
	w := &writer{t: t, path: filepath.Join(dir, "access.log"), lines: all}
	state := filepath.Join(dir, "state")
	w.write(1)
	killed := 0
	for i := range *rounds {
		cmd, stderr := faulty(t, faults{Nth: 1 + i%3, Name: step}, w.path, state)
		dead := make(chan struct{})
		go func() { _ = cmd.Wait(); close(dead) }()
		for range 25 {
			w.write(rand.IntN(300 / *rounds))
			if rand.IntN(20) == 0 {
				w.rotate()
			}
			time.Sleep(10 * time.Millisecond)
		}
		if i == 0 { // the first step of each name always comes
			select {
			case <-dead:
			case <-time.After(patience):
				t.Fatalf("not killed there\n%s", stderr)
			}
		}
		// By now the daemon is dead, has no such step any more, or has not reached it. In
		// every other round the daemon may end normally. After a crash the journal's file is
		// copied first.
		if i%2 == 0 {
			_ = cmd.Process.Signal(syscall.SIGTERM)
		} else {
			_ = cmd.Process.Kill()
		}
		<-dead
		if cmd.ProcessState.ExitCode() > 0 {
			t.Fatalf("the daemon ended by itself\n%s", stderr)
		}
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signal() == syscall.SIGKILL && i%2 == 0 {
			killed++
		}
	}
	w.write(len(all))
	finish(t, w.path, state, mined(t, all))
	t.Logf("killed %d times, %d rotations", killed, w.rotated)
}

// The daemon reports and survives a disk that fails for a while. Changes not saved are not
// acknowledged, whether or not the daemon is killed meanwhile.
func TestDiskFails(t *testing.T) {
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprintf("killed %v", killed), func(t *testing.T) {
			t.Parallel()
			all := realLog(t)
			dir := t.TempDir()
			w := &writer{t: t, path: filepath.Join(dir, "access.log"), lines: all}
			state := filepath.Join(dir, "state")
			w.write(100)
			o := faults{From: 20, To: 60}
			if killed {
				o.To = 1 << 30
			}
			cmd, stderr := faulty(t, o, w.path, state)
			for range 40 {
				w.write(50)
				time.Sleep(15 * time.Millisecond)
			}
			for len(w.lines) > 0 && !strings.Contains(stderr.String(), "cannot save state") { // each line causes a checkpoint
				w.write(10)
				time.Sleep(30 * time.Millisecond)
			}
			stderr.awaits(t, "cannot save state")
			if killed {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			} else {
				w.write(len(all))
				await(filepath.Join(state, "rules.jsonl"), mined(t, all))
				stderr.awaits(t, diskWorks)
				end(t, cmd, stderr)
			}
			w.write(len(all))
			finish(t, w.path, state, mined(t, all))
		})
	}
}

// The daemon reports a full disk under state, rules and events alike, and waits for space.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	root := expect.Tmpfs(t, "1m")
	all := realLog(t)
	w := &writer{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: all}
	state, ballast := filepath.Join(root, "state"), filepath.Join(root, "ballast")
	w.write(100)
	cmd, stderr := start(t, faults{}, "--tail", w.path, "--state", state, "--admin-listen", "127.0.0.1:0", "--refine-interval", "100ms",
		"--checkpoint-interval", "10ms", "--window", "0", "--no-withhold", "--log-format", "json")
	stderr.awaits(t, "following logs")
	probe(t, stderr, http.StatusOK)
	if err := os.WriteFile(ballast, make([]byte, 2<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	w.write(len(all))
	stderr.awaits(t, "cannot save state", "no space left on device")
	probe(t, stderr, http.StatusServiceUnavailable, "cannot ", "no space left on device")
	for _, c := range []struct{ path, want string }{{"/", "Not ready: cannot "}, {"/healthz", "ok"}, {"/api/v1/status", `"failing": "cannot `}} {
		if text := asked(t, stderr, c.path); !strings.Contains(text, c.want) {
			t.Errorf("while the disk is full, %s does not say %q:\n%s", c.path, c.want, text)
		}
	}
	must(t, os.Remove(ballast))
	want := mined(t, all)
	if got := await(filepath.Join(state, "rules.jsonl"), want); !bytes.Equal(got, want) {
		t.Fatalf("%d bytes of rules once there was room, mine has %d", len(got), len(want))
	}
	probe(t, stderr, http.StatusOK)
	time.Sleep(2 * time.Second) // a page is shown again for a second
	if text := asked(t, stderr, "/"); strings.Contains(text, "Not ready") {
		t.Errorf("there is room again, and the page says:\n%s", text)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	finish(t, w.path, state, want)
}
