package integration

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

// postPage posts a page to a daemon, as a crawler does that has fetched the page.
func postPage(t *testing.T, d *running, site, url, body string) int {
	t.Helper()
	return postJSON(t, d.admin, "/api/v1/pages", map[string]any{"site": site, "url": "http://" + url, "status": 200, "content_type": "text/html", "body": body})
}

// storyText is a text of a story as a crawler saw it.
func storyText(kind string, id int) string {
	return "<p>" + strings.Repeat(fmt.Sprintf("the %s of number %d goes on like this, ", kind, id), 10)
}

// A crawler posts the pages that it fetches. Pages that are alike cost the site no request. Once the
// site has changed, the pages that differ take the rule from the list. Pages that lie change nothing.
func TestPostedPages(t *testing.T) {
	t.Parallel()
	site, origin, log := startLive(t)
	state := t.TempDir()
	d := trier(t, origin, log, state, "--hold-share", "1", "--admin-pages-from", "127.0.0.1,::1")
	id := awaitPublished(t, state, d, func(ids map[string]string) bool { return ids["parameter"] != "" })["parameter"]
	post := func(path, text string) {
		t.Helper()
		for range 100 {
			code := postPage(t, d, "", "www.example.org"+path, text)
			if code == http.StatusAccepted {
				return
			}
			if code != http.StatusTooManyRequests {
				t.Fatalf("%s: status %d\n%s", path, code, d)
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
	last, _ := expect.Poll(2*time.Minute, func() (status, bool) {
		s, _ := d.status(t)
		return s, s.Validate.Sites[""].Reported.Tried >= 20
	})
	if s := last.Validate; s.Sites[""].Reported.Tried != 20 || s.Sites[""].Reported.Wrong != 0 || s.Pages[""].Taken != 80 || s.Sites[""].Posted.Kept != 80 {
		t.Errorf("after lies about 20 pages: %+v", s)
	}
	if awaitPublished(t, state, d, func(map[string]string) bool { return true })["parameter"] != id {
		t.Fatalf("lies took the rule\n%s", d)
	}
	site.move(func(r *http.Request) bool { return r.URL.Query().Has("sid") })
	for i := range 5 {
		post(fmt.Sprintf("/story?id=%d&sid=%d9f", i, i), storyText("notice, which has other words for whoever comes by,", i))
	}
	awaitPublished(t, state, d, func(ids map[string]string) bool { return ids["parameter"] != id })
}

// A daemon refuses hostile pages, and works on.
func TestPostedPagesHostile(t *testing.T) {
	t.Parallel()
	_, origin, log := startLive(t)
	state := t.TempDir()
	d := trier(t, origin, log, state, "--admin-pages-from", "127.0.0.1")
	awaitPublished(t, state, d, func(ids map[string]string) bool { return ids["parameter"] != "" })
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 256 {
		_, err := z.Write(make([]byte, 1<<20))
		must(t, err)
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
		if code, said := post(d.admin, "/api/v1/pages", c.body, c.header...); code != c.want {
			t.Errorf("%s: status %d, want %d: %s", name, code, c.want, said)
		}
	}
	if code := postPage(t, d, "", "www.example.org/story_1", strings.Repeat("word ", 300_000)); code != http.StatusAccepted {
		t.Errorf("a page of 1.5 MB: status %d", code)
	}
	if code, said := ask(d.admin, "/healthz"); code != http.StatusOK {
		t.Errorf("%d %s\n%s", code, said, d)
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
