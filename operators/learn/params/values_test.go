package params

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
)

// TestValuesAcrossTheLimit moves a parameter's values across every limit and back, with
// pages of unknown size that do not affect the rules otherwise.
func TestValuesAcrossTheLimit(t *testing.T) {
	o := Options{MaxValues: 2}
	w := newWorld(o)
	for i := range 3 { // n does not matter where m=1, and matters elsewhere
		w.Set(fmt.Sprintf("/%d?m=1", i), worlds.Size(100))
		w.Set(fmt.Sprintf("/%d?m=1&n=1", i), worlds.Size(100))
		w.Set(fmt.Sprintf("/%d?m=2", i), worlds.Size(100))
		w.Set(fmt.Sprintf("/%d?m=2&n=1", i), worlds.Size(900))
	}
	w.verify(t)
	byValue := drop("n", rule.Scope{Where: rule.Where("m", "1")}, 3, 3)
	listed := func() bool { return slices.Contains(w.x.Likely(), byValue) }
	if !listed() {
		t.Fatalf("no %v in %v", byValue, w.x.Likely())
	}
	const far = 3 * trackedFactor
	for round := range 3 {
		for v := range far {
			w.Set(fmt.Sprintf("/more?m=x%d", v), nil)
			w.verify(t)
			if listed() {
				t.Fatalf("round %d: listed with %d values", round, v+3)
			}
		}
		for v := range far {
			w.Drop(fmt.Sprintf("/more?m=x%d", v))
			if v%7 == round {
				w.verify(t)
			}
		}
		w.verify(t)
		if !listed() {
			t.Fatalf("round %d: not listed again", round)
		}
	}
}

// TestFloorAtTheLimit removes exactly the excess values, so that the floor falls to the
// limit and no further.
func TestFloorAtTheLimit(t *testing.T) {
	w := newWorld(Options{MinSupport: 1, MaxValues: 2})
	w.x.tracked = 3
	w.Set("/?m=1", worlds.Size(100))
	w.Set("/?m=1&n=1", worlds.Size(100))
	w.Set("/q?m=9", worlds.Size(100))
	w.Set("/q?m=9&n=1", worlds.Size(900))
	w.verify(t)
	for _, v := range []string{"2", "3"} {
		w.Set("/more?m="+v, nil)
	}
	w.Set("/?m=9", nil)
	w.verify(t)
	if v := w.x.values["m"]; v.counts != nil {
		t.Fatalf("%d values are counted one by one", len(v.counts))
	}
	for _, v := range []string{"2", "3"} {
		w.Drop("/more?m=" + v)
	}
	w.verify(t)
}

// TestOncePerScope: a group counts once in a scope that its rest names twice.
func TestOncePerScope(t *testing.T) {
	w := newWorld(Options{})
	for i := range 3 {
		for _, c := range []struct {
			name string
			with int64
		}{{"m=1&m=1", 100}, {"m=2", 70}, {"m=3;m=3;m&m", 120}} {
			w.Set(fmt.Sprintf("/%d?%s", i, c.name), worlds.Size(100))
			w.Set(fmt.Sprintf("/%d?%s&n=1", i, c.name), worlds.Size(c.with))
		}
	}
	w.verify(t)
	if got := w.x.Likely(); len(got) != 1 || got[0] != drop("n", rule.Scope{Where: rule.Where("m", "1")}, 3, 3) {
		t.Errorf("%v", got)
	}
}

// TestManyParameters: a URL of more than 32 parameters is in no group, but its values
// count.
func TestManyParameters(t *testing.T) {
	w := newWorld(Options{})
	url := "/?n=1"
	for i := range 31 {
		url += fmt.Sprint("&m=", i)
	}
	w.Set(url, worlds.Size(1)) // 32
	if s := w.x.Stats(); s.Groups != 2 {
		t.Errorf("32 parameters: %+v", s)
	}
	w.Set(url+"&z", worlds.Size(1))
	if s := w.x.Stats(); s.Groups != 2 {
		t.Errorf("33 parameters: %+v", s)
	}
	for i := range 4 {
		w.Set(fmt.Sprintf("/%d?m=0&n=0", i), worlds.Size(5))
		w.Set(fmt.Sprintf("/%d?m=0", i), worlds.Size(5))
	}
	w.verify(t)
	for i := range 40 {
		long := "/x?"
		for j := range 33 {
			long += fmt.Sprintf("&m=%d", i+j)
		}
		w.Set(long, nil)
		w.verify(t)
	}
}

// TestCompare compares a list in order: support, kind of scope, then parameter, path, the
// scope's parameter and its value.
func TestCompare(t *testing.T) {
	path := func(p string) rule.Scope { return rule.Scope{Path: p, HasPath: true} }
	value := func(m, v string) rule.Scope { return rule.Scope{Where: rule.Where(m, v)} }
	list := []rule.Likely{
		drop("z", path("/z"), 9, 9),
		drop("n", rule.Scope{}, 3, 3),
		drop("o", rule.Scope{}, 3, 3),
		drop("a", path("/"), 3, 3),
		drop("a", path("/a"), 3, 3),
		drop("b", path(""), 3, 3),
		drop("a", value("m", ""), 3, 3),
		drop("a", value("m", "1"), 3, 3),
		drop("a", value("o", "0"), 3, 3),
		drop("a", rule.Scope{Path: "/", HasPath: true, Where: rule.With("m")}, 3, 3),
		drop("a", rule.Scope{Path: "/", HasPath: true, Where: rule.With("o")}, 3, 3),
		drop("A", rule.Scope{Path: "/", HasPath: true, Where: rule.Where("m", "1")}, 3, 3),
		drop("a", rule.Scope{Path: "/", HasPath: true, Where: rule.Where("m", "1")}, 3, 3),
		drop("a", rule.Scope{}, 2, 2),
	}
	for i, a := range list {
		for j, b := range list {
			if got := rule.Compare(a, b); got != cmp.Compare(i, j) {
				t.Errorf("%v and %v compare as %d", a, b, got)
			}
		}
	}
}

// TestTableFollowsItsContents compares a table with a map, with colliding tags, and
// checks that the table's memory shrinks with its contents.
func TestTableFollowsItsContents(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	tab, held := newTable(), map[uint32]uint32{} // id -> tag
	for id := uint32(1); id <= 5000; id++ {
		tag := r.Uint32N(500) * 0x01010101
		tab.insert(tag, id)
		held[id] = tag
	}
	large := len(tab.slots)
	for id := uint32(1); id <= 5000; id++ {
		if id%7 != 0 || id > 100 {
			tab.remove(held[id], id)
			delete(held, id)
		}
		if id%500 == 0 {
			checkTable(t, &tab, held)
		}
	}
	if tab.used != len(held) || len(tab.slots) > large/16 {
		t.Errorf("%d places of %d for %d entries, %d held", len(tab.slots), large, tab.used, len(held))
	}
}

func checkTable(t *testing.T, tab *table, held map[uint32]uint32) {
	t.Helper()
	for id, tag := range held {
		if tab.slots[tab.place(tag, id)].id != id {
			t.Fatalf("number %d is not under its tag", id)
		}
	}
}
