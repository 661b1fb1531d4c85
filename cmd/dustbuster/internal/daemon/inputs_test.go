package daemon

import (
	"dustbuster/cmd/dustbuster/internal/trials"
	"dustbuster/config"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// A path without a log causes a warning.
func TestWarnOfNone(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "access.log"), nil, 0o600))
	none := filepath.Join(dir, "acess.log")
	core, seen := observer.New(zap.WarnLevel)
	warnOfNone([]string{filepath.Join(dir, "access.log"), filepath.Join(dir, "*.log"), none}, zap.New(core))
	if all := seen.All(); len(all) != 1 || all[0].ContextMap()["path"] != none {
		t.Errorf("told %v", all)
	}
}

// Paths that cannot be followed are refused. The error names the supported kinds.
func TestPathsThatCannotBeFollowed(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	must(t, err)
	defer l.Close()
	null, err := os.Open(os.DevNull)
	must(t, err)
	defer null.Close()
	folder, err := os.Open(dir)
	must(t, err)
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

// An agent cannot know whether rules are tried.
func TestAgentsWarnOfLogsWithoutUserAgents(t *testing.T) {
	core, seen := observer.New(zap.InfoLevel)
	c := config.Defaults()
	if agentless(&c, false, zap.New(core)) != nil {
		t.Error("it warns though no rules are tried")
	}
	agentless(&c, true, zap.New(core))("/var/log/access.log", "common")
	if all := seen.All(); len(all) != 1 || all[0].Level != zap.WarnLevel || all[0].Message != trials.NoAgents || all[0].ContextMap()["format"] != "common" {
		t.Errorf("%v", all)
	}
	c.Read.IgnoreClients = []string{"192.0.2.1"}
	if agentless(&c, true, zap.New(core)) != nil {
		t.Error("it warns though clients are left out")
	}
}

// Learners look at a tenth of the limit's worth of URLs, and without a limit at all URLs.
func TestLookURLs(t *testing.T) {
	for _, c := range []struct {
		limit int64
		want  int
	}{{0, 0}, {15_000, 1}, {1 << 30, 71_582}} {
		if got := lookURLs(c.limit); got != c.want {
			t.Errorf("limit %d: %d URLs, want %d", c.limit, got, c.want)
		}
	}
}
