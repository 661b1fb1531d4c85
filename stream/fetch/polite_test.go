package fetch_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/stream/fetch"
)

// Requests to a host come one at a time, with the delay between them. The hosts of one origin share
// one server.
func TestOneAtATime(t *testing.T) {
	const requests = 3 * 16 // 20 targets per host, 15 of them distinct, and robots.txt
	for _, c := range []struct{ name, origin string }{{"by their own names", ""}, {"behind an origin", "http://10.0.0.1"}} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, hello, func(t *testing.T, w *world) {
				w.slow = 300 * time.Millisecond
				f := w.fetcher(fetch.Options{Origin: c.origin, Delay: time.Second})
				var all sync.WaitGroup
				for i := range 60 {
					all.Go(func() { get(t, f, fmt.Sprintf("h%d.example.org", i%3), fmt.Sprintf("/%d", i/3%15)) })
				}
				all.Wait()
				visits := w.seen(time.Second)
				if len(visits) != requests {
					t.Errorf("%d requests, want %d", len(visits), requests)
				}
				for i := 1; i < len(visits) && c.origin != ""; i++ {
					if d := visits[i].begin.Sub(visits[i-1].end); d < time.Second {
						t.Errorf("request %d came %v after the one before", i, d)
					}
				}
				if s := f.Stats(); s.Requests != 48 || s.Hits != 15 || s.Waited == 0 {
					t.Errorf("stats %+v", s)
				}
			})
		})
	}
}

// A crash at any moment, with states saved at any earlier moment, does not shorten the
// delay.
func TestDelayAcrossRestarts(t *testing.T) {
	for seed := range uint64(40) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			w := newWorld(t, hello)
			w.slow = 200 * time.Millisecond
			w.setRobots("User-agent: *\nCrawl-delay: 7\n")
			var saved []fetch.State
			for life := range 6 {
				f := w.fetcher(fetch.Options{Delay: time.Second})
				f.Restore(saved)
				ctx, crash := context.WithTimeout(t.Context(), time.Duration(rng.IntN(40_000))*time.Millisecond)
				var both sync.WaitGroup
				both.Go(func() {
					for i := 0; ctx.Err() == nil; i++ {
						_, _ = f.Get(ctx, of(site, fmt.Sprintf("/%d/%d", life, i)))
						time.Sleep(100 * time.Millisecond)
					}
				})
				both.Go(func() {
					for ctx.Err() == nil {
						saved = f.States()
						time.Sleep(time.Duration(500+rng.IntN(1000)) * time.Millisecond)
					}
				})
				both.Wait()
				crash()
			}
			time.Sleep(time.Minute)
			// A server does not notice at once that its client is gone.
			w.seen(time.Second - w.slow)
			w.crawlDelayKept(7*time.Second - w.slow)
		})
	}
}

// crawlDelayKept checks the delay from the first page on. Before the first page the
// Crawl-delay is unknown.
func (w *world) crawlDelayKept(delay time.Duration) {
	w.t.Helper()
	first := slices.IndexFunc(w.visits, func(v visit) bool { return v.path != "/robots.txt" })
	if first < 0 {
		return
	}
	for i := first + 1; i < len(w.visits); i++ {
		if d := w.visits[i].begin.Sub(w.visits[i-1].end); d < delay {
			w.t.Errorf("%s came %v after %s, want %v", w.visits[i].path, d, w.visits[i-1].path, delay)
		}
	}
}

func TestCrawlDelay(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		w.setRobots("User-agent: *\nCrawl-delay: 2.5\n")
		f := w.fetcher(fetch.Options{Delay: time.Second})
		getMany(t, f, 5)
		w.seen(2500 * time.Millisecond)
		w.setRobots("User-agent: *\nCrawl-delay: 0.1\n")
		time.Sleep(25 * time.Hour)
		get(t, f, site, "/a")
		get(t, f, site, "/b")
		w.seen(time.Second) // the configured delay is longer now
	})
}

func TestCrawlDelayAboveBound(t *testing.T) {
	for _, c := range []struct{ name, delay string }{{"an hour and a second", "3601"}, {"an exponent", "1e300"}, {"twenty digits", "99999999999999999999"}} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, hello, func(t *testing.T, w *world) {
				w.setRobots("User-agent: *\nCrawl-delay: " + c.delay + "\n")
				f := w.fetcher(fetch.Options{})
				refused(t, f, site, "/", fetch.Robots)
			})
		})
	}
}

func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		value  func() string
		want   time.Duration
	}{
		{"seconds", 503, said("120"), 2 * time.Minute},
		{"hours", 429, said("7200"), 2 * time.Hour},
		{"a date", 429, func() string { return time.Now().Add(10 * time.Minute).UTC().Format(http.TimeFormat) }, 10*time.Minute - time.Second},
		{"more seconds than a number holds", 503, said("99999999999999999999999"), 24 * time.Hour},
		{"a date far away", 503, said("Mon, 02 Jan 2106 15:04:05 GMT"), 24 * time.Hour},
		{"a word", 503, said("soon"), 10 * time.Second},
		{"a negative number", 429, said("-5"), 10 * time.Second},
		{"zero", 503, said("0"), time.Second},
		{"with a page", 200, said("3600"), time.Second},
		{"with a page that is not found", 404, said("3600"), time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, answering(c.status, c.value), func(t *testing.T, w *world) {
				f := w.fetcher(fetch.Options{Delay: time.Second})
				if d := get(t, f, site, "/a"); d.Status != c.status {
					t.Fatalf("status %d", d.Status)
				}
				get(t, f, site, "/b")
				visits := w.seen(time.Second)
				got := visits[2].begin.Sub(visits[1].end)
				if got < c.want || got > c.want+2*time.Second {
					t.Errorf("%d: the next request came after %v, want %v", c.status, got, c.want)
				}
			})
		})
	}
}

// A host's Retry-After holds after a restart. A Get whose deadline is earlier returns
// at once.
func TestHold(t *testing.T) {
	inWorld(t, answering(503, said("3000")), func(t *testing.T, w *world) {
		f := w.fetcher(fetch.Options{})
		get(t, f, site, "/a")
		until := time.Now().Add(3000 * time.Second)
		for _, f := range []*fetch.Fetcher{f, w.successor(f, fetch.Options{})} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			_, err := f.Get(ctx, of(site, "/b"))
			cancel()
			if got := wantReason(t, err, fetch.Held); !got.Equal(until) {
				t.Errorf("held until %v, want %v", got, until)
			}
		}
		if n := len(w.seen(time.Second)); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
	})
}

// The Retry-After of one site of an origin holds for all sites of the origin, also
// after a restart.
func TestHoldOfOriginAcrossRestart(t *testing.T) {
	inWorld(t, answering(503, said("3000")), func(t *testing.T, w *world) {
		f := w.fetcher(fetch.Options{Origin: "http://10.0.0.1"})
		get(t, f, "a.org", "/")
		g := w.successor(f, fetch.Options{Origin: "http://10.0.0.1"})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := g.Get(ctx, of("b.org", "/"))
		wantReason(t, err, fetch.Held)
	})
}

// A site may come from another process at any time, and that process may have just made
// a request.
func TestRestoreCountsAsRequest(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		f := w.fetcher(fetch.Options{})
		get(t, f, site, "/")
		time.Sleep(time.Hour)
		moved := time.Now()
		f.Restore([]fetch.State{{Site: "moved.org", Next: moved, Delay: 7 * time.Second}})
		get(t, f, "moved.org", "/")
		if d := w.seen(time.Second)[2].begin.Sub(moved); d < 7*time.Second {
			t.Errorf("asked after %v", d)
		}
	})
}

// A saved state from a wrong clock, or from a hostile file, holds a site back only for
// a bounded time.
func TestRestoreBounds(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		f := w.fetcher(fetch.Options{})
		f.Restore([]fetch.State{{Site: site, Next: time.Now().AddDate(100, 0, 0), Delay: math.MaxInt64, Since: time.Now().AddDate(100, 0, 0), Used: 1 << 40}})
		begin := time.Now()
		for reason(func() error { _, err := f.Get(t.Context(), of(site, "/")); return err }()) == fetch.Budget {
			time.Sleep(10 * time.Minute)
		}
		if d := time.Since(begin); d > 26*time.Hour {
			t.Errorf("held back for %v", d)
		}
	})
}

// A server that times out is left alone for longer, because it may still be working on
// the request.
func TestTimeoutHolds(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		f := w.fetcher(fetch.Options{Delay: time.Second, Timeout: 5 * time.Second})
		get(t, f, site, "/a")
		w.slow = 12 * time.Second
		refused(t, f, site, "/b", fetch.Timeout)
		refused(t, f, site, "/c", fetch.Timeout)
		time.Sleep(time.Minute)
		w.seen(time.Second)
	})
}

func TestBudget(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		f := w.fetcher(fetch.Options{Budget: 10, Delay: time.Second})
		getMany(t, f, 9) // and robots.txt
		first := w.seen(time.Second)[0].begin
		if got := refused(t, f, site, "/more", fetch.Budget); !got.Equal(first.Add(time.Hour)) {
			t.Errorf("room again at %v, want %v", got, first.Add(time.Hour))
		}
		get(t, f, site, "/3") // a cached document costs nothing
		get(t, f, "example.net", "/")

		g := w.successor(f, fetch.Options{Budget: 10})
		refused(t, g, site, "/more", fetch.Budget)
		time.Sleep(time.Until(first.Add(time.Hour)))
		get(t, g, site, "/more")
		if s := g.Stats(); s.Requests != 2 || s.Refused[fetch.Budget] != 1 {
			t.Errorf("stats %+v", s)
		}
	})
}

// When the budget ends, all waiting calls are refused.
func TestBudgetUnderLoad(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		f := w.fetcher(fetch.Options{Budget: 20})
		var all sync.WaitGroup
		for i := range 100 {
			all.Go(func() {
				if _, err := f.Get(t.Context(), of(site, fmt.Sprintf("/%d", i))); err != nil {
					wantReason(t, err, fetch.Budget)
				}
			})
		}
		all.Wait()
		if n := len(w.seen(time.Second)); n != 20 {
			t.Errorf("%d requests, want 20", n)
		}
	})
}

func TestCancel(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		w.setRobots("User-agent: *\nCrawl-delay: 600\n")
		f := w.fetcher(fetch.Options{})
		get(t, f, site, "/")
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 3 { // one waits for the delay, two wait for the turn
			all.Go(func() {
				_, err := f.Get(ctx, of(site, fmt.Sprintf("/%d", i)))
				wantReason(t, err, fetch.Cancelled)
			})
		}
		synctest.Wait()
		before := time.Now()
		cancel()
		all.Wait()
		if time.Since(before) != 0 {
			t.Error("the end of the context did not end the waiting")
		}
		get(t, f, site, "/later")
		w.seen(600 * time.Second / 1000)
	})
}

// An unlimited number of host names, of sites or of one site, takes limited memory. No host
// with a running delay is dropped.
func TestManyHosts(t *testing.T) {
	for _, c := range []struct {
		name  string
		whole bool
	}{{"many sites", false}, {"many hosts of a site", true}} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, hello, func(t *testing.T, w *world) {
				f := w.fetcher(fetch.Options{MaxHosts: 4})
				name := func(i int) (string, string) {
					if c.whole {
						return site, fmt.Sprintf("h%d.example.org/", i)
					}
					return fmt.Sprintf("h%d.org", i), "/"
				}
				for i := range 4 {
					site, target := name(i)
					get(t, f, site, target)
				}
				site, target := name(4)
				refused(t, f, site, target, fetch.Full)
				time.Sleep(2 * time.Hour)
				get(t, f, site, target)
				if servers, sites := f.Doors(); servers > 4 || sites > 4 {
					t.Errorf("%d servers, %d sites", servers, sites)
				}
				w.seen(time.Second)
			})
		})
	}
}

// The same over a real network. The server can only see longer delays than the
// Fetcher's.
func TestOneAtATimeOverLoopback(t *testing.T) {
	const delay = 20 * time.Millisecond
	var inFlight, requests, crowds, hasty atomic.Int64
	var last atomic.Pointer[time.Time]
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if inFlight.Add(1) > 1 {
			crowds.Add(1)
		}
		if before := last.Load(); before != nil && time.Since(*before) < delay {
			hasty.Add(1)
		}
		requests.Add(1)
		time.Sleep(2 * time.Millisecond)
		end := time.Now()
		last.Store(&end)
		inFlight.Add(-1)
		hello(w, r)
	}))
	defer srv.Close()
	f := loopbackFetcher(t, fetch.Options{Origin: srv.URL, Delay: delay})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { get(t, f, fmt.Sprintf("h%d.org", i%2), fmt.Sprintf("/%d", i)) })
	}
	all.Wait()
	if requests.Load() != 22 || crowds.Load() != 0 || hasty.Load() != 0 {
		t.Errorf("%d requests, %d beside another, %d too early", requests.Load(), crowds.Load(), hasty.Load())
	}
}

// Total bounds the requests to all sites together, including robots.txt and redirects,
// however many calls run at once. A cached document costs nothing.
func TestTotal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const total = 25
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.RequestURI, "/from") {
				http.Redirect(w, r, "/to"+r.RequestURI, http.StatusFound)
			}
		})
		f := w.fetcher(fetch.Options{Total: total})
		get(t, f, "s0.example", "/from0")
		var done sync.WaitGroup
		for i := range 10 {
			done.Go(func() {
				for n := range 10 {
					if _, err := f.Get(t.Context(), of(fmt.Sprintf("s%d.example", i), fmt.Sprintf("/from%d", n))); err != nil && reason(err) != fetch.Spent {
						t.Error(err)
					}
				}
			})
		}
		done.Wait()
		if n := len(w.seen(time.Second)); n != total || f.Limits(site).LeftInAll != 0 {
			t.Errorf("%d requests, want %d; %d left", n, total, f.Limits(site).LeftInAll)
		}
		get(t, f, "s0.example", "/from0")
	})
}
