package fetch

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

func TestCache(t *testing.T) {
	bubble(t, func(t *testing.T) {
		version := 1
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			tag := fmt.Sprintf(`"v%d"`, version)
			w.Header().Set("ETag", tag)
			w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
			if r.Header.Get("If-None-Match") == tag && r.Header.Get("If-Modified-Since") != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			fmt.Fprint(w, tag)
		})
		f := w.fetcher(Options{CacheFor: time.Hour, Digest: func(_ string, body []byte) any { return "digest of " + string(body) }})
		expect := func(d Document, content string, cached bool, status int) {
			t.Helper()
			if d.Content != "digest of "+content || d.Cached != cached || d.Status != status {
				t.Errorf("%+v, want %s, cached %v", d, content, cached)
			}
		}
		expect(get(t, f, site, "/"), `"v1"`, false, 200)
		expect(get(t, f, site, "/"), `"v1"`, true, 200)
		time.Sleep(time.Hour)
		d := get(t, f, site, "/")
		expect(d, `"v1"`, false, 200) // a 304
		if time.Since(d.At) != 0 {
			t.Errorf("said at %v", d.At)
		}
		expect(get(t, f, site, "/"), `"v1"`, true, 200)
		version = 2
		expect(get(t, f, site, "/"), `"v1"`, true, 200)
		again, err := f.Again(t.Context(), site, "/")
		if err != nil {
			t.Fatal(err)
		}
		expect(again, `"v2"`, false, 200)
		expect(get(t, f, site, "/"), `"v2"`, true, 200)
		if s := f.Stats(); s.Requests != 4 || s.NotModified != 1 || s.Hits != 4 {
			t.Errorf("%+v", s)
		}
		w.seen(time.Second)
	})
}

// Temporary failures are not remembered, and remove the answers they make doubtful.
// Answers are remembered.
func TestCacheByStatus(t *testing.T) {
	for status, cached := range map[int]bool{200: true, 404: true, 410: true, 403: true, 408: false, 429: false, 500: false, 503: false} {
		bubble(t, func(t *testing.T) {
			w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
			f := w.fetcher(Options{})
			get(t, f, site, "/")
			if d := get(t, f, site, "/"); d.Cached != cached || d.Status != status {
				t.Errorf("%+v", d)
			}
		})
	}
}

func TestCacheBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, hello)
		f := w.fetcher(Options{CacheSize: 5})
		for i := range 20 {
			get(t, f, site, fmt.Sprintf("/%d", i))
		}
		if n := f.answers.Len(); n != 5 {
			t.Errorf("%d answers kept", n)
		}
	})
}

// Each request and each refusal is reported once.
func TestTrace(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, hello)
		w.setRobots("User-agent: *\nDisallow: /no")
		var told []string
		f := w.fetcher(Options{Trace: func(e Event) {
			told = append(told, fmt.Sprint(e.Kind, " ", e.URL, " ", e.Status, " ", e.Bytes, " ", e.Reason))
		}})
		get(t, f, site, "/yes")
		get(t, f, site, "/yes")
		_, _ = f.Get(t.Context(), site, "/no")
		_, _ = f.Get(t.Context(), site, "/logout")
		want := []string{
			"requested http://example.org/robots.txt 200 27 ", "requested http://example.org/yes 200 10 ",
			"refused /no 0 0 robots", "refused /logout 0 0 action",
		}
		if fmt.Sprint(told) != fmt.Sprint(want) {
			t.Errorf("reported %q, want %q", told, want)
		}
	})
}
