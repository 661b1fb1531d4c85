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
		must(t, err)
		expect(again, `"v2"`, false, 200)
		expect(get(t, f, site, "/"), `"v2"`, true, 200)
		if s := f.Stats(); s.Requests != 4 || s.NotModified != 1 || s.Hits != 4 {
			t.Errorf("%+v", s)
		}
		w.seen(time.Second)
	})
}

// A document behind a redirect is as old as the older of the two answers.
func TestAgeBehindRedirect(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/old" {
				http.Redirect(w, r, "/new", http.StatusMovedPermanently)
			}
		})
		f := w.fetcher(Options{CacheFor: time.Hour})
		first := get(t, f, site, "/old").At
		time.Sleep(time.Minute)
		again, err := f.Again(t.Context(), site, "/new")
		must(t, err)
		if d := get(t, f, site, "/old"); !d.At.Equal(first) || again.At.Equal(first) {
			t.Errorf("at first %v, /new again %v, then %v", first, again.At, d.At)
		}
	})
}

// Temporary failures are not remembered, and remove the answers they make doubtful.
// Answers are remembered, and so is a second failure of the server.
func TestCacheByStatus(t *testing.T) {
	for status, requests := range map[int]int{200: 1, 404: 1, 410: 1, 403: 1, 408: 4, 429: 4, 500: 2, 503: 2} {
		bubble(t, func(t *testing.T) {
			w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
			f := w.fetcher(Options{})
			for i := range 4 {
				if d := get(t, f, site, "/"); d.Cached != (i >= requests) || d.Status != status {
					t.Errorf("%d: %+v", i, d)
				}
			}
		})
	}
}

// A server that recovers is believed, and asked anew when it fails again.
func TestFailuresInARow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := 0
		w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `"v"`)
			if n++; n != 2 && n != 4 {
				w.WriteHeader(500)
			}
		})
		f := w.fetcher(Options{CacheFor: time.Hour})
		for i, want := range []int{500, 200, 200} {
			if d := get(t, f, site, "/"); d.Status != want || d.Cached != (i == 2) {
				t.Errorf("%d: %+v", i, d)
			}
		}
		if d, err := f.Again(t.Context(), site, "/"); err != nil || d.Status != 500 {
			t.Errorf("%+v, %v", d, err)
		}
		if d := get(t, f, site, "/"); d.Status != 200 || d.Cached {
			t.Errorf("%+v", d)
		}
	})
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
