package gate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"dustbuster/stream/fetch/gate"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// sequences calls each for all sequences of n numbers below most.
func sequences(n, most int, each func([]int)) {
	all := make([]int, n)
	for {
		each(all)
		i := 0
		for ; i < n; i++ {
			if all[i]++; all[i] < most {
				break
			}
			all[i] = 0
		}
		if i == n {
			return
		}
	}
}

// asked is the history of a gate, from which the plain rules follow.
type asked struct {
	begins []time.Time // of requests, in order
	ends   []time.Time
	holds  []time.Time
	passes int
}

// next is the plain rule: the earliest time at which no earlier request, end or hold forbids the next request.
// Of n requests and the next, the last may begin n delays after the first, less the slack.
func (a *asked) next(g *gate.Gate, now time.Time) time.Time {
	at := gate.Latest(append(slices.Clone(a.holds), now)...)
	for i, begin := range a.begins {
		at = gate.Latest(at, begin.Add(time.Duration(len(a.begins)-i)*g.Delay-g.Slack))
	}
	for _, end := range a.ends {
		at = gate.Latest(at, end.Add(g.Delay))
	}
	return at
}

// opens is the plain rule of passes: a further caller comes after one request for each.
func (a *asked) opens(g *gate.Gate, now time.Time) time.Time {
	later := asked{begins: slices.Clone(a.begins), ends: a.ends, holds: a.holds}
	for range a.passes {
		later.begins = append(later.begins, later.next(g, now))
	}
	return later.next(g, now)
}

// The steps of a small world.
const (
	tick = iota
	take
	end
	holdShort
	holdLong
	pass
	steps
)

// step does the same to a gate and to its history.
func (a *asked) step(t *testing.T, g *gate.Gate, now *time.Time, what int) {
	t.Helper()
	switch what {
	case tick:
		*now = now.Add(time.Second)
	case take:
		want, got := a.next(g, *now), g.Take(*now)
		if !got.Equal(want) {
			t.Fatalf("took %v, want %v", got.Sub(start), want.Sub(start))
		}
		a.begins = append(a.begins, want)
	case end:
		if n := len(a.begins); g.Slack == 0 && n > 0 && !a.begins[n-1].After(*now) {
			g.Last = *now
			a.ends = append(a.ends, *now)
		}
	case holdShort, holdLong:
		until := now.Add(map[int]time.Duration{holdShort: 2, holdLong: 5}[what] * time.Second)
		g.Until(until)
		a.holds = append(a.holds, until)
	case pass:
		g.Passes++
		a.passes++
	}
}

// A gate opens at the time that follows from the plain rules, after all short sequences of requests, ends, holds and passes.
func TestOpensByPlainRules(t *testing.T) {
	for _, c := range []struct {
		name         string
		delay, slack time.Duration
	}{
		{"without a delay", 0, 0},
		{"a second", time.Second, 0},
		{"three seconds", 3 * time.Second, 0},
		{"two at once", 2 * time.Second, 2 * time.Second},
		{"three at once", 2 * time.Second, 4 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			sequences(6, steps, func(all []int) {
				g, a, now := gate.Gate{Delay: c.delay, Slack: c.slack}, asked{}, start
				for _, what := range all {
					a.step(t, &g, &now, what)
					if got, want := gate.Latest(now, g.Opens(now)), a.opens(&g, now); !got.Equal(want) {
						t.Fatalf("%v: opens %v, want %v", all, got.Sub(start), want.Sub(start))
					}
				}
			})
		})
	}
}

// What is settled can be forgotten: a new gate opens at the same time from then on.
func TestSettled(t *testing.T) {
	settled := 0
	sequences(7, pass, func(all []int) {
		g, a, now := gate.Gate{Delay: time.Second}, asked{}, start
		for _, what := range all {
			a.step(t, &g, &now, what)
		}
		if g.Settled(now, g.Delay) {
			settled++
			if at := (&gate.Gate{Delay: time.Second}).Opens(now); gate.Latest(now, g.Opens(now)) != at {
				t.Fatalf("%v: settled, and opens %v after now", all, g.Opens(now).Sub(now))
			}
		} else if !g.Opens(now).After(now) {
			t.Fatalf("%v: open and not settled", all)
		}
	})
	if settled == 0 {
		t.Error("no sequence ends settled")
	}
}

// A rest and a begun period of a budget are not forgotten.
func TestSettledOfSite(t *testing.T) {
	g := gate.Gate{Budget: 9, Period: time.Hour}
	g.Spend(start)
	if g.Settled(start.Add(time.Hour-1), 0) || !g.Settled(start.Add(time.Hour), 0) {
		t.Error("the period does not count")
	}
	g.Rest = start.Add(2 * time.Hour)
	if g.Settled(start.Add(time.Hour), 0) || !g.Settled(start.Add(2*time.Hour), 0) {
		t.Error("the rest does not count")
	}
}

// left is the plain rule of a budget: a period begins with the first request that is in none.
func left(spent []time.Time, now time.Time, budget int, period time.Duration) (n int, renews time.Time) {
	var since time.Time
	for _, at := range spent {
		if since.IsZero() || period > 0 && at.Sub(since) >= period {
			since, n = at, 0
		}
		n++
	}
	switch {
	case since.IsZero() || period > 0 && now.Sub(since) >= period:
		return budget, time.Time{}
	case period == 0:
		return budget - n, time.Time{}
	}
	return budget - n, since.Add(period)
}

func TestBudgetByPlainRules(t *testing.T) {
	for _, c := range []struct {
		name   string
		budget int
		period time.Duration
	}{
		{"one in two seconds", 1, 2 * time.Second},
		{"three in four seconds", 3, 4 * time.Second},
		{"three for ever", 3, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			sequences(12, 2, func(all []int) {
				g, now := gate.Gate{Budget: c.budget, Period: c.period}, start
				var spent []time.Time
				for _, what := range all {
					if what == tick {
						now = now.Add(time.Second)
					} else if g.Left(now) > 0 {
						g.Spend(now)
						spent = append(spent, now)
					}
					n, renews := left(spent, now, c.budget, c.period)
					if g.Left(now) != n || !g.Renews(now).Equal(renews) {
						t.Fatalf("%v: %d left until %v, want %d until %v", all, g.Left(now), g.Renews(now), n, renews)
					}
				}
			})
		})
	}
}

func TestNoBudget(t *testing.T) {
	g := gate.Gate{Period: time.Hour}
	for range 5 {
		g.Spend(start)
	}
	if g.Left(start) != math.MaxInt || !g.Renews(start).IsZero() {
		t.Errorf("%d left until %v", g.Left(start), g.Renews(start))
	}
}

// From the fifth answer of an overloaded server in a row on, each begins a rest, of an hour or as long as it wants.
func TestRestByPlainRules(t *testing.T) {
	wants := []time.Duration{-1, 0, time.Minute, 3 * time.Hour} // -1: another answer
	sequences(7, len(wants), func(all []int) {
		var g gate.Gate
		row := 0
		var until time.Time
		for i, what := range all {
			now, want := start.Add(time.Duration(i)*time.Minute), time.Duration(0)
			if row++; wants[what] < 0 {
				row = 0
			}
			if row >= 5 {
				want = max(time.Hour, wants[what])
				until = now.Add(want)
			}
			if got := g.Answered(now, wants[what] >= 0, wants[what]); got != want || g.Row != row || !g.Rest.Equal(until) {
				t.Fatalf("%v: rest of %v until %v after %d, want %v until %v after %d", all, got, g.Rest, g.Row, want, until, row)
			}
		}
	})
}

// middle is the greater of the two in the middle, of an even number of times.
func middle(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

// pace is the plain rule: the delay doubles for each doubling of the median of the last 10 answers beyond that of
// the first 20, up to a minute.
func pace(took []time.Duration, delay time.Duration) time.Duration {
	if len(took) < 30 {
		return delay
	}
	usual := max(middle(took[:20]), 10*time.Millisecond)
	longer := math.Floor(math.Log2(float64(middle(took[len(took)-10:])) / float64(usual)))
	slow := float64(delay) * math.Exp2(max(0, longer))
	return max(delay, time.Duration(min(slow, float64(time.Minute))))
}

func TestPaceByPlainRules(t *testing.T) {
	answers := []time.Duration{time.Millisecond, 8 * time.Millisecond, 16 * time.Millisecond, 64 * time.Millisecond, 512 * time.Millisecond, 20 * time.Second}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		delay := []time.Duration{1, time.Second, 50 * time.Second, 2 * time.Minute}[rng.IntN(4)]
		g := gate.Gate{Delay: delay}
		var took []time.Duration
		usual := rng.IntN(len(answers))
		for i := range 120 {
			if i%15 == 14 {
				usual = rng.IntN(len(answers))
			}
			d := answers[min(len(answers)-1, usual+rng.IntN(2))]
			g.Took(d)
			took = append(took, d)
			if got, want := g.Pace(), pace(took, delay); got != want {
				t.Fatalf("seed %d: a pace of %v after %v, want %v", seed, got, took, want)
			}
		}
	}
}

// Answers within some milliseconds count as quick, however much quicker the first
// answers were. A longer configured delay stays.
func TestPaceAtLimits(t *testing.T) {
	for _, c := range []struct {
		first, late, delay, want time.Duration
	}{
		{time.Millisecond, 19 * time.Millisecond, time.Second, time.Second},
		{time.Millisecond, 20 * time.Millisecond, time.Second, 2 * time.Second},
		{time.Second, time.Hour, 2 * time.Minute, 2 * time.Minute},
		{time.Second, time.Hour, 50 * time.Second, time.Minute},
		{time.Second, 0, time.Second, time.Second},
	} {
		t.Run(fmt.Sprintf("%v, then %v, at %v", c.first, c.late, c.delay), func(t *testing.T) {
			g := gate.Gate{Delay: c.delay}
			for range 20 {
				g.Took(c.first)
			}
			for range 10 {
				g.Took(c.late)
			}
			if got := g.Pace(); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			if at := g.Take(start); !g.Opens(start).Equal(at.Add(c.want)) {
				t.Errorf("opens %v after a request", g.Opens(start).Sub(at))
			}
		})
	}
}

// News tell once that answers are slow, and once that they are quick again. Answers under half a second are not
// told as slow, and neither is a delay of nanoseconds, which stands for none.
func TestNews(t *testing.T) {
	for _, c := range []struct {
		name    string
		delay   time.Duration
		answers []time.Duration // ms, 15 of each after 20 of the first
		want    []string
	}{
		{"slow, slower, quick, slow", time.Second, []time.Duration{300, 590, 610, 1250, 320, 610}, []string{"slowed 610ms 2s", "slowed 1.25s 4s", "recovered 320ms 1s", "slowed 610ms 2s"}},
		{"hardly quicker than slow", time.Second, []time.Duration{300, 610, 500, 610, 440}, []string{"slowed 610ms 2s", "recovered 440ms 1s"}},
		{"under half a second", time.Second, []time.Duration{20, 490}, nil},
		{"half a second", time.Second, []time.Duration{20, 500}, []string{"slowed 500ms 16s"}},
		{"without a delay", 1, []time.Duration{20, 20_000}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gate.Gate{Delay: c.delay}
			var told []string
			for i, d := range c.answers {
				for range 15 + 5*max(0, 1-i) {
					if news, median := g.Took(d * time.Millisecond); news != gate.Nothing {
						told = append(told, fmt.Sprint([]string{"", "slowed ", "recovered "}[news], median, " ", g.Pace()))
					}
				}
			}
			if !slices.Equal(told, c.want) {
				t.Errorf("told %q, want %q", told, c.want)
			}
		})
	}
}
