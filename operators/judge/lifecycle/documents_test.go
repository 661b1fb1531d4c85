package lifecycle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// The memory of documents and the numbers of second looks and of unsteady ones are those of the
// results kept, whatever was put and forgotten before, and after a restart.
func TestDocuments(t *testing.T) {
	o := madeup.Options()
	o.MaxPairs = 40
	m := New("town", o)
	rng := rand.New(rand.NewPCG(3, 4))
	keys := m.book.Memory.Keys
	alike := func(a float64) trial.Seen { return trial.Seen{Compared: &trial.Compared{Alike: a}} }
	for at := range int64(400) {
		u, v := fmt.Sprint("/u", rng.IntN(30)), fmt.Sprint("/v", rng.IntN(30))
		s := alike(0.5)
		p := book.PairAct{Key: keys.Pair(u, v), At: at, Looks: book.Looks{Seen: s, URLs: keys.Requested(u, v, &s)}}
		if rng.IntN(4) == 0 {
			p.Seen = madeup.Judged(trial.Skip, trial.SourceFailed)
			p.URLs = keys.Requested(u, v, &p.Seen)
		} else if rng.IntN(3) == 0 {
			second := alike(0.5 + 0.5*float64(rng.IntN(2)))
			p.Second, p.Self = &second, 1
		}
		m.do(book.Act{Pair: &p})
		if rng.IntN(50) == 0 {
			m.do(book.Act{Stale: &book.Stale{Since: at - int64(rng.IntN(50)), Pairs: []book.Key{p.Key}}})
			if _, known := m.book.Memory.Results()[p.Key]; known {
				t.Fatal("a forgotten pair is known")
			}
			u := fmt.Sprint("/u", rng.IntN(30))
			before := m.book.Memory.Since
			if m.book.Memory.Since = at + 1; m.book.Memory.Has(keys.Document(u), at) {
				t.Fatal("a document from before a change is known")
			}
			m.book.Memory.Since = before
		}
		again := New("town", o)
		m.Dump(func(a book.Act) bool {
			read, err := book.Decode(a.Encode())
			must(t, err)
			again.Restore(read)
			return true
		})
		for _, b := range []*book.Book{m.book, again.book} {
			checkDocuments(t, b.Memory, at)
		}
	}
}

func checkDocuments(t *testing.T, m *book.Memory, now int64) {
	t.Helper()
	seconds, unsteady, last := 0, 0, map[uint64]int64{}
	for _, r := range m.Results() {
		if r.Second != nil {
			seconds++
			if r.Second.Compared.Alike != r.Compared.Alike {
				unsteady++
			}
		}
		for _, document := range r.URLs {
			if document != 0 {
				last[document] = max(last[document], r.At)
			}
		}
	}
	if seconds != m.Seconds || unsteady != m.Unsteady || len(last) != len(m.Fetches) {
		t.Fatalf("%d second looks, %d unsteady, %d documents; want %d, %d, %d", m.Seconds, m.Unsteady, len(m.Fetches), seconds, unsteady, len(last))
	}
	for document, at := range last {
		if at >= m.Since && !m.Has(document, now) || m.Has(document, at+book.DocumentsFor+400) {
			t.Fatalf("document of %d at %d: %v, and later %v", at, now, m.Has(document, now), m.Has(document, at+book.DocumentsFor+400))
		}
	}
}

// The negatives of a candidate are seen twice until second looks have shown that the site's
// pages are steady. Later only the negatives of candidates that an exception might save are
// seen twice.
func TestBelieved(t *testing.T) {
	for _, c := range []struct {
		confirmed, unsteady int // second looks of other rules
		positives           int // of the rule, beside one negative
		isNew, doubt        bool
	}{
		{0, 0, 0, true, true},
		{4, 0, 0, true, true},
		{5, 0, 0, true, false},
		{5, 0, 3, true, false},
		{5, 0, 4, true, true},
		{5, 0, 0, false, true},
		{18, 1, 0, true, true},
		{19, 1, 0, true, false},
	} {
		w := newTown(40)
		m := w.machine(madeup.Options())
		m.derive(1)
		keys := m.book.Memory.Keys
		far, near := trial.Seen{Compared: &trial.Compared{Alike: 0.2}}, trial.Seen{Compared: &trial.Compared{Alike: 1, SameText: true}}
		for i := range c.confirmed + c.unsteady {
			r := book.Result{Looks: book.Looks{Seen: far, Second: &far, Self: 1}, At: 1}
			if i < c.unsteady {
				r.Second = &near
			}
			m.book.Memory.Put(keys.Pair("/other", fmt.Sprint(i)), r)
		}
		drop := book.Candidate{ID: "x", Rule: rule.Rule{Edit: rule.Drop{Param: "sort"}}}
		a := trials.New(m.judge(1), drop, m.view.Forms, m.view.Moves(&drop), 0, nil)
		a.IsNew = c.isNew
		for i := range 1 + c.positives {
			p := a.Draw()
			seen := madeup.Judged(trial.Positive, trial.Similar)
			if i == 0 {
				seen = madeup.Judged(trial.Negative, trial.Different)
			}
			a.Receive(p.Key, book.Result{Looks: book.Looks{Seen: seen}, At: 1})
		}
		a.Rejudge(m.judge(1))
		if p, _ := a.Doubtful(math.MaxInt64); (p != nil) != c.doubt {
			t.Errorf("%+v: doubtful %v", c, p)
		}
	}
}

// A rule whose scope was chosen for its positives needs fresh outcomes.
func TestChosenScopeNeedsFreshOutcomes(t *testing.T) {
	w := newTown(40)
	m := w.machine(madeup.Options())
	m.derive(1)
	drop := book.Candidate{ID: "x", Rule: rule.Rule{Edit: rule.Drop{Param: "sort"}}, Chosen: 12}
	a := trials.New(m.judge(1), drop, m.view.Forms, m.view.Moves(&drop), 0, nil)
	for number := range int64(20) {
		p := a.Draw()
		a.Receive(p.Key, book.Result{Looks: book.Looks{Seen: madeup.Judged(trial.Positive, trial.Similar), Number: number + 1}, At: 1})
	}
	for range 2 { // judged again, the outcomes count once
		if a.Rejudge(m.judge(1)); a.Tally.Chosen != 12 || a.Tally.Sum().Positives != 20 {
			t.Errorf("%+v", a.Tally)
		}
	}
}
