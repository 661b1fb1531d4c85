package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// move has the site change.
func (s *liveSite) move(moved func(*http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moved = moved
}

// A rule that somebody asks for is tried again at once, long before its next trial is due,
// and is taken back if the site has changed.
func TestRecheckOnCall(t *testing.T) {
	t.Parallel()
	site, origin, log := startLive(t)
	state := t.TempDir()
	d := trier(t, origin, log, state, "--hold-share", "1")
	id := awaitPublished(t, state, d, func(ids map[string]string) bool { return ids["parameter"] != "" })["parameter"]
	d.stderr.awaits(t, "nothing is tested at present") // further trials ask for pages with sid, too
	site.move(func(r *http.Request) bool { return r.URL.Query().Has("sid") })
	if code := postRecheck(t, d, "none"); code != http.StatusNotFound {
		t.Errorf("of no rule: status %d", code)
	}
	time.Sleep(time.Second)
	if awaitPublished(t, state, d, func(map[string]string) bool { return true })["parameter"] != id {
		t.Fatalf("the rule was taken back before anybody asked\n%s", d)
	}
	if code := postRecheck(t, d, id); code != http.StatusAccepted {
		t.Fatalf("status %d\n%s", code, d)
	}
	awaitPublished(t, state, d, func(ids map[string]string) bool { return ids["parameter"] != id })
}

// A rule is tried again as soon as the log shows that its pages have other sizes than the
// forms, and is taken back if the site has changed.
func TestRecheckBySizes(t *testing.T) {
	t.Parallel()
	site, origin, log := startLive(t)
	state, args := t.TempDir(), []string{"--hold-share", "1", "--window", "24h"}
	d := trier(t, origin, log, state, args...)
	id := awaitPublished(t, state, d, func(ids map[string]string) bool { return ids["substring"] != "" })["substring"]
	d.kill(t)
	site.move(func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/story_") })
	var later bytes.Buffer
	for i := range liveStories {
		later.WriteString(line(fmt.Sprintf("/story?id=%d", i), 2000+100*i))
		later.WriteString(line(fmt.Sprintf("/story_%d", i), 17000+100*i))
	}
	writeFile(t, log, append(readFile(t, log), bytes.ReplaceAll(later.Bytes(), []byte("2015:10:"), []byte("2015:15:"))...))
	time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second))) // sizes of the second in which a rule became valid tell nothing
	d = trier(t, origin, log, state, args...)
	awaitPublished(t, state, d, func(ids map[string]string) bool { return ids["substring"] != id })
}

// awaitPublished waits until what is published, the id of the last rule of each kind, is as
// it should be.
func awaitPublished(t *testing.T, state string, d *running, want func(ids map[string]string) bool) map[string]string {
	t.Helper()
	return await(t, patience, "other rules", func() (map[string]string, bool) {
		text, err := os.ReadFile(filepath.Join(state, "rules.jsonl"))
		ids := map[string]string{}
		for line := range bytes.Lines(text) {
			var r struct{ ID, Kind string }
			if json.Unmarshal(line, &r) == nil && bytes.Contains(line, []byte(`"state":"valid"`)) {
				ids[r.Kind] = r.ID
			}
		}
		return ids, err == nil && want(ids)
	}, d)
}

// postRecheck asks a daemon to try a rule again.
func postRecheck(t *testing.T, d *running, id string) int {
	t.Helper()
	return postJSON(t, d.admin, "/api/v1/recheck", map[string]any{"site": "", "id": id})
}
