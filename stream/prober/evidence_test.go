package prober_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/prober"
)

// A verdict has its pairs with what the pages said. They outlive a restart, and no act holds a word of a page.
func TestEvidence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second}
		w := start(t, options(site, nil))
		taken := tried(w, mined(40), time.Hour)
		again := start(t, options(site, nil))
		kept := 0
		for _, c := range taken.changes {
			again.Restore(c)
			switch c := c.(type) {
			case checkpoint.Act:
				if text := string(c.Encode()); strings.Contains(text, "altogether") {
					t.Errorf("an act holds words: %s", text)
				}
			case checkpoint.Evidence:
				kept++
			}
		}
		if kept == 0 {
			t.Fatal("nothing is saved")
		}
		for _, w := range []*worker{w, again} {
			checkEvidence(t, w)
		}
		dumped := 0
		for c := range again.Dump() {
			if _, is := c.(checkpoint.Evidence); is {
				dumped++
			}
		}
		if dumped == 0 || dumped > kept {
			t.Errorf("%d of %d are dumped", dumped, kept)
		}
	})
}

func checkEvidence(t *testing.T, w *worker) {
	t.Helper()
	for _, c := range []struct {
		state rule.State
		words bool
	}{{rule.Valid, false}, {rule.Refuted, true}} {
		d, err := w.Detail(t.Context(), "a.example", lifecycle.Query{State: c.state, Most: 1})
		if err != nil || len(d.Tried) != 1 {
			t.Fatalf("%s: %+v", c.state, d.Tried)
		}
		e := d.Tried[0]
		pairs := d.Pairs[e.ID]
		if len(pairs) != len(e.Verdict.Examples) || len(pairs) == 0 {
			t.Fatalf("%s: %d pairs of %d", c.state, len(pairs), len(e.Verdict.Examples))
		}
		for _, p := range pairs {
			if p.At == 0 || !p.Compared || p.SameText == c.words || (len(p.Words) > 0) != c.words || p.U.Status != 200 || p.U.Link != "http://a.example"+p.U.URL {
				t.Errorf("%s: %+v", c.state, p)
			}
		}
		if one, _ := w.Detail(t.Context(), "a.example", lifecycle.Query{ID: e.ID, Most: 1}); len(one.Tried) != 1 || one.Tried[0].ID != e.ID {
			t.Errorf("the rule alone: %+v", one.Tried)
		}
	}
}

// An operator's look fetches both pages anew and stands beside the pair. Too many at once are refused, and none
// outlives the worker.
func TestLookNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second}
		o := options(site, nil)
		o.Evidence = prober.NewEvidence()
		w := start(t, o)
		taken := tried(w, mined(40), time.Hour)
		d, _ := w.Detail(t.Context(), "a.example", lifecycle.Query{State: rule.Valid, Most: 1})
		id := d.Tried[0].ID
		site.move()
		again := site.again
		seen, err := w.LookNow("a.example", id, 0)
		if err != nil || seen == nil || seen.Outcome != "different" || len(seen.Words) == 0 || site.again != again+2 {
			t.Fatalf("%+v, %v, %d requests", seen, err, site.again-again)
		}
		if d, _ = w.Detail(t.Context(), "a.example", lifecycle.Query{ID: id, Most: 1}); d.Pairs[id][0].Now == nil || d.Pairs[id][0].SameText != true || d.Tried[0].State != rule.Valid {
			t.Errorf("%+v", d.Pairs[id][0])
		}
		saved := false
		for _, c := range drain(w).changes {
			e, is := c.(checkpoint.Evidence)
			saved = saved || is && e.Rule == id && e.Pairs[0].Now != nil
		}
		if !saved {
			t.Error("the look is not saved")
		}
		for _, c := range []struct {
			site, id string
			pair     int
			want     error
		}{{"a.example", id, -1, book.ErrNoPair}, {"a.example", id, 99, book.ErrNoPair}, {"a.example", "x", 0, book.ErrNoPair}, {"c.example", id, 0, prober.ErrNoSite}} {
			if _, err := w.LookNow(c.site, c.id, c.pair); err != c.want {
				t.Errorf("%+v: %v", c, err)
			}
		}
		site.took = time.Minute // a page
		for range 2 {
			if seen, err := w.LookNow("a.example", id, 0); seen != nil || err != nil {
				t.Errorf("a slow look: %+v, %v", seen, err)
			}
		}
		if _, err := w.LookNow("a.example", id, 0); err != book.ErrBusy {
			t.Errorf("one more look: %v", err)
		}
		w.Close()
		if _, err := w.LookNow("a.example", id, 0); err != prober.ErrNoSite {
			t.Errorf("a look after the end: %v", err)
		}
		next, free := start(t, o), 0
		for _, c := range taken.changes {
			next.Restore(c)
		}
		site.took = time.Second
		for range 3 {
			if seen, err := next.LookNow("a.example", id, 0); seen != nil && err == nil {
				free++
			}
		}
		if free != 3 {
			t.Errorf("%d of 3 looks of another worker: the looks before count as under way", free)
		}
	})
}
