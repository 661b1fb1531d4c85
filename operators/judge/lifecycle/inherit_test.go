package lifecycle

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
)

// What a view takes over from the view before it is what it would compute itself, whatever joins or leaves L.
func TestInherit(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("shop ", seed), func(t *testing.T) { inheritShop(t, seed) })
	}
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("town ", seed), func(t *testing.T) {
			w := &town{madeup.NewTown(25)}
			inherit(t, w.machine(madeup.Options()), rand.New(rand.NewPCG(seed, 1)))
		})
	}
}

func inheritShop(t *testing.T, seed uint64) {
	mined := miner.New("", madeup.MinerOptions())
	log := madeup.NewShop(seed, 400).Log
	for i := range log {
		mined.Fold(&log[i])
	}
	o := madeup.Options()
	m := New("", o)
	m.Load(forms.WindowOf(mined), forms.Candidates(mined.AllRules()))
	if n := inherit(t, m, rand.New(rand.NewPCG(seed, 2))); n == 0 {
		t.Error("no pair has a stand-in")
	}
}

// inherit lets rules join and leave L at random, some of them undoing others, and compares the views.
func inherit(t *testing.T, m *Machine, rng *rand.Rand) (standIns int) {
	t.Helper()
	m.derive(1)
	all := slices.Clone(m.candidates)
	for _, c := range m.candidates {
		if back, has := c.Rule.Reverse(); has {
			all = append(all, book.Candidate{ID: rule.ID(m.book.Site, &back), Rule: back})
		}
	}
	kept := 0
	for range 12 {
		for i := range all {
			if rng.IntN(4) > 0 {
				m.view.Gain(&all[i])
			}
			if rng.IntN(4) == 0 {
				m.view.Drawing(&all[i])
			}
		}
		e := &book.Entry{State: rule.Valid, Rank: m.book.LastRank() + 1, Verdict: rule.Verdict{Samples: 60}}
		if n := len(m.view.List); n > 0 && rng.IntN(3) == 0 {
			*e = *m.view.List[rng.IntN(n)]
			e.State = rule.Undecided
		} else {
			c := all[rng.IntN(len(all))]
			e.ID, e.Rule = c.ID, c.Rule
		}
		m.do(book.Act{Rule: e})
		m.derive(1)
		plain, _ := forms.NewView(m.book, m.window, m.guard, m.view.List)
		plain.Now = m.view.Now
		kept += m.view.Kept()
		for i := range all {
			compareViews(t, m.view, plain, &all[i])
			standIns += comparePrivacy(t, m.view, plain, &all[i])
		}
	}
	if kept < 20 {
		t.Errorf("only %d findings were taken over", kept)
	}
	return standIns
}

func compareViews(t *testing.T, got, want *forms.View, c *book.Candidate) {
	t.Helper()
	switch {
	case got.Gain(c) != want.Gain(c):
		t.Fatalf("%s gains %d, want %d", c.Rule.Words(), got.Gain(c), want.Gain(c))
	case got.Shortfall(c) != want.Shortfall(c):
		t.Fatalf("%s: %+v, want %+v", c.Rule.Words(), got.Shortfall(c), want.Shortfall(c))
	case !slices.Equal(got.Moves(c), want.Moves(c)):
		t.Fatalf("%s: moves %+v, want %+v", c.Rule.Words(), got.Moves(c), want.Moves(c))
	case !reflect.DeepEqual(got.Drawing(c), want.Drawing(c)):
		t.Fatalf("%s: %+v, want %+v", c.Rule.Words(), got.Drawing(c), want.Drawing(c))
	}
	moves := want.Moves(c)
	if all, safe := want.Forms.Moves(&c.Rule, want.Forms.Everything()); !safe && len(moves) > 0 || safe && !slices.Equal(moves, all) {
		t.Fatalf("%s: moves %+v, want %+v (safe: %v)", c.Rule.Words(), moves, all, safe)
	}
	asks := want.Asks(want.Forms, &c.Rule, moves)
	pairs, barred := want.Pairs(want.Forms, moves, asks) // those that were drawn just now
	if again, b := want.Pairs(want.Forms, moves, asks); !reflect.DeepEqual(pairs, again) || barred != b {
		t.Fatalf("%s: drawn pairs %+v, want %+v", c.Rule.Words(), pairs, again)
	}
}

// comparePrivacy compares what is kept of each move with what the guard says of its pair.
func comparePrivacy(t *testing.T, got, plain *forms.View, c *book.Candidate) (standIns int) {
	t.Helper()
	moves := got.Moves(c)
	kept, asks := got.Asks(got.Forms, &c.Rule, moves), plain.Asks(plain.Forms, &c.Rule, slices.Clone(moves))
	for i := range moves {
		u, v := got.Forms.Rep(moves[i].Form), moves[i].To
		p := kept.OfMove(i)
		if want := asks.Privacy(u, v); p != want {
			t.Fatalf("%s: the privacy of %s and %s is %d, want %d", c.Rule.Words(), u, v, p, want)
		}
		ask, ok := asks.URL(u, v, "")
		if ok != (p == forms.Public) || got.Guard.Allows(u, v) != (ok && ask == u) {
			t.Fatalf("%s: the guard allows %s and %s: %v, stand-in %q, privacy %d", c.Rule.Words(), u, v, got.Guard.Allows(u, v), ask, p)
		}
		if ok && ask != u {
			standIns++
		}
	}
	return standIns
}

// What is kept is bounded by the URLs of the window, and counted as memory of the machine.
func TestKeptIsBounded(t *testing.T) {
	w := newTown(40)
	m := w.machine(madeup.Options())
	m.derive(1)
	before := m.Bytes()
	for i := range 400 {
		r := rule.Rule{Edit: rule.Set{Param: "sort", Value: fmt.Sprint(i)}}
		m.view.Gain(&book.Candidate{ID: rule.ID("town", &r), Rule: r})
	}
	urls := int64(len(w.Pages))
	if more := m.Bytes() - before; more < 1000*urls || more > 8000*urls+1<<20 {
		t.Errorf("%d bytes for each of %d URLs", more/urls, urls)
	}
	c := book.Candidate{ID: rule.ID("town", &m.candidates[0].Rule), Rule: m.candidates[0].Rule}
	m.view.Gain(&c)
	before = m.Bytes()
	if m.view.Drawing(&c); m.Bytes() <= before {
		t.Error("the pairs that were drawn are not counted")
	}
}
