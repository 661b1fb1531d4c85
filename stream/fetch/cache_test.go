package fetch_test

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/stream/fetch"
)

func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
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
		f := w.fetcher(fetch.Options{Digest: func(_, _ string, body []byte) any { return "digest of " + string(body) }})
		expect := func(d fetch.Document, content string, cached bool, status int) {
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
		again, err := f.Get(t.Context(), freshly(site, "/"))
		must(t, err)
		expect(again, `"v2"`, false, 200)
		expect(get(t, f, site, "/"), `"v2"`, true, 200)
		if s := f.Stats(); s.Requests != 4 || s.Hits != 4 {
			t.Errorf("%+v", s)
		}
		w.seen(time.Second)
	})
}

// A document behind a redirect is as old as the older of the two answers.
func TestAgeBehindRedirect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/old" {
				http.Redirect(w, r, "/new", http.StatusMovedPermanently)
			}
		})
		f := w.fetcher(fetch.Options{})
		first := get(t, f, site, "/old").At
		time.Sleep(time.Minute)
		again, err := f.Get(t.Context(), freshly(site, "/new"))
		must(t, err)
		if d := get(t, f, site, "/old"); !d.At.Equal(first) || again.At.Equal(first) {
			t.Errorf("at first %v, /new again %v, then %v", first, again.At, d.At)
		}
	})
}

// Temporary failures are not remembered, and remove the answers they make doubtful.
// Answers are remembered, and so is a second failure of the server.
func TestCacheByStatus(t *testing.T) {
	for _, c := range []struct {
		name             string
		status, requests int
	}{
		{"a page", 200, 1},
		{"not found", 404, 1},
		{"gone", 410, 1},
		{"forbidden", 403, 1},
		{"a timeout of the server", 408, 4},
		{"too many requests", 429, 4},
		{"a failure", 500, 2},
		{"an overload", 503, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, answering(c.status, nil), func(t *testing.T, w *world) {
				f := w.fetcher(fetch.Options{})
				for i := range 4 {
					if d := get(t, f, site, "/"); d.Cached != (i >= c.requests) || d.Status != c.status {
						t.Errorf("%d: %+v", i, d)
					}
				}
			})
		})
	}
}

// A server that recovers is believed, and asked anew when it fails again.
func TestFailuresInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `"v"`)
			if n++; n != 2 && n != 4 {
				w.WriteHeader(500)
			}
		})
		f := w.fetcher(fetch.Options{})
		for i, want := range []int{500, 200, 200} {
			if d := get(t, f, site, "/"); d.Status != want || d.Cached != (i == 2) {
				t.Errorf("%d: %+v", i, d)
			}
		}
		if d, err := f.Get(t.Context(), freshly(site, "/")); err != nil || d.Status != 500 {
			t.Errorf("%+v, %v", d, err)
		}
		if d := get(t, f, site, "/"); d.Status != 200 || d.Cached {
			t.Errorf("%+v", d)
		}
	})
}

// sized is a digest of so many bytes.
type sized int64

func (s sized) Bytes() int64 { return int64(s) }

func TestCacheBounded(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		f := w.fetcher(fetch.Options{CacheBytes: 5000, Digest: func(string, string, []byte) any { return sized(300) }})
		getMany(t, f, 20)
		if n := f.Answers().Len(); n != 5 || f.Answers().Bytes > 5000 || f.Answers().Bytes < 4500 {
			t.Errorf("%d answers of %d bytes kept", n, f.Answers().Bytes)
		}
		for _, url := range f.Answers().Keys() {
			f.Answers().Remove(url)
		}
		if f.Answers().Bytes != 0 {
			t.Errorf("no answer has %d bytes", f.Answers().Bytes)
		}
	})
}

// Each request and each refusal is reported once.
func TestTrace(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		w.setRobots("User-agent: *\nDisallow: /no")
		var told []string
		f := w.fetcher(fetch.Options{Trace: func(e fetch.Event) {
			told = append(told, fmt.Sprint(e.Kind, " ", e.URL, " ", e.Status, " ", e.Bytes, " ", e.Reason))
		}})
		get(t, f, site, "/yes")
		get(t, f, site, "/yes")
		_, _ = f.Get(t.Context(), of(site, "/no"))
		_, _ = f.Get(t.Context(), of(site, "/logout"))
		want := []string{
			"requested http://example.org/robots.txt 200 27 ", "requested http://example.org/yes 200 10 ",
			"refused /no 0 0 robots", "refused /logout 0 0 action",
		}
		if fmt.Sprint(told) != fmt.Sprint(want) {
			t.Errorf("reported %q, want %q", told, want)
		}
	})
}

// shelf is an archive.
type shelf map[string]string

func (s shelf) Has(url string) bool { return s[url] != "" }

func (s shelf) Answer(url string) (*http.Response, error) {
	switch text := s[url]; text {
	case "":
		return nil, nil
	case "damaged":
		return nil, errors.New("read archive: damaged")
	default:
		return http.ReadResponse(bufio.NewReader(strings.NewReader(text)), nil)
	}
}

// Documents of an archive are judged like those of a site, with redirects within the site,
// and no request is made.
func TestRecorded(t *testing.T) {
	page := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: </a>; rel=canonical\r\nContent-Length: 4\r\n\r\npage"
	moved := func(to string) string {
		return "HTTP/1.1 301 Moved\r\nLocation: " + to + "\r\nContent-Length: 0\r\n\r\n"
	}
	f, err := fetch.New(fetch.Options{Total: 1, Origin: "http://127.0.0.1:1", Archive: shelf{
		"http://a.example/a": page, "http://a.example/old": moved("/a"), "http://a.example/lost": moved("/nowhere"),
		"http://a.example/away": moved("http://b.example/"), "http://a.example/circle": moved("/circle"),
		"http://a.example/gone": "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "http://a.example/bad": "damaged",
		"http://a.example/zip":      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
		"http://a.example/log?out=": page, "http://127.0.0.1:8080/": page,
	}})
	must(t, err)
	for _, c := range []struct {
		name, site, target string
		status             int
		end                string
		why                fetch.Reason
	}{
		{"a page", "a.example", "/a", 200, "/a", ""},
		{"a redirect", "a.example", "/old", 200, "/a", ""},
		{"gone", "a.example", "/gone", 404, "/gone", ""},
		{"an action", "a.example", "/log?out=", 200, "/log?out=", ""},
		{"a site named by an address", "127.0.0.1:8080", "/", 200, "/", ""},
		{"not recorded", "a.example", "/none", 0, "", fetch.Missing},
		{"a redirect to what is not recorded", "a.example", "/lost", 0, "", fetch.Missing},
		{"a redirect to another site", "a.example", "/away", 0, "", fetch.OffSite},
		{"a circle", "a.example", "/circle", 0, "", fetch.Loop},
		{"a damaged record", "a.example", "/bad", 0, "", fetch.Network},
		{"a damaged body", "a.example", "/zip", 0, "", fetch.Encoding},
		{"no site", "", "/a", 0, "", fetch.NoOrigin},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, q := range []fetch.Request{of(c.site, c.target), freshly(c.site, c.target)} {
				d, err := f.Get(t.Context(), q)
				if d.Status != c.status || d.Target != c.end || reason(err) != c.why {
					t.Errorf("%d at %q, %v; want %d at %q, %q", d.Status, d.Target, err, c.status, c.end, c.why)
				}
				if d.Status == 200 && (string(d.Content.([]byte)) != "page" || d.Canonical != "/a" || d.Redirected != (c.target != c.end)) {
					t.Errorf("%+v", d)
				}
			}
			if has := c.status != 0 || c.why != fetch.Missing && c.why != fetch.NoOrigin || c.target == "/lost"; f.Has(c.site, c.target) != has {
				t.Errorf("whether the archive has it: %v", !has)
			}
		})
	}
	if s := f.Stats(); s.Requests != 0 {
		t.Errorf("%d requests", s.Requests)
	}
	live, err := fetch.New(fetch.Options{Scheme: "http"})
	must(t, err)
	if !live.Has("a.example", "/x") {
		t.Error("a live site lacks a document")
	}
}
