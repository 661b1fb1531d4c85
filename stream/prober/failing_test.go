package prober_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule"
	"dustbuster/stream/fetch"
)

// outage is a world that is down at times.
type outage struct {
	*world
	mu   sync.Mutex
	how  func() (fetch.Document, error) // nil: it is up
	made []time.Time                    // requests while it is down
}

func (o *outage) Get(ctx context.Context, q fetch.Request) (fetch.Document, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.how == nil {
		return o.world.Get(ctx, q)
	}
	time.Sleep(time.Second)
	o.made = append(o.made, time.Now())
	return o.how()
}

// since returns the number of requests while it is down, from a time on.
func (o *outage) since(at time.Time) (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, made := range o.made {
		if !made.Before(at) {
			n++
		}
	}
	return n
}

func (o *outage) set(how func() (fetch.Document, error)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.how = how
}

// A server that gives no answer, or that says that it cannot, is left alone after ten pages, for an hour, then for two. Then
// one page is asked for each time. Once it answers, the rules are tried.
func TestServerIsDown(t *testing.T) {
	for _, c := range []struct {
		name string
		how  func() (fetch.Document, error)
	}{
		{"no answer", func() (fetch.Document, error) { return fetch.Document{}, &fetch.Error{Reason: fetch.Timeout} }},
		{"no connection", func() (fetch.Document, error) { return fetch.Document{}, &fetch.Error{Reason: fetch.Network} }},
		{"status 500", func() (fetch.Document, error) { return fetch.Document{Status: 500, At: time.Now()}, nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				site := &outage{world: &world{asked: map[string]int{}}}
				site.set(c.how)
				o := options(site.world, nil)
				o.Fetcher = site
				w := start(t, o)
				m := mined(40)
				live := func(d time.Duration) {
					for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(time.Minute) {
						if w.Needs("a.example") {
							give(w, m)
						}
					}
				}
				begun := time.Now()
				live(50 * time.Minute)
				if n, now := site.since(begun), nowOfA(w); n != 11 || now.Why != lifecycle.Failing {
					t.Fatalf("%d requests, want 11: %+v", n, now)
				}
				for _, hours := range []time.Duration{2, 4} {
					last := time.Now()
					live(hours * time.Hour)
					if n := site.since(last); n != 1 {
						t.Errorf("%d requests in the next %d hours, want 1", n, hours)
					}
				}
				site.set(nil)
				live(9 * time.Hour)
				if s := w.Status()["a.example"]; s.States[rule.Valid] != 1 {
					t.Errorf("after the outage: %+v", s.States)
				}
			})
		})
	}
}
