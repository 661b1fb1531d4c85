package integration

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// An exported file is told as outdated when a rule of it is retired: by status, the metrics, the page of the site and
// export --check, also after a restart, until the new file is taken.
func TestExportOutdated(t *testing.T) {
	t.Parallel()
	_, origin, log := startLive(t)
	state := t.TempDir()
	d := trier(t, origin, log, state, "--hold-share", "1")
	id := awaitPublished(t, state, d, func(ids map[string]string) bool { return ids["parameter"] != "" && ids["substring"] != "" })["parameter"]
	file := filepath.Join(t.TempDir(), "dust.conf")
	take := func() {
		code, text := ask(d.admin, "/api/v1/export?site=&format=nginx")
		if code != http.StatusOK || !strings.Contains(text, "# format nginx\n") {
			t.Fatalf("status %d\n%s", code, text)
		}
		writeFile(t, file, []byte(text))
	}
	outdated := func() (where [4]bool, told bool) {
		_, metrics := ask(d.admin, "/metrics")
		_, status := ask(d.admin, "/api/v1/status")
		_, page := ask(d.admin, "/site?site=")
		where = [4]bool{strings.Contains(metrics, "\ndustbuster_outdated_exports 1\n"), strings.Contains(status, `"outdated_exports"`), strings.Contains(status, id), strings.Contains(page, `id="outdated"`)}
		return where, where == [4]bool{true, true, true, true}
	}
	check := func() ran {
		return finish(t, exec.Command(program, "export", "--check", "--rules", "http://"+d.admin, file))
	}
	take()
	if !strings.Contains(string(readFile(t, file)), id) {
		t.Fatalf("the file lacks rule %s\n%s", id, readFile(t, file))
	}
	if _, told := outdated(); told {
		t.Error("a new file is outdated")
	}
	check().expect(t, 0, "is up to date")
	if code := postJSON(t, d.admin, "/api/v1/veto", map[string]any{"site": "", "id": id}); code != http.StatusAccepted {
		t.Fatalf("veto: status %d", code)
	}
	await(t, patience, "an outdated file", outdated, d)
	check().expect(t, 1, "rule "+id)
	d.end(t)
	d = trier(t, origin, log, state, "--hold-share", "1")
	await(t, patience, "an outdated file after a restart", outdated, d)
	succeed(t, exec.Command(program, "status", "--address", "http://"+d.admin)).expect(t, 0, "outdated on ")
	take()
	await(t, patience, "a file that is up to date", func() (struct{}, bool) {
		_, metrics := ask(d.admin, "/metrics")
		return struct{}{}, strings.Contains(metrics, "\ndustbuster_outdated_exports 0\n")
	}, d)
	check().expect(t, 0, "is up to date")
}
