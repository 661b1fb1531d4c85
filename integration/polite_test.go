package integration

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

// watched is a live site that notes when it is asked for what.
type watched struct {
	site *liveSite

	mu     sync.Mutex
	robots string // its robots.txt; "": it has none
	asked  []arrival
}

type arrival struct {
	at     time.Time
	target string
}

func (w *watched) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.asked = append(w.asked, arrival{time.Now(), r.URL.RequestURI()})
	robots := w.robots
	w.mu.Unlock()
	if r.URL.Path == "/robots.txt" && robots != "" {
		fmt.Fprint(out, robots)
		return
	}
	w.site.ServeHTTP(out, r)
}

func (w *watched) arrivals() []arrival {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked)
}

// shortest is the least time between two arrivals.
func shortest(all []arrival) time.Duration {
	least := time.Hour
	for i := range len(all) - 1 {
		least = min(least, all[i+1].at.Sub(all[i].at))
	}
	return least
}

func startWatched(t *testing.T) (w *watched, origin, log string) {
	t.Helper()
	w = &watched{site: newLive()}
	return w, serve(t, w).URL, write(t, "access.log", []byte(liveLog()))
}

const (
	politeDelay = 200 * time.Millisecond
	inexact     = 60 * time.Millisecond // of the moment at which a busy machine notes a request
)

// visitor runs the daemon as politely as it is by itself, but for the times.
func visitor(t *testing.T, origin, log, state string, budget int, args ...string) *running {
	t.Helper()
	return trier(t, origin, log, state, append([]string{"--fetch-delay", politeDelay.String(), "--fetch-budget", fmt.Sprint(budget)}, args...)...)
}

// Killed at any moment and started at once, the daemon never asks for two things at
// a time, nor sooner after the last than the delay, nor for more in an hour than its
// budget, but for what it had asked and not yet saved when it was killed: about one
// request each time.
func TestPoliteOverKills(t *testing.T) {
	t.Parallel()
	const budget, kills, unsaved = 60, 8, 2
	const usable = budget - budget/4 // the rest is for the trial of what is to be published, and nothing is
	w, origin, log := startWatched(t)
	state := t.TempDir()
	for range kills {
		d := visitor(t, origin, log, state, budget)
		time.Sleep(time.Duration(100+rand.IntN(900)) * time.Millisecond)
		d.kill(t)
	}
	d := visitor(t, origin, log, state, budget)
	expect.Poll(patience, func() (int, bool) { n := len(w.arrivals()); return n, n >= usable })
	d.kill(t)
	used := len(w.arrivals())
	d = visitor(t, origin, log, state, budget)
	time.Sleep(3 * time.Second)
	d.kill(t)
	all := w.arrivals()
	if len(all) > used+(kills+1)*unsaved {
		t.Errorf("%d more requests when the hour's were used up", len(all)-used)
	}
	t.Logf("%d requests, a budget of %d, %d kills; %v between two", len(all), budget, kills, shortest(all))
	if len(all) < usable || len(all) > usable+(kills+2)*unsaved {
		t.Errorf("%d requests in an hour, want %d and at most %d more for each of %d kills", len(all), usable, unsaved, kills+2)
	}
	if least := shortest(all); least < politeDelay-inexact {
		t.Errorf("%v between two requests, want %v", least, politeDelay)
	}
	if w.site.most > 1 {
		t.Errorf("%d requests at once", w.site.most)
	}
}

// A daemon that dies of its first request, before anything is saved, and is started
// again and again, asks no faster than one that lives.
func TestPoliteCrashLoop(t *testing.T) {
	t.Parallel()
	const delay = 1500 * time.Millisecond
	w, origin, log := startWatched(t)
	state := t.TempDir()
	for n := 1; n <= 3; n++ {
		d := visitor(t, origin, log, state, 0, "--fetch-delay", delay.String())
		await(t, patience, fmt.Sprint("request ", n), func() (int, bool) { asked := len(w.arrivals()); return asked, asked >= n }, d)
		d.kill(t)
	}
	if least := shortest(w.arrivals()); least < delay-inexact {
		t.Errorf("%v between two requests, want %v", least, delay)
	}
}

// A robots.txt that is another after a restart is obeyed: what it forbids is not
// asked for any more, and the longer delay is kept.
func TestPoliteRobotsChange(t *testing.T) {
	t.Parallel()
	w, origin, log := startWatched(t)
	state := t.TempDir()
	d := visitor(t, origin, log, state, 0)
	asks := func(what string, is func(a arrival) bool, from int) (index int) {
		t.Helper()
		await(t, patience, "a request for "+what, func() ([]arrival, bool) {
			all := w.arrivals()
			index = from + slices.IndexFunc(all[from:], is)
			return all, index >= from
		}, d)
		return index
	}
	forbidden := func(a arrival) bool { return strings.HasPrefix(a.target, "/story?") }
	asks("/story?", forbidden, 0)
	d.kill(t)
	w.mu.Lock()
	w.robots = "User-agent: *\nDisallow: /story?\nCrawl-delay: 1\n"
	before := len(w.asked)
	w.mu.Unlock()
	d = visitor(t, origin, log, state, 0)
	read := asks("robots.txt", func(a arrival) bool { return a.target == "/robots.txt" }, before)
	asks("anything else", func(a arrival) bool { return a.target != "/robots.txt" }, read)
	expect.Poll(patience, func() (int, bool) { n := len(w.arrivals()); return n, n >= read+3 })
	d.kill(t)
	after := w.arrivals()[read:]
	if read != before {
		t.Errorf("asked before robots.txt: %v", w.arrivals()[before:read])
	}
	if i := slices.IndexFunc(after, forbidden); i >= 0 {
		t.Errorf("asked for %s, which robots.txt forbids", after[i].target)
	}
	if least := shortest(after); len(after) < 3 || least < time.Second-inexact {
		t.Errorf("%d requests, %v between two; want several, a second apart", len(after), least)
	}
	if w.site.most > 1 {
		t.Errorf("%d requests at once", w.site.most)
	}
}
