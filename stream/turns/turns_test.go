package turns

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// plain gives turns by looking at all sites.
type plain struct {
	sites  []*Site
	put    int
	unfair int
}

func (p *plain) add(s *Site, now time.Time) {
	if s.order == 0 {
		p.put++
		s.order = p.put
	}
	s.since = now
	p.sites = append(p.sites, s)
}

func (p *plain) next(now time.Time, l Limits) *Site {
	may := slices.DeleteFunc(slices.Clone(p.sites), func(s *Site) bool { return s.Ready.After(now) || l.opens(s.Origin).After(now) })
	late := slices.DeleteFunc(slices.Clone(may), func(s *Site) bool { return s.late().After(now) })
	best := slices.DeleteFunc(may, func(s *Site) bool { return !l.Room && !s.Rank.Begun })
	by := func(list int) func(a, b *Site) int {
		return func(a, b *Site) int { return map[bool]int{true: -1, false: 1}[comesFirst(list, a, b)] }
	}
	var s *Site
	switch {
	case len(late) > 0 && p.unfair >= FairShare-1:
		s, p.unfair = slices.MinFunc(late, by(byDeadline)), 0
	case len(best) > 0:
		s = slices.MinFunc(best, by(byRank))
		p.unfair++
	default:
		return nil
	}
	s.had = true
	p.sites = slices.DeleteFunc(p.sites, func(o *Site) bool { return o == s })
	return s
}

// A Queue gives the turns that one gets by sorting all sites, over random worlds; and Wake is never too late.
func TestPlain(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		q, p := &Queue{}, &plain{}
		now := time.Unix(1e9, 0)
		opens := map[string]time.Time{}
		twins := map[*Site]*Site{} // of the queue: of the plain list
		var out []*Site
		for i := range 1 + rng.IntN(30) {
			out = append(out, &Site{Of: i, Origin: []string{"", "a", "b", "c", "d"}[rng.IntN(5)]})
		}
		for step := range 400 {
			now = now.Add(time.Duration(rng.IntN(4)) * time.Duration(rng.IntN(2000)+1) * time.Second / 2)
			for _, name := range []string{"a", "b", "c", "d"} {
				if rng.IntN(5) == 0 {
					opens[name] = now.Add(time.Duration(rng.IntN(3)) * time.Second)
				}
			}
			l := Limits{Opens: func(name string) time.Time { return opens[name] }, Room: rng.IntN(3) > 0}
			if n := len(out); n > 0 && rng.IntN(3) > 0 {
				s := out[n-1]
				out = out[:n-1]
				s.Rank = Rank{rng.IntN(2) == 0, rng.IntN(2) == 0, float64(rng.IntN(3))}
				s.Ready = now.Add(time.Duration(rng.IntN(3)-1) * time.Second)
				twin := twins[s]
				if twin == nil {
					twin = &Site{Of: s.Of, Origin: s.Origin}
					twins[s] = twin
				}
				twin.Rank, twin.Ready = s.Rank, s.Ready
				q.Put(s, now)
				p.add(twin, now)
			}
			wake := q.Wake(l)
			got, want := q.Next(now, l), p.next(now, l)
			if (got == nil) != (want == nil) || got != nil && got.Of != want.Of {
				t.Fatalf("seed %d, step %d: site %v, want %v", seed, step, got, want)
			}
			if got == nil {
				if wake := q.Wake(l); !wake.IsZero() && !wake.After(now) {
					t.Fatalf("seed %d, step %d: no site has a turn at %v, and Wake says %v", seed, step, now, wake)
				}
				continue
			}
			if out = append(out, got); (l.Room || got.Rank.Begun) && (wake.IsZero() || wake.After(now)) {
				t.Fatalf("seed %d, step %d: a site had a turn at %v, and Wake says %v", seed, step, now, wake)
			}
		}
		if n := q.Need(); n.Waiting > len(p.sites) {
			t.Fatalf("seed %d: %d sites wait of %d", seed, n.Waiting, len(p.sites))
		}
	}
}

// world is a process with a rate: each turn of a site brings its verdict closer.
type world struct {
	q     Queue
	now   time.Time
	left  map[*Site]int // turns until the first list
	waits map[*Site]time.Time
	lists []int         // the sites, by the time of their lists
	first time.Duration // longest wait for a first turn
	again time.Duration // the same for later turns
}

func newWorld(sites, turns int) *world {
	w := &world{now: time.Unix(1e9, 0), left: map[*Site]int{}, waits: map[*Site]time.Time{}}
	for i := range sites {
		s := &Site{Of: i, Rank: Rank{First: true, Expected: 1}}
		w.left[s], w.waits[s] = turns, w.now
		w.q.Put(s, w.now)
	}
	return w
}

// run gives turns at a rate for some time, with a delay between the turns of one site.
func (w *world) run(rate float64, delay, d time.Duration) {
	l := Limits{Room: true}
	for end := w.now.Add(d); w.now.Before(end); w.now = w.now.Add(time.Duration(float64(time.Second) / rate)) {
		s := w.q.Next(w.now, l)
		if s == nil {
			continue
		}
		wait := w.now.Sub(w.waits[s])
		if w.left[s]--; s.Rank.Begun || w.left[s] < 0 {
			w.again = max(w.again, wait)
		} else {
			w.first = max(w.first, wait)
		}
		if w.left[s] == 0 {
			w.lists = append(w.lists, s.Of.(int))
		}
		s.Rank, s.Ready = Rank{Begun: w.left[s] > 0, First: w.left[s] > 0, Expected: 1}, w.now.Add(delay)
		w.waits[s] = w.now
		w.q.Put(s, w.now)
	}
}

// Sites finish one after the other: with half of the turns that all need, half of the sites have lists.
func TestOneAfterTheOther(t *testing.T) {
	w := newWorld(1000, 40)
	w.run(100, time.Second, 200*time.Second) // 20,000 turns of 40,000
	if n := len(w.lists); n < 450 || n > 500 || !slices.IsSorted(w.lists[:100]) && w.lists[0] > 200 {
		t.Errorf("%d of 1000 sites have lists with half of the turns: %v", n, w.lists[:min(n, 10)])
	}
}

// At the rate that Need names no site waits longer than the longest wait, and at a tenth of it some do.
func TestNeed(t *testing.T) {
	for _, c := range []struct {
		share float64
		holds bool
	}{{1, true}, {0.1, false}} {
		w := newWorld(2000, 1_000_000)
		rate := w.q.Need().Rate
		if want := FairShare * 2000.0 / 1800; rate != want {
			t.Errorf("2000 new sites need %v turns a second, want %v", rate, want)
		}
		w.run(c.share*rate, time.Second, 3*time.Hour)
		fresh := w.q.Need().Fresh
		if holds := w.first <= LongestFirst && fresh == 0; holds != c.holds {
			t.Errorf("at %.1f of the rate a site waits %v for its first turn, %d still", c.share, w.first, fresh)
		}
		for s := range w.left { // all have a list, and further rules
			w.left[s] = 0
		}
		if c.holds {
			w.run(c.share*rate, time.Second, 50*time.Hour)
			if w.again > LongestAgain {
				t.Errorf("at the rate a site waits %v", w.again)
			}
		}
	}
}

// A trial under way comes first, then a first list, then the expected gain.
func TestRank(t *testing.T) {
	ranks := []Rank{{true, true, 1}, {true, false, 5}, {true, false, 4}, {false, true, 3}, {false, true, 2}, {false, false, 9}}
	for i, a := range ranks {
		for j, b := range ranks {
			if got := a.compare(b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%+v, %+v: %d", a, b, got)
			}
		}
	}
}

// A site that leaves the queue has no turn, and one that gets another rank its place.
func TestRemove(t *testing.T) {
	q, now := &Queue{}, time.Unix(1e9, 0)
	var sites []*Site
	for i := range 3 {
		sites = append(sites, &Site{Of: i, Rank: Rank{Expected: float64(i)}})
		q.Put(sites[i], now)
	}
	q.Remove(sites[2])
	q.Rerank(sites[0], Rank{Expected: 9})
	if n := q.Need(); n.Waiting != 2 || n.Fresh != 2 { // the first expected nothing before
		t.Errorf("need %+v", n)
	}
	var got []any
	for s := q.Next(now, Limits{Room: true}); s != nil; s = q.Next(now, Limits{Room: true}) {
		got = append(got, s.Of)
	}
	if fmt.Sprint(got) != "[0 1]" {
		t.Errorf("turns of %v", got)
	}
}

func BenchmarkNext(b *testing.B) {
	for _, c := range []struct {
		sites int
		own   bool // each site has an origin of its own
	}{{1_000, false}, {100_000, false}, {1_000, true}, {100_000, true}} {
		b.Run(fmt.Sprintf("%d,own=%v", c.sites, c.own), func(b *testing.B) {
			w := newWorld(c.sites, 1_000_000)
			for s := range w.left {
				if w.q.Remove(s); c.own {
					s.Origin = fmt.Sprint(s.Of)
				}
				w.q.Put(s, w.now)
			}
			l := Limits{Room: true, Opens: func(string) time.Time { return time.Time{} }}
			for b.Loop() {
				s := w.q.Next(w.now, l)
				_ = w.q.Wake(Limits{Opens: l.Opens}) // as when there is no room
				s.Rank.Begun, s.Ready = true, w.now.Add(time.Second)
				w.q.Put(s, w.now)
				w.now = w.now.Add(10 * time.Millisecond)
			}
		})
	}
}
