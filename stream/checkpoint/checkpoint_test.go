package checkpoint

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/stream/journal"
)

// counters is a part whose state is a number for each site. An act sets a number.
type counters struct {
	name    string
	now     map[string]string
	changed map[string]bool
	taken   map[string]bool // the changes that are being saved
}

func newCounters(name string) *counters {
	return &counters{name, map[string]string{}, map[string]bool{}, nil}
}

func (c *counters) set(site, mark string) { c.now[site], c.changed[site] = mark, true }

func (c *counters) Changes() iter.Seq[Change] {
	return c.of(func(site string) bool { return c.changed[site] })
}
func (c *counters) All() iter.Seq[Change] { return c.of(func(string) bool { return true }) }
func (c *counters) Saved()                { c.taken = nil }
func (c *counters) Failed()               { maps.Copy(c.changed, c.taken) }

func (c *counters) of(want func(string) bool) iter.Seq[Change] {
	var all []Change
	for site, mark := range c.now {
		if want(site) {
			all = append(all, Act{c.name + site, &book.Act{Approved: mark}})
		}
	}
	c.taken, c.changed = c.changed, map[string]bool{}
	return slices.Values(all)
}

// shaky is a store in memory that may fail after some of the changes.
type shaky struct {
	list      []Change
	bloated   bool
	fail      error // nil: the store works
	after     int   // changes before the failure
	compacted int
}

func (s *shaky) Load() iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		for _, c := range s.list {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func (s *shaky) take(to []Change, changes iter.Seq[Change]) error {
	n := 0
	for c := range changes {
		if n++; s.fail != nil && n > s.after {
			return s.fail
		}
		to = append(to, c)
	}
	if s.fail == nil {
		s.list = to
	}
	return s.fail
}

func (s *shaky) Save(changes iter.Seq[Change]) error { return s.take(slices.Clone(s.list), changes) }

func (s *shaky) Compact(all iter.Seq[Change]) error {
	s.compacted++
	return s.take(nil, all)
}

func (s *shaky) Bloated() bool                { return s.bloated }
func (s *shaky) Size() (now, compacted int64) { return int64(len(s.list)), 0 }

// state folds the changes in a store.
func (s *shaky) state() string {
	marks, at := map[string]string{}, ""
	for _, c := range s.list {
		switch c := c.(type) {
		case Act:
			marks[c.Site] = c.Approved
		case Positions:
			at = string(c)
		}
	}
	return fmt.Sprintf("%v%s", marks, at)
}

// Whatever fails, the store holds the state as of the last checkpoint that did not fail. A
// damaged store, and a store whose compaction failed, is written anew.
func TestCheckpointer(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		store := &shaky{}
		parts := []*counters{newCounters("a"), newCounters("b")}
		c := New(store, parts[0], parts[1])
		marks, want := map[string]string{}, store.state()
		anew := false
		for n := range 40 {
			for range rng.IntN(4) {
				p, site := parts[rng.IntN(2)], fmt.Sprint(rng.IntN(3))
				p.set(site, fmt.Sprint(n))
				marks[p.name+site] = fmt.Sprint(n)
			}
			store.bloated, store.fail, store.after = rng.IntN(6) == 0, nil, rng.IntN(5)
			switch rng.IntN(6) {
			case 0:
				store.fail = errors.New("no room")
			case 1:
				store.fail = fmt.Errorf("save: %w", journal.ErrDamaged)
			}
			before := store.compacted
			write := c.Begin(Positions(fmt.Sprint(n)))
			now := maps.Clone(marks)
			for range rng.IntN(2) { // while the changes are written
				p, site := parts[rng.IntN(2)], fmt.Sprint(rng.IntN(3))
				p.set(site, fmt.Sprint(n, "later"))
				marks[p.name+site] = fmt.Sprint(n, "later")
			}
			err := write()
			c.End(err)
			compacts := store.bloated || anew
			if (err == nil) != (store.fail == nil) || (store.compacted > before) != compacts {
				t.Fatalf("seed %d: %v, compacted %v", seed, err, store.compacted > before)
			}
			anew = err != nil && (compacts || errors.Is(err, journal.ErrDamaged))
			if err == nil {
				want = fmt.Sprintf("%v%d", now, n)
			}
			if got := store.state(); got != want {
				t.Fatalf("seed %d: %s, want %s", seed, got, want)
			}
		}
	}
}
