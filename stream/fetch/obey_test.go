package fetch_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/stream/fetch"
)

func TestRobotsObeyed(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		w.setRobots("User-agent: *\nDisallow: /private\n")
		f := w.fetcher(fetch.Options{})
		get(t, f, site, "/public")
		refused(t, f, site, "/private/x", fetch.Robots)

		w.setRobots("User-agent: *\nDisallow: /public\n")
		time.Sleep(24 * time.Hour)
		until := refused(t, f, site, "/public2", fetch.Robots)
		get(t, f, site, "/private/x")
		if until.After(time.Now().Add(24 * time.Hour)) {
			t.Errorf("believed until %v", until)
		}
		want := []string{"/robots.txt", "/public", "/robots.txt", "/private/x"}
		if got := w.paths(time.Second); !slices.Equal(got, want) {
			t.Errorf("asked for %q, want %q", got, want)
		}
	})
}

// A redirect cannot bypass the rules.
func TestRobotsOfRedirects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, map[string]string{"/a": "/private", "/b": "/cart?do=logout"}[r.URL.Path], http.StatusFound)
		})
		w.setRobots("User-agent: dustbuster\nDisallow: /private\n")
		f := w.fetcher(fetch.Options{})
		refused(t, f, site, "/a", fetch.Robots)
		refused(t, f, site, "/b", fetch.Action)
		if got := w.paths(time.Second); slices.Contains(got, "/private") || len(got) != 3 {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestRobotsStatus(t *testing.T) {
	for _, c := range []struct {
		name    string
		status  int
		allowed bool
	}{
		{"not found", 404, true},
		{"not logged in", 401, true},
		{"forbidden", 403, true},
		{"gone", 410, true},
		{"too many requests", 429, false},
		{"a failure", 500, false},
		{"an overload", 503, false},
		{"no content", 204, true},
		{"not modified", 304, false},
		{"a redirect to nowhere", 302, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, hello, func(t *testing.T, w *world) {
				w.code = c.status
				f := w.fetcher(fetch.Options{})
				_, err := f.Get(t.Context(), of(site, "/x"))
				if c.allowed != (err == nil) {
					t.Fatalf("robots.txt with status %d: %v", c.status, err)
				}
				if c.allowed {
					return
				}
				until := wantReason(t, err, fetch.Closed)
				if until.After(time.Now().Add(10 * time.Minute)) {
					t.Errorf("asked for again at %v", until)
				}
				w.code = 404 // robots.txt is requested again, but not earlier
				refused(t, f, site, "/x", fetch.Closed)
				if n := len(w.seen(0)); n != 1 {
					t.Errorf("%d requests", n)
				}
				time.Sleep(time.Until(until))
				get(t, f, site, "/x")
			})
		})
	}
}

func TestRobotsHuge(t *testing.T) {
	filler := "Disallow: /filler/" + strings.Repeat("x", 80) + "\n"
	count := fetch.MaxRobots/len(filler) + 1
	text := "User-agent: *\nDisallow: /early\n" + strings.Repeat(filler, count) + "Allow: /\nDisallow: /late\n" + strings.Repeat(filler, 10<<20/len(filler))
	inWorld(t, hello, func(t *testing.T, w *world) {
		w.setRobots(text)
		f := w.fetcher(fetch.Options{})
		refused(t, f, site, "/early", fetch.Robots)
		get(t, f, site, "/late")
		if s := f.Stats(); s.Bytes > fetch.MaxRobots+1000 {
			t.Errorf("%d bytes read", s.Bytes)
		}
	})
}

// A line cut off at the bound is dropped, not read as half a line.
func TestRobotsCutOff(t *testing.T) {
	head, tail := "User-agent: *\nDisallow: /a\n", "\nDisallow: /"
	text := head + "#" + strings.Repeat("x", fetch.MaxRobots-len(head)-len(tail)-1) + tail + "public\n"
	inWorld(t, hello, func(t *testing.T, w *world) {
		w.setRobots(text)
		f := w.fetcher(fetch.Options{})
		get(t, f, site, "/b")
		refused(t, f, site, "/a", fetch.Robots)
	})
}

// A robots.txt may be elsewhere on its host, and in a site of several hosts at another of
// them, for example if the whole host redirects there. The rules apply to the redirecting
// host.
func TestRobotsMoved(t *testing.T) {
	for _, c := range []struct {
		name, from, to string
		public         bool
	}{
		{"on its host", "", "/real-robots.txt", true},
		{"on its host in capitals", "", "http://EXAMPLE.org:80/real-robots.txt", true},
		{"at another site", "", "http://example.net/real-robots.txt", false},
		{"at a host below", "", "http://www.example.org/real-robots.txt", false},
		{"at itself", "", "/robots.txt", false},
		{"at another scheme", "", "ftp://example.org/", false},
		{"of several hosts, at another", site, "http://www.example.org/real-robots.txt", true},
		{"of several hosts, moved again", site, "http://www.example.org/robots.txt", false},
		{"of several hosts, at another site", site, "http://example.net/real-robots.txt", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, hello, func(t *testing.T, w *world) {
				w.setRobots("User-agent: *\nDisallow: /private\nCrawl-delay: 7")
				w.moved = func(string) string { return c.to }
				f := w.fetcher(fetch.Options{Scheme: "http"})
				for range 2 {
					_, err := f.Get(t.Context(), of(site, c.from+"/public"))
					if c.public != (err == nil) {
						t.Errorf("robots.txt at %s: %v", c.to, err)
					}
				}
				refused(t, f, site, c.from+"/private", map[bool]fetch.Reason{true: fetch.Robots, false: fetch.Closed}[c.public])
				last := time.Time{}
				for _, v := range w.seen(time.Second) {
					if v.path == "/public" && v.begin.Sub(last) < 7*time.Second {
						t.Errorf("its Crawl-delay is not kept: %v", v.begin.Sub(last))
					}
					if v.host == site {
						last = v.end
					}
				}
			})
		})
	}
}

// Two hosts that redirect to each other have no robots.txt, and do not wait for each
// other.
func TestRobotsInACircle(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		hosts := []string{site, "www." + site}
		w.moved = func(host string) string {
			return "http://" + hosts[1-slices.Index(hosts, host)] + "/robots.txt"
		}
		f := w.fetcher(fetch.Options{Scheme: "http"})
		var done sync.WaitGroup
		for i := range 10 {
			done.Go(func() {
				if _, err := f.Get(t.Context(), of(site, hosts[i%2]+"/a")); reason(err) != fetch.Closed {
					t.Error(err)
				}
			})
		}
		done.Wait()
		if n := len(w.seen(time.Second)); n > 10*(5+1) {
			t.Errorf("%d requests", n)
		}
	})
}

// A site that redirects everything, or all pages, to https cannot be fetched from an http
// origin. The error says so even if the redirects are long.
func TestSiteWantsHTTPS(t *testing.T) {
	for _, c := range []struct {
		name   string
		robots bool // is redirected, too
		want   fetch.Reason
	}{{"everything", true, fetch.Closed}, {"all pages", false, fetch.Loop}} {
		t.Run(c.name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/robots.txt" && !c.robots {
					http.NotFound(w, r)
					return
				}
				to := "https://example.org" + r.URL.Path
				if c.robots {
					to += "?" + strings.Repeat("x", 5000)
				}
				http.Redirect(w, r, to, http.StatusMovedPermanently)
			}))
			defer srv.Close()
			_, err := loopbackFetcher(t, fetch.Options{Origin: srv.URL}).Get(t.Context(), of(site, "/a"))
			wantReason(t, err, c.want)
			said := err.Error()
			if !strings.Contains(said, "configure an https origin") || c.robots && (!strings.Contains(said, `at last to "https://example.org/robots.txt?x`) || len(said) > 500) {
				t.Error(err)
			}
		})
	}
}

// A site barred by Options.Allow is not requested, and is requested again once allowed.
func TestBarred(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		mine := true
		f := w.fetcher(fetch.Options{Allow: func(s string) bool { return s == site && mine }})
		get(t, f, site, "/a")
		mine = false
		if until := refused(t, f, site, "/b", fetch.Barred); until.After(time.Now().Add(time.Second)) {
			t.Errorf("until %v", until)
		}
		mine = true
		get(t, f, site, "/c")
		if got, want := w.paths(time.Second), []string{"/robots.txt", "/a", "/c"}; !slices.Equal(got, want) || f.Limits(site).Left != 997 {
			t.Errorf("asked for %q, want %q; %d left", got, want, f.Limits(site).Left)
		}
	})
}

// However many calls wait for a host, its robots.txt is requested once, and so is the file of the same host to which
// it redirects.
func TestRobotsOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		to   string
		want []string
	}{
		{"at its place", "", []string{"/robots.txt"}},
		{"moved", "/real-robots.txt", []string{"/robots.txt", "/real-robots.txt"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, hello, func(t *testing.T, w *world) {
				if c.to != "" {
					w.moved = func(string) string { return c.to }
				}
				f := w.fetcher(fetch.Options{})
				var all sync.WaitGroup
				for i := range 50 {
					all.Go(func() { get(t, f, site, fmt.Sprintf("/%d", i)) })
				}
				all.Wait()
				if got := w.paths(time.Second); len(got) != 50+len(c.want) || !slices.Equal(got[:len(c.want)], c.want) {
					t.Errorf("asked for %q", got)
				}
			})
		})
	}
}
