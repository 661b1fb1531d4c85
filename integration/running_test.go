package integration

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

// running is a program that a test has started.
type running struct {
	name   string
	cmd    *exec.Cmd
	admin  string   // address of its admin listener; "": it has none
	begun  []string // one of these is said when it has begun: a signal before that would kill it
	stderr stderr
	ended  chan struct{} // is closed when it has ended
	err    error         // of its end
}

// String is what the program has said.
func (r *running) String() string { return r.name + " says:\n" + r.stderr.String() }

// stderr is what a process says.
type stderr struct{ expect.Output }

// awaits waits until a process says one of some things.
func (s *stderr) awaits(t testing.TB, texts ...string) {
	t.Helper()
	await(t, patience, strings.Join(texts, " or "), func() (string, bool) {
		said := s.String()
		return said, slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(said, text) })
	})
}

// begin starts a program, which is killed when the test ends, if it still runs then.
func begin(t testing.TB, name string, cmd *exec.Cmd) *running {
	t.Helper()
	r := &running{name: name, cmd: cmd, ended: make(chan struct{})}
	if cmd.Stdout == nil {
		cmd.Stdout = &r.stderr
	}
	cmd.Stderr = &r.stderr
	cmd.WaitDelay = 10 * time.Second // for its children, who may hold what it writes to
	dies(cmd)
	must(t, cmd.Start())
	go func() { r.err = cmd.Wait(); close(r.ended) }()
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-r.ended }) // it may have ended
	return r
}

func (r *running) pid() int { return r.cmd.Process.Pid }

func (r *running) signal(t testing.TB, s os.Signal) {
	t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		t.Fatalf("%s ended by itself: %v\n%v", r.name, err, r)
	}
}

// kill ends a program at once, and complains if it has ended by itself.
func (r *running) kill(t testing.TB) {
	t.Helper()
	r.signal(t, os.Kill)
	if <-r.ended; r.cmd.ProcessState.Exited() {
		t.Fatalf("%s ended by itself: %v\n%v", r.name, r.err, r)
	}
}

// end ends programs in good order, once they have begun.
func end(t testing.TB, programs ...*running) {
	t.Helper()
	for _, r := range programs {
		r.end(t)
	}
}

func (r *running) end(t testing.TB) {
	t.Helper()
	if r.begun != nil {
		r.stderr.awaits(t, r.begun...)
	}
	r.stop(t, syscall.SIGTERM)
}

// stop ends a program by a signal, of which it must end well.
func (r *running) stop(t testing.TB, s os.Signal) {
	t.Helper()
	r.signal(t, s)
	if <-r.ended; r.err != nil {
		t.Errorf("%s does not end well: %v\n%v", r.name, r.err, r)
	}
}

// listens waits until something listens at an address.
func (r *running) listens(t testing.TB, address string) {
	t.Helper()
	await(t, patience, r.name+" at "+address, func() (any, bool) {
		select {
		case <-r.ended:
			t.Fatalf("%s ended by itself: %v\n%v", r.name, r.err, r)
		default:
		}
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err, err == nil
	}, r)
}

// tail starts dustbuster on a log, with an admin listener.
func tail(t testing.TB, log, state string, args ...string) *running {
	t.Helper()
	admin := freeAddress(t)
	r := begin(t, "the daemon", exec.Command(program, append([]string{"run", "--tail", log, "--state", state, "--admin-listen", admin}, args...)...))
	r.admin = admin
	return r
}

// daemon is tail with short intervals.
func daemon(t testing.TB, log, state string, args ...string) *running {
	t.Helper()
	return tail(t, log, state, append([]string{"--refine-interval", "100ms", "--checkpoint-interval", "20ms"}, args...)...)
}

// trier is daemon that tries rules on a site.
func trier(t testing.TB, origin, log, state string, args ...string) *running {
	t.Helper()
	return daemon(t, log, state, append([]string{"--window", "0", "--no-withhold", "--fetch-kinds", "any", "--origin", origin,
		"--fetch-delay", "2ms", "--fetch-rate", "0", "--fetch-budget", "0"}, args...)...)
}

// need skips a test where a tool is missing, with what is left undone, and returns its path.
func need(t testing.TB, tool, undone string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Skipf("SKIPPED: %s is not installed: %s", tool, undone)
	}
	return path
}

// ran is what became of a command.
type ran struct {
	code           int
	stdout, stderr string
	state          *os.ProcessState
	took           time.Duration
}

func (r ran) String() string {
	return "exit " + string(rune('0'+r.code%10)) + "\n" + r.stdout + r.stderr
}

// finish runs a command to its end, whatever its exit code is.
func finish(t testing.TB, cmd *exec.Cmd) ran {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	return ran{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), cmd.ProcessState, time.Since(start)}
}

// succeed is finish for a command that must end well.
func succeed(t testing.TB, cmd *exec.Cmd) ran {
	t.Helper()
	r := finish(t, cmd)
	if r.code != 0 {
		t.Fatalf("%v: %v", cmd.Args, r)
	}
	return r
}

// outputOf is what dustbuster prints, which must end well.
func outputOf(t testing.TB, args ...string) []byte {
	t.Helper()
	return []byte(succeed(t, exec.Command(program, args...)).stdout)
}

// canonOf is what dustbuster canon prints for lines of URLs.
func canonOf(t testing.TB, rules, urls string) string {
	t.Helper()
	cmd := exec.Command(program, "canon", "--rules", rules)
	cmd.Stdin = strings.NewReader(urls)
	return succeed(t, cmd).stdout
}
