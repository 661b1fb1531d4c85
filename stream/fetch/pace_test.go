package fetch_test

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"dustbuster/stream/fetch"
)

// begins are the times of the requests to a world, in order.
func begins(visits []visit) (at []time.Time) {
	for _, v := range visits {
		at = append(at, v.begin)
	}
	slices.SortFunc(at, time.Time.Compare)
	return at
}

// Hosts behind one origin are asked side by side: each with its own delay, all of them an origin delay apart.
func TestOriginDelay(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		w.slow = 300 * time.Millisecond
		f := w.fetcher(fetch.Options{Origin: "http://10.0.0.1", Delay: time.Second, OriginDelay: 5 * time.Millisecond})
		const hosts, targets = 40, 5
		var all sync.WaitGroup
		for i := range hosts * targets {
			all.Go(func() { get(t, f, fmt.Sprintf("h%d.example.org", i%hosts), fmt.Sprintf("/%d", i/hosts)) })
		}
		began := time.Now()
		all.Wait()
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%d requests to each of %d hosts took %v", targets+1, hosts, took)
		}
		visits := w.seen(time.Second) // checks the delays of hosts
		at := begins(visits)
		for i := 1; i < len(at); i++ {
			if d := at[i].Sub(at[i-1]); d < 5*time.Millisecond {
				t.Fatalf("request %d came %v after the one before", i, d)
			}
		}
		if len(at) != hosts*(targets+1) {
			t.Errorf("%d requests", len(at))
		}
	})
}

// If one host behind an origin wants a rest, the other hosts are asked after ten origin delays.
func TestOriginDelayRest(t *testing.T) {
	busy := func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "busy.example.org" {
			w.Header().Set("Retry-After", "600")
			w.WriteHeader(503)
		}
	}
	inWorld(t, busy, func(t *testing.T, w *world) {
		f := w.fetcher(fetch.Options{Origin: "http://10.0.0.1", Delay: time.Second, OriginDelay: 5 * time.Millisecond})
		for _, host := range []string{"busy", "other"} {
			get(t, f, host+".example.org", "/a") // robots.txt comes first
		}
		began := time.Now()
		get(t, f, "busy.example.org", "/b")
		if d := time.Since(began); d < 590*time.Second {
			t.Errorf("the busy host was asked again after %v", d)
		}
		last := began
		for _, v := range w.seen(time.Second) {
			if v.host == "other.example.org" && v.begin.Sub(last) > 0 {
				t.Errorf("the other host waited until %v after the start", v.begin.Sub(began))
			}
		}
	})
}

// All requests together are at most as many a second as Rate allows, and not much fewer.
func TestRate(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		const rate, hosts, targets = 20, 50, 6
		f := w.fetcher(fetch.Options{Delay: 10 * time.Millisecond, Rate: rate})
		var all sync.WaitGroup
		for i := range hosts * targets {
			all.Go(func() { get(t, f, fmt.Sprintf("h%d.example.org", i%hosts), fmt.Sprintf("/%d", i/hosts)) })
		}
		all.Wait()
		at := begins(w.seen(10 * time.Millisecond))
		if len(at) != hosts*(targets+1) {
			t.Fatalf("%d requests", len(at))
		}
		for i := range at {
			if n := i + rate + int(math.Ceil(rate*fetch.Burst)); n < len(at) && at[n].Sub(at[i]) < time.Second {
				t.Fatalf("%d requests within %v", n-i+1, at[n].Sub(at[i]))
			}
		}
		if took := at[len(at)-1].Sub(at[0]); took > time.Duration(len(at)+1)*time.Second/rate {
			t.Errorf("%d requests took %v", len(at), took)
		}
	})
}

// A pass counts like a request until the request is made or the pass ends, and further passes wait for it.
func TestPass(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		f := w.fetcher(fetch.Options{Origin: "http://10.0.0.1", Delay: time.Second, OriginDelay: 100 * time.Millisecond, Rate: 10})
		get(t, f, "a.example.org", "/") // robots.txt is known
		time.Sleep(time.Minute)
		origin := f.Origin("a.example.org")
		isOpen := func() (process, behind bool) {
			now := time.Now()
			return !f.Opens("").After(now), !f.Opens(origin).After(now)
		}
		expectOpen := func(when string, want bool) {
			t.Helper()
			if process, behind := isOpen(); process != want || behind != want {
				t.Errorf("%s: open %v, %v", when, process, behind)
			}
		}
		expectOpen("at first", true)
		_, end := f.Pass("a.example.org")
		expectOpen("with a pass", false)
		end()
		end()
		expectOpen("after the pass", true)
		pass, end := f.Pass("a.example.org")
		if _, err := f.Get(t.Context(), fetch.Request{Site: "a.example.org", Target: "/b", Pass: pass}); err != nil {
			t.Fatal(err)
		}
		expectOpen("after the request", false)
		time.Sleep(100 * time.Millisecond)
		expectOpen("after the origin delay", true)
		if ready := f.Limits("a.example.org").Ready; time.Until(ready) != 900*time.Millisecond {
			t.Errorf("the host may be asked in %v", time.Until(ready))
		}
		end()
		expectOpen("after the end of the pass", true)
	})
}
