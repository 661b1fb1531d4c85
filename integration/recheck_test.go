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
	state, admin := t.TempDir(), freeAddress(t)
	_, stderr := trier(t, origin, log, state, admin, "--hold-share", "1")
	id := awaitPublished(t, state, stderr, func(ids map[string]string) bool { return ids["parameter"] != "" })["parameter"]
	site.move(func(r *http.Request) bool { return r.URL.Query().Has("sid") })
	if code := postRecheck(t, admin, "none"); code != http.StatusNotFound {
		t.Errorf("of no rule: status %d", code)
	}
	time.Sleep(time.Second)
	if awaitPublished(t, state, stderr, func(map[string]string) bool { return true })["parameter"] != id {
		t.Fatalf("the rule was taken back before anybody asked\n%s", stderr)
	}
	if code := postRecheck(t, admin, id); code != http.StatusAccepted {
		t.Fatalf("status %d\n%s", code, stderr)
	}
	awaitPublished(t, state, stderr, func(ids map[string]string) bool { return ids["parameter"] != id })
}

// A rule is tried again as soon as the log shows that its pages have other sizes than the
// forms, and is taken back if the site has changed.
func TestRecheckBySizes(t *testing.T) {
	t.Parallel() // an idle site gets a new window each minute
	site, origin, log := startLive(t)
	state, args := t.TempDir(), []string{"--hold-share", "1", "--window", "24h"}
	cmd, stderr := trier(t, origin, log, state, "", args...)
	id := awaitPublished(t, state, stderr, func(ids map[string]string) bool { return ids["substring"] != "" })["substring"]
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	site.move(func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/story_") })
	var later bytes.Buffer
	for i := range liveStories {
		later.WriteString(line(fmt.Sprintf("/story?id=%d", i), 2000+100*i))
		later.WriteString(line(fmt.Sprintf("/story_%d", i), 17000+100*i))
	}
	writeFile(t, log, append(readFile(t, log), bytes.ReplaceAll(later.Bytes(), []byte("2015:10:"), []byte("2015:15:"))...))
	_, stderr = trier(t, origin, log, state, "", args...)
	awaitPublished(t, state, stderr, func(ids map[string]string) bool { return ids["substring"] != id })
}

// awaitPublished waits until what is published, the id of the last rule of each kind, is as
// it should be.
func awaitPublished(t *testing.T, state string, stderr fmt.Stringer, want func(ids map[string]string) bool) map[string]string {
	t.Helper()
	var text []byte
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var err error
		if text, err = os.ReadFile(filepath.Join(state, "rules.jsonl")); err != nil {
			continue
		}
		ids := map[string]string{}
		for line := range bytes.Lines(text) {
			var r struct{ ID, Kind string }
			if json.Unmarshal(line, &r) == nil && bytes.Contains(line, []byte(`"state":"valid"`)) {
				ids[r.Kind] = r.ID
			}
		}
		if want(ids) {
			return ids
		}
	}
	t.Fatalf("published are\n%s%s", text, stderr)
	return nil
}

// postRecheck asks a daemon to try a rule again.
func postRecheck(t *testing.T, admin, id string) int {
	t.Helper()
	body, err := json.Marshal(map[string]string{"site": "", "id": id})
	must(t, err)
	answer, err := http.Post("http://"+admin+"/api/v1/recheck", "application/json", bytes.NewReader(body))
	must(t, err)
	defer answer.Body.Close()
	return answer.StatusCode
}
