package integration

import (
	"flag"
	"os/exec"
	"path/filepath"
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
	found := succeed(t, exec.Command(underTest(), "validate", "--origin", origin, "--fetch-delay", "0", "--output", "json", log))
	return write(t, "rules.jsonl", []byte(found.stdout))
}

// hostileRun returns the file of rules that run has published when nothing is left
// to try.
func hostileRun(t *testing.T, s *hostileSite) (rules string) {
	t.Helper()
	origin, log := s.open(t)
	state := t.TempDir()
	d := hasty(t, underTest(), "00000000000000000000000000000000", origin, log, state, "--refine-interval", "100ms", "--fetch-budget", "0")
	if s.merged > 0 {
		awaitRules(t, state, d)
	}
	awaitIdle(t, d)
	d.end(t)
	return filepath.Join(state, "rules.jsonl")
}

// awaitIdle waits until rules have been tried, none is under test, and nothing has
// been asked of the site for a while.
func awaitIdle(t *testing.T, d *running) {
	t.Helper()
	const enough = 3 * time.Second
	requests, since := 0, time.Now()
	await(t, patience, "the end of the requests", func() (int, bool) {
		s, _ := d.status(t)
		now, testing := s.Validate.Requests, false
		for _, site := range s.Validate.Sites {
			testing = testing || site.Testing != ""
		}
		if now != requests || testing || now == 0 {
			requests, since = now, time.Now()
		}
		return requests, time.Since(since) > enough
	}, d)
}
