package integration

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

var hostileProgram = flag.String("hostile-program", "", "program that is tried on hostile sites; the one built here if not given")

// underTest is the program that is tried.
func underTest() string {
	if *hostileProgram != "" {
		return *hostileProgram
	}
	return program
}

// hostileValidate returns the file of rules that validate finds.
func hostileValidate(t *testing.T, s *hostileSite) (rules string) {
	t.Helper()
	origin, log := s.open(t)
	cmd := exec.Command(underTest(), "validate", "--origin", origin, "--fetch-delay", "0", "--output", "json", log)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("validate: %v\n%s", err, stderr.Bytes())
	}
	rules = filepath.Join(t.TempDir(), "rules.jsonl")
	writeFile(t, rules, out)
	return rules
}

// hostileRun returns the file of rules that run has published when nothing is left
// to try.
func hostileRun(t *testing.T, s *hostileSite) (rules string) {
	t.Helper()
	origin, log := s.open(t)
	state, admin := t.TempDir(), freeAddress(t)
	cmd := exec.Command(underTest(), "run", "--tail", log, "--state", state, "--admin-listen", admin, "--window", "0", "--refine-interval", "100ms",
		"--fetch-kinds", "any", "--origin", origin, "--fetch-delay", "0", "--fetch-budget", "0", "--hold-share", "1")
	cmd.Env = append(os.Environ(), "DUSTBUSTER_KEEP_HASH_KEY=00000000000000000000000000000000") // which pairs are drawn
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if s.merged > 0 {
		awaitRules(t, state, &stderr)
	}
	awaitIdle(t, admin, &stderr)
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil {
		t.Errorf("the daemon's end: %v\n%s", err, stderr.Bytes())
	}
	return filepath.Join(state, "rules.jsonl")
}

// awaitIdle waits until rules have been tried, none is under test, and nothing has
// been asked of the site for a while.
func awaitIdle(t *testing.T, admin string, stderr fmt.Stringer) {
	t.Helper()
	const enough = 3 * time.Second
	requests, since := 0, time.Now()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		now, testing := trialsOf(t, admin)
		if now != requests || testing || now == 0 {
			requests, since = now, time.Now()
		}
		if time.Since(since) > enough {
			return
		}
	}
	t.Fatalf("%d requests, and no end\n%s", requests, stderr)
}

// trialsOf asks a daemon for its requests, and whether a rule is under test.
func trialsOf(t *testing.T, admin string) (requests int, testing bool) {
	t.Helper()
	answer, err := http.Get("http://" + admin + "/api/v1/status")
	if err != nil {
		return 0, true // it is not up yet
	}
	defer answer.Body.Close()
	var s struct {
		Validate struct {
			Requests int
			Sites    map[string]struct {
				Testing string `json:"under_test"`
			}
		}
	}
	must(t, json.NewDecoder(answer.Body).Decode(&s))
	for _, site := range s.Validate.Sites {
		testing = testing || site.Testing != ""
	}
	return s.Validate.Requests, testing
}
