package integration

import (
	"flag"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle"
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
	found := finish(t, exec.Command(underTest(), "validate", "--origin", origin, "--fetch-delay", "0", "--output", "json", log))
	if found.code != 0 && !strings.Contains(found.stderr, "pages could be compared") {
		t.Fatal(found)
	}
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

// underWay are the states of a site whose rules are tried, or are about to be.
var underWay = map[lifecycle.Why]bool{"": true, lifecycle.FirstLook: true, lifecycle.Queued: true, lifecycle.Trying: true, lifecycle.Awaiting: true, lifecycle.NextLook: true}

// awaitIdle waits until rules have been tried, and nothing more is tried at present.
func awaitIdle(t *testing.T, d *running) {
	t.Helper()
	await(t, patience, "the end of the trials", func() (lifecycle.Why, bool) {
		s, _ := d.status(t)
		now := s.Validate.Now[""].Reason
		return now, s.Validate.Requests > 0 && !underWay[now]
	}, d)
}
