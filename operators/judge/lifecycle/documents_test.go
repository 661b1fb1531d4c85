package lifecycle

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// The memory of documents, the number of second looks and the number of unsteady ones are
// those of the results kept, whatever was put and forgotten before, and after a restart.
func TestDocuments(t *testing.T) {
	o := townOptions()
	o.MaxPairs = 40
	m := New("town", o)
	rng := rand.New(rand.NewPCG(3, 4))
	keys := m.book.memory.keys
	alike := func(a float64) trial.Seen { return trial.Seen{Compared: &trial.Compared{Alike: a}} }
	for at := range int64(400) {
		u, v := fmt.Sprint("/u", rng.IntN(30)), fmt.Sprint("/v", rng.IntN(30))
		s := alike(0.5)
		p := PairAct{Key: keys.pair(u, v), At: at, Looks: Looks{Seen: s, URLs: keys.requested(u, v, &s)}}
		if rng.IntN(4) == 0 {
			p.Seen = judged(trial.Skip, trial.SourceFailed)
			p.URLs = keys.requested(u, v, &p.Seen)
		} else if rng.IntN(3) == 0 {
			second := alike(0.5 + 0.5*float64(rng.IntN(2)))
			p.Second, p.Self = &second, 1
		}
		m.planner.do(Act{Pair: &p})
		if rng.IntN(50) == 0 {
			m.planner.do(Act{Stale: &Stale{Since: at - int64(rng.IntN(50)), Pairs: []key{p.Key}}})
			if _, known := m.book.memory.results[p.Key]; known {
				t.Fatal("a forgotten pair is known")
			}
			u := fmt.Sprint("/u", rng.IntN(30))
			before := m.book.memory.since
			if m.book.memory.since = at + 1; m.book.memory.has(keys.document(u), at) {
				t.Fatal("a document from before a change is known")
			}
			m.book.memory.since = before
		}
		again := New("town", o)
		m.Dump(func(a Act) bool {
			read, err := Decode(a.Encode())
			if err != nil {
				t.Fatal(err)
			}
			again.Restore(read)
			return true
		})
		for _, b := range []*book{m.book, again.book} {
			checkDocuments(t, b.memory, at)
		}
	}
}

func checkDocuments(t *testing.T, m *memory, now int64) {
	t.Helper()
	seconds, unsteady, last := 0, 0, map[uint64]int64{}
	for _, r := range m.results {
		if r.Second != nil {
			seconds++
			if r.Second.Compared.Alike != r.Compared.Alike {
				unsteady++
			}
		}
		for _, document := range r.URLs {
			if document != 0 {
				last[document] = max(last[document], r.at)
			}
		}
	}
	if seconds != m.seconds || unsteady != m.unsteady || len(last) != len(m.fetches) {
		t.Fatalf("%d second looks, %d unsteady, %d documents; want %d, %d, %d", m.seconds, m.unsteady, len(m.fetches), seconds, unsteady, len(last))
	}
	for document, at := range last {
		if at >= m.since && !m.has(document, now) || m.has(document, at+documentsFor+400) {
			t.Fatalf("document of %d at %d: %v, and later %v", at, now, m.has(document, now), m.has(document, at+documentsFor+400))
		}
	}
}

// Acts of other versions are refused, with the remedy.
func TestDecodeOtherVersions(t *testing.T) {
	for _, version := range []string{"0", "1", "2", "4"} {
		if a, err := Decode([]byte(`{"v":` + version + `,"noise":0.5}`)); err == nil || !strings.Contains(err.Error(), "read the logs again") {
			t.Errorf("version %s is read as %+v, %v", version, a, err)
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
		m := w.machine(townOptions())
		m.planner.derive(1)
		keys := m.book.memory.keys
		far, near := trial.Seen{Compared: &trial.Compared{Alike: 0.2}}, trial.Seen{Compared: &trial.Compared{Alike: 1, SameText: true}}
		for i := range c.confirmed + c.unsteady {
			r := result{Looks{Seen: far, Second: &far, Self: 1}, 1}
			if i < c.unsteady {
				r.Second = &near
			}
			m.book.memory.put(keys.pair("/other", fmt.Sprint(i)), r)
		}
		drop := candidate{id: "x", rule: rule.Rule{Kind: rule.Drop, Param: "sort"}}
		a := newAttempt(m.planner.judge(1), drop, m.planner.view.forms, m.planner.view.moves(&drop), 0, nil)
		a.isNew = c.isNew
		for i := range 1 + c.positives {
			p := a.draw()
			seen := judged(trial.Positive, trial.Similar)
			if i == 0 {
				seen = judged(trial.Negative, trial.Different)
			}
			a.receive(p.key, result{Looks{Seen: seen}, 1})
		}
		a.rejudge(m.planner.judge(1))
		if p, _ := a.doubtful(); (p != nil) != c.doubt {
			t.Errorf("%+v: doubtful %v", c, p)
		}
	}
}

// A rule whose scope was chosen for its positives needs fresh outcomes.
func TestChosenScopeNeedsFreshOutcomes(t *testing.T) {
	w := newTown(40)
	m := w.machine(townOptions())
	m.planner.derive(1)
	drop := candidate{id: "x", rule: rule.Rule{Kind: rule.Drop, Param: "sort"}, chosen: 12}
	a := newAttempt(m.planner.judge(1), drop, m.planner.view.forms, m.planner.view.moves(&drop), 0, nil)
	for number := range int64(20) {
		p := a.draw()
		a.receive(p.key, result{Looks{Seen: judged(trial.Positive, trial.Similar), Number: number + 1}, 1})
	}
	for range 2 { // judged again, the outcomes count once
		if a.rejudge(m.planner.judge(1)); a.tally.Chosen != 12 || a.tally.Sum().Positives != 20 {
			t.Errorf("%+v", a.tally)
		}
	}
}
