package integration

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// postPage posts a page to a daemon, as a crawler does that has fetched the page.
func postPage(t *testing.T, admin, path, body string, more ...string) int {
	t.Helper()
	text, err := json.Marshal(map[string]any{"site": "", "url": "http://www.example.org" + path, "status": 200, "content_type": "text/html", "body": body})
	must(t, err)
	return postBytes(t, admin, bytes.NewReader(text), more...)
}

func postBytes(t *testing.T, admin string, body io.Reader, header ...string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+admin+"/api/v1/pages", body)
	must(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	must(t, err)
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// storyText is a text of a story as a crawler saw it.
func storyText(kind string, id int) string {
	return "<p>" + strings.Repeat(fmt.Sprintf("the %s of number %d goes on like this, ", kind, id), 10)
}

// A crawler posts the pages that it fetches. Pages that are alike cost the site no request. Once the
// site has changed, the pages that differ take the rule from the list. Pages that lie change nothing.
func TestPostedPages(t *testing.T) {
	t.Parallel() // an idle site gets a new window each minute
	site, origin, log := startLive(t)
	state, admin := t.TempDir(), freeAddress(t)
	_, stderr := trier(t, origin, log, state, admin, "--hold-share", "1", "--admin-pages-from", "127.0.0.1,::1")
	id := awaitPublished(t, state, stderr, func(ids map[string]string) bool { return ids["parameter"] != "" })["parameter"]
	post := func(path, text string) {
		t.Helper()
		for range 100 {
			code := postPage(t, admin, path, text)
			if code == http.StatusAccepted {
				return
			}
			if code != http.StatusTooManyRequests {
				t.Fatalf("%s: status %d\n%s", path, code, stderr)
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatalf("%s is never accepted", path)
	}
	for i := range 20 {
		post(fmt.Sprintf("/story?id=%d", i), storyText("story", i))
		post(fmt.Sprintf("/story?id=%d&sid=%d9f", i, i), storyText("story", i))
	}
	for i := 20; i < 40; i++ { // lies: the pages are one
		post(fmt.Sprintf("/story_%d", i), storyText("story", i))
		post(fmt.Sprintf("/story?id=%d&sid=%d9f", i, i), storyText("lie", i))
	}
	status := func() (s struct {
		Validate struct {
			Pages map[string]struct{ Taken, Ignored int }
			Sites map[string]struct {
				Reported struct{ Tried, Wrong int }
				Posted   struct{ Kept, Proposed int } `json:"posted_pages"`
			}
		}
	}) {
		resp, err := http.Get("http://" + admin + "/api/v1/status")
		must(t, err)
		defer resp.Body.Close()
		must(t, json.NewDecoder(resp.Body).Decode(&s))
		return s
	}
	for deadline := time.Now().Add(2 * time.Minute); status().Validate.Sites[""].Reported.Tried < 20 && time.Now().Before(deadline); {
		time.Sleep(200 * time.Millisecond)
	}
	if s := status().Validate; s.Sites[""].Reported.Tried != 20 || s.Sites[""].Reported.Wrong != 0 || s.Pages[""].Taken != 80 || s.Sites[""].Posted.Kept != 80 {
		t.Errorf("after lies about 20 pages: %+v", s)
	}
	if awaitPublished(t, state, stderr, func(map[string]string) bool { return true })["parameter"] != id {
		t.Fatalf("lies took the rule\n%s", stderr)
	}
	site.move(func(r *http.Request) bool { return r.URL.Query().Has("sid") })
	for i := range 5 {
		post(fmt.Sprintf("/story?id=%d&sid=%d9f", i, i), storyText("notice, which has other words for whoever comes by,", i))
	}
	awaitPublished(t, state, stderr, func(ids map[string]string) bool { return ids["parameter"] != id })
}

// A daemon refuses hostile pages, and works on.
func TestPostedPagesHostile(t *testing.T) {
	t.Parallel()
	_, origin, log := startLive(t)
	state, admin := t.TempDir(), freeAddress(t)
	_, stderr := trier(t, origin, log, state, admin, "--admin-pages-from", "127.0.0.1")
	awaitPublished(t, state, stderr, func(ids map[string]string) bool { return ids["parameter"] != "" })
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 256 {
		if _, err := z.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	must(t, z.Close())
	good := `{"site":"","url":"http://h/a","status":200,"body":""}`
	for name, c := range map[string]struct {
		body   io.Reader
		header []string
		want   int
	}{
		"a bomb":        {bytes.NewReader(bomb.Bytes()), []string{"Content-Encoding", "gzip"}, http.StatusBadRequest},
		"no bomb":       {bytes.NewReader(bomb.Bytes()), nil, http.StatusBadRequest},
		"endless":       {io.LimitReader(blanks{}, 1<<30), nil, http.StatusRequestEntityTooLarge},
		"deep":          {strings.NewReader(strings.Repeat("[", 1<<20)), nil, http.StatusBadRequest},
		"a page's page": {strings.NewReader(good), []string{"Origin", "http://evil.example"}, http.StatusForbidden},
		"other site":    {strings.NewReader(strings.Replace(good, `""`, `"evil.example"`, 1)), nil, http.StatusNotFound},
		"a user":        {strings.NewReader(strings.Replace(good, "//h", "//me:pass@h", 1)), nil, http.StatusBadRequest},
		"good":          {strings.NewReader(good), nil, http.StatusAccepted},
	} {
		if code := postBytes(t, admin, c.body, c.header...); code != c.want {
			t.Errorf("%s: status %d, want %d", name, code, c.want)
		}
	}
	if code := postPage(t, admin, "/story_1", strings.Repeat("word ", 300_000)); code != http.StatusAccepted {
		t.Errorf("a page of 1.5 MB: status %d", code)
	}
	resp, err := http.Get("http://" + admin + "/healthz")
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%v\n%s", err, stderr)
	} else {
		resp.Body.Close()
	}
}

// blanks is a JSON text that never ends.
type blanks struct{}

func (blanks) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}
