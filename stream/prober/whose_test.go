package prober_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/window/ours"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
)

// server answers for hosts.
type server struct {
	mu     sync.Mutex
	asked  []string                     // hosts
	answer func(host string) fetch.Told // "" is the site's own host
	fail   error
}

func (s *server) under(_ context.Context, _ fetch.Request, host string) (fetch.Told, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, host)
	return s.answer(host), s.fail
}

func text(words string) fetch.Told {
	return fetch.Told{Status: 200, Content: prober.Digest("/", "text/html", []byte("<p>"+words))}
}

// strange returns options of a worker for which the settings name some hosts, and the origin is a server.
func strange(t *testing.T, site *world, s *server, hosts ...string) prober.Options {
	t.Helper()
	o := options(site, nil)
	named, err := ours.New(ours.Options{Hosts: hosts})
	must(t, err)
	o.Ours = named
	if s != nil {
		site.origin, o.Under = "10.0.0.7:80", s.under
	}
	return o
}

const (
	shop  = "the shop has red shoes and blue shoes and many more of all sizes and colours for you"
	other = "nobody lives here, this is the page that the server shows for names that it does not know at all"
)

// What origins answer for invented hosts and for the site's own decides whether rules are tried.
func TestOrigins(t *testing.T) {
	n := 0
	for _, c := range []struct {
		name   string
		answer func(host string) fetch.Told
		apart  bool
		asks   int
	}{
		{"echoes the host", func(string) fetch.Told { return text(shop) }, false, 3},
		{"virtual hosts, another page", func(host string) fetch.Told { return text(map[bool]string{true: shop, false: other}[host == ""]) }, true, 6},
		{"virtual hosts, an error", func(host string) fetch.Told {
			if host == "" {
				return text(shop)
			}
			return fetch.Told{Status: 421}
		}, true, 3},
		{"hangs up", func(host string) fetch.Told {
			if host == "" {
				return text(shop)
			}
			return fetch.Told{}
		}, true, 3},
		{"moves invented hosts", func(host string) fetch.Told {
			if host == "" {
				return text(shop)
			}
			return fetch.Told{Status: 301, Location: "https://www.example.org/"}
		}, true, 3},
		{"moves all hosts", func(string) fetch.Told { return fetch.Told{Status: 301, Location: "https://x/"} }, false, 3},
		{"knows no page", func(host string) fetch.Told { return fetch.Told{Status: 404} }, false, 3},
		{"is down for its own host", func(host string) fetch.Told { return map[bool]fetch.Told{true: {}, false: text(other)}[host == ""] }, false, 3},
		{"another page each time", func(string) fetch.Told {
			n++
			return text(strings.Repeat("page "+strings.Repeat("x", n)+" ", 20))
		}, false, 3},
		{"another page for each host", func(host string) fetch.Told { return text(strings.Repeat("page of "+host+" ", 20)) }, false, 3},
		{"a page that moves once", func(host string) fetch.Told {
			if n++; n%6 == 2 {
				return text(shop)
			}
			return text(other)
		}, false, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n = 0
				site, s := &world{asked: map[string]int{}}, &server{answer: c.answer}
				w := start(t, strange(t, site, s))
				if !w.Needs("a.example") {
					t.Fatal("the origin is not asked")
				}
				published := tried(w, mined(40), 2*time.Hour).published["a.example"] != nil
				if published != c.apart || (site.requests() > 0) != c.apart || len(s.asked) != c.asks {
					t.Errorf("published %v, %d requests, hosts %q", published, site.requests(), s.asked)
				}
				status := statusOf(w)
				if now := status.Now("a.example"); (now.Why == lifecycle.Strange) == c.apart {
					t.Errorf("now %+v", now)
				}
				if of := w.Whose("a.example"); (of.Why == ours.Apart) != c.apart || of.Told == "" {
					t.Errorf("whose %+v", of)
				}
				for _, host := range s.asked {
					if host != "" && (!strings.HasPrefix(host, "x") || !strings.HasSuffix(host, ".invalid")) {
						t.Errorf("invented host %q", host)
					}
				}
			})
		})
	}
}

// An origin is asked anew each day. A site that it does not tell apart any more has its rules withdrawn.
func TestOriginEachDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := true
		s := &server{answer: func(host string) fetch.Told {
			if host == "" || !known {
				return text(shop)
			}
			return fetch.Told{Status: 404}
		}}
		w := start(t, strange(t, &world{asked: map[string]int{}}, s))
		m := mined(40)
		p := onePublished(t, w, m)
		known = false
		run(w, m, time.Hour)
		if len(s.asked) != 3 || w.Whose("a.example").Why != ours.Apart {
			t.Fatalf("asked %q within the day", s.asked)
		}
		time.Sleep(24 * time.Hour)
		if !w.Needs("a.example") {
			t.Fatal("no look a day later")
		}
		run(w, m, time.Hour)
		if w.Needs("a.example") {
			t.Error("a stranger's site is looked at")
		}
		next := drain(w).published["a.example"]
		if len(s.asked) != 6 || next == nil || len(next.Records) != 0 || next.Sequence != p.Sequence+1 || len(next.Retired) != 1 {
			t.Errorf("asked %q, published %+v", s.asked, next)
		}
	})
}

// Where the origin cannot be asked, nothing is decided.
func TestOriginWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: func(string) fetch.Told { return fetch.Told{} }, fail: &fetch.Error{Reason: fetch.Budget, Target: "/", Until: time.Now().Add(time.Hour)}}
		w := start(t, strange(t, &world{asked: map[string]int{}}, s))
		run(w, mined(40), time.Minute)
		if of := w.Whose("a.example"); !of.Due || of.Why != "" || of.Told != "" {
			t.Errorf("whose %+v", of)
		}
		if status := statusOf(w); len(status.WaitingSites()) != 0 {
			t.Error("somebody is asked for a site that the origin may tell apart")
		}
	})
}

// An approval is a decision that is kept: trials begin with it, and it is among the acts. Taken back, it ends the rules.
func TestApproveSite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}}
		w := start(t, strange(t, site, nil))
		m := mined(40)
		w.Figures([]ours.Figure{{Site: "a.example", Count: 100, Clients: 7, Rules: 3}, {Site: "c.example", Count: 900, Clients: 7, Rules: 1}}, 0)
		if w.Needs("a.example") {
			t.Fatal("a site that nobody named is looked at")
		}
		run(w, m, time.Hour)
		status := statusOf(w)
		if waiting := status.WaitingSites(); site.requests() != 0 || len(waiting) != 2 || waiting[1].Site != "a.example" || waiting[1].Rules != 3 {
			t.Fatalf("%d requests, waiting %+v", site.requests(), waiting)
		}
		must(t, w.Wish("a.example", book.Wish{Ours: true}))
		if !w.Needs("a.example") || w.Whose("a.example").Why != ours.Approved {
			t.Fatal("the approval is not known")
		}
		run(w, m, 2*time.Hour)
		got := drain(w)
		if p := got.published["a.example"]; p == nil || len(p.Records) == 0 {
			t.Fatalf("published %+v", p)
		}
		again := start(t, strange(t, site, nil))
		for _, c := range got.changes {
			again.Restore(stored(t, c))
		}
		again.Pack()
		if again.Whose("a.example").Why != ours.Approved || again.Whose("c.example").Why != "" {
			t.Error("the approval was not kept")
		}
		must(t, w.Wish("a.example", book.Wish{Ours: true, Undo: true}))
		if w.Needs("a.example") {
			t.Error("the approval was not taken back")
		}
		if p := drain(w).published["a.example"]; p == nil || len(p.Records) != 0 {
			t.Errorf("published %+v", p)
		}
		if err := w.Wish("a.example", book.Wish{Ours: true, Undo: true}); !errors.Is(err, book.ErrNoRule) {
			t.Error("taken back twice:", err)
		}
	})
}

// Names and shares of the log decide without a request to the origin.
func TestNamedAndMain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: func(string) fetch.Told { return text(shop) }}
		w := start(t, strange(t, &world{asked: map[string]int{}}, s, "named.example"))
		w.Figures([]ours.Figure{{Site: "main.example", Count: 95, Clients: 7}, {Site: "bank.example", Count: 5, Clients: 15}}, 0)
		for _, c := range []struct {
			site string
			want ours.Why
		}{{"named.example", ours.Named}, {"main.example", ours.Main}, {"bank.example", ""}, {"", ours.Unnamed}} {
			if got := w.Whose(c.site).Why; got != c.want {
				t.Errorf("%q: %q, want %q", c.site, got, c.want)
			}
		}
		w.Figures([]ours.Figure{{Site: "main.example", Count: 85, Clients: 7}, {Site: "bank.example", Count: 5, Clients: 15}}, 10)
		if got := w.Whose("main.example").Why; got != "" {
			t.Errorf("with fewer lines: %q", got)
		}
		byName := start(t, strange(t, &world{asked: map[string]int{}}, nil, "named.example"))
		byName.Figures([]ours.Figure{{Site: "main.example", Count: 95, Clients: 7}}, 0)
		for _, c := range []struct {
			site string
			want ours.Why
		}{{"named.example", ours.Named}, {"main.example", ""}} {
			if got := byName.Whose(c.site).Why; got != c.want {
				t.Errorf("by name, %q: %q, want %q", c.site, got, c.want)
			}
		}
	})
}
