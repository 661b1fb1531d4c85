package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dustbuster/cmd/dustbuster/internal/trials"
)

// In a log without user agents, dustbuster's own fetches look like any client's. If own
// fetches may come back as lines of a log, the program says so, unless clients are left
// out.
func TestLogsWithoutUserAgents(t *testing.T) {
	t.Parallel()
	combined := hits(20, "/p%d", "/p%d?sid=7")
	common := regexp.MustCompile(` "-" "[^"]*"\n`).ReplaceAllString(combined, "\n")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { writePage(w, r.URL.Path) }))
	defer site.Close()
	for _, c := range []struct {
		log  string
		args []string
		warn bool
	}{
		{common, []string{"--origin", site.URL}, true},
		{combined, []string{"--origin", site.URL}, false},
		{common, []string{"--origin", site.URL, "--ignore-clients", "192.0.2.77"}, false},
		{common, []string{"--origin", site.URL, "--no-validate"}, false},
		{common, nil, false},
	} {
		dir := t.TempDir()
		path, state := filepath.Join(dir, "access.log"), filepath.Join(dir, "state")
		must(t, os.WriteFile(path, []byte(c.log), 0o600))
		if len(c.args) > 0 && c.args[len(c.args)-1] != "--no-validate" {
			if code, _, errs := program(t.Context(), append([]string{"validate", "--fetch-delay", "0", path}, c.args...)...); code != 0 || (strings.Count(errs.String(), trials.NoAgents) == 1) != c.warn {
				t.Errorf("validate %q: ended with %d\n%s", c.args, code, errs)
			}
		}
		stop, stderr := inside(t, nil, append([]string{"--tail", path, "--state", state, "--admin-listen", "", "--no-withhold", "--window", "0", "--refine-interval", "100ms"}, c.args...)...)
		awaitText(t, filepath.Join(state, "journal"), "sid")
		if c.warn {
			stderr.awaits(t, trials.NoAgents)
		}
		stop()
		if n := strings.Count(stderr.String(), trials.NoAgents); (n == 1) != c.warn {
			t.Errorf("run %q: %d warnings\n%s", c.args, n, stderr)
		}
	}
}
