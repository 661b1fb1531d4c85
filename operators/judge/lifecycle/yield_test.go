package lifecycle_test

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// falseTown has many rules, each of which merges few of many URLs and is false.
func falseTown() (w *town, rules []rule.Rule) {
	w = noTown()
	for dir := range 420 {
		rules = append(rules, rule.Rule{Edit: rule.Drop{Param: fmt.Sprint("x", dir)}})
		for i := range 12 {
			size := int64(9000 + 997*i + 13*dir)
			w.Add(fmt.Sprintf("/d%d/p%d?id=%d", dir, i, 100*dir+i), fmt.Sprint("one ", dir, i), size)
			w.Add(fmt.Sprintf("/d%d/p%d?id=%d&x%d=1", dir, i, 100*dir+i, dir), fmt.Sprint("other ", dir, i), size)
		}
	}
	for i := range 6_000 {
		w.Text[fmt.Sprint("/rest/", i)] = fmt.Sprint("rest ", i)
		w.Pages = append(w.Pages, evidence.Page{URL: fmt.Sprint("/rest/", i)}) // of no known size
	}
	return w, rules
}

// Where the last requests brought nothing and the candidates promise no more, trials rest for an hour, then for two, up
// to a day, and the reason is told.
func TestLittleLeft(t *testing.T) {
	t.Parallel()
	w, rules := falseTown()
	m := given(madeup.Options(), w, rules...)
	now, asked := int64(1_000_000), 0
	run := func() int {
		before := asked
		for look, ok := m.Next(now); ok; look, ok = m.Next(now) {
			asked += 2
			m.Dialogue.Outcome(look, w.see(m, look), 1, now)
			now++
		}
		return asked - before
	}
	first := run()
	if s := m.Answers.Status(); s.Now.Why != lifecycle.LittleLeft || s.Open == 0 {
		t.Fatalf("after %d requests: %+v, %d open", first, s.Now, s.Open)
	}
	for _, hours := range []int64{1, 2} {
		until := m.Answers.Status().Now.Until
		if rests := until - now; rests > hours*book.Hour || rests < hours*book.Hour-book.Hour/2 {
			t.Errorf("rests for %d s, want %d hours", rests, hours)
		}
		if now = until - 1; run() > 0 {
			t.Error("tried during the rest")
		}
		if now = until; hours == 1 && run() < 250 {
			t.Error("hardly tried after the rest")
		}
	}
}
