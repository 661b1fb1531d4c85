package lifecycle

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/papers/tree"
	"dustbuster/operators/rule"
)

// Two documents have one label if, by the plain definition, there is a chain of documents from
// one to the other, each like the next. The results of trials are random.
func TestLabels(t *testing.T) {
	o := madeup.Options()
	o.MaxPairs = 30
	m := New("town", o)
	rng := rand.New(rand.NewPCG(5, 6))
	keys := m.book.Memory.Keys
	page := func() trial.Shown {
		return trial.Shown{HTML: rng.IntN(4) > 0, Words: rng.IntN(3), Text: uint64(1 + rng.IntN(9))}
	}
	seen := func() trial.Seen {
		return trial.Seen{Compared: &trial.Compared{Alike: []float64{.2, .89, .9, 1}[rng.IntN(4)], U: page(), V: page()}}
	}
	pages := map[string]bool{}
	several, similar := 0, 0
	for at := range int64(400) {
		u, v := fmt.Sprint("/u", rng.IntN(20)), fmt.Sprint("/v", rng.IntN(20))
		pages[u], pages[v] = true, true
		p := book.PairAct{Key: keys.Pair(u, v), At: at, Looks: book.Looks{Seen: seen()}}
		p.Mixed = rng.IntN(9) == 0
		if p.Mixed {
			p.Compared.Alike = .3
		}
		if rng.IntN(5) > 0 {
			p.URLs = keys.Requested(u, v, &p.Seen)
		}
		switch rng.IntN(5) {
		case 0:
			p.Seen = madeup.Judged(trial.Skip, trial.SourceFailed)
		case 1:
			second := seen()
			p.Second = &second
		}
		m.do(book.Act{Pair: &p})

		got := m.book.Memory.Labels(.9)
		like, texts := plainLikeness(m.book.Memory)
		for a := range pages {
			a := keys.Document(a)
			label, known := got[a]
			if known != (len(texts[a]) > 0) || known && (label == 0) != (len(texts[a]) > 1 && len(like[a]) == 1) {
				t.Fatalf("label %d, %v of a document of %d texts, like %d others", label, known, len(texts[a]), len(like[a])-1)
			}
			for b := range pages {
				b := keys.Document(b)
				if label != 0 && (got[b] == label) != like[a][b] {
					t.Fatalf("labels %d and %d, alike: %v", label, got[b], like[a][b])
				}
				if a != b && like[a][b] {
					similar++
				}
			}
			if len(texts[a]) > 1 {
				several++
			}
		}
	}
	if several == 0 || similar == 0 {
		t.Errorf("%d documents of several texts, %d pairs alike: the test shows little", several, similar)
	}
}

// plainLikeness returns which documents are alike by the definition of labels, with a threshold
// of .9, and the texts that each document has shown.
func plainLikeness(m *book.Memory) (like map[uint64]map[uint64]bool, texts map[uint64]map[uint64]bool) {
	like, texts = map[uint64]map[uint64]bool{}, map[uint64]map[uint64]bool{}
	join := func(a, b uint64) { like[a][b], like[b][a] = true, true }
	show := func(document uint64, s trial.Shown) bool {
		if document == 0 || s.HTML && s.Words == 0 {
			return false
		}
		if texts[document] == nil {
			like[document], texts[document] = map[uint64]bool{document: true}, map[uint64]bool{}
		}
		texts[document][s.Text] = true
		return true
	}
	for _, r := range m.Results() {
		alike := 0
		for _, s := range []*trial.Seen{&r.Seen, r.Second} {
			switch {
			case s == nil:
				alike++
			case s.Compared == nil:
			default:
				u, v := show(r.URLs[0], s.Compared.U), show(r.URLs[1], s.Compared.V)
				if u && v && s.Compared.Alike >= .9 {
					alike++
				}
			}
		}
		if alike == 2 && !r.Mixed {
			join(r.URLs[0], r.URLs[1])
		}
	}
	for a := range texts {
		for b := range texts {
			if len(texts[a]) == 1 && maps.Equal(texts[a], texts[b]) {
				join(a, b)
			}
		}
	}
	for b := range like { // Warshall's closure
		for a := range like {
			if like[a][b] {
				for c := range like[b] {
					like[a][c] = true
				}
			}
		}
	}
	return like, texts
}

// The tree finds a template among pages that were fetched, although their sizes differ. Before
// they are fetched, the tree finds none.
func TestLearnFetched(t *testing.T) {
	for _, c := range []struct {
		name    string
		counter bool
	}{{"equal texts", false}, {"a counter on each page", true}} {
		t.Run(c.name, func(t *testing.T) { learnFetched(t, c.counter) })
	}
}

func learnFetched(t *testing.T, counter bool) {
	w := newTown(0)
	for i := range 12 {
		for _, form := range []string{"/show?id=%d", "/show?id=%d&print=1", "/show?id=%d&print=2"} {
			w.Add(fmt.Sprintf(form, i), fmt.Sprint("page ", i), int64(1000*(3*i+1)+len(form)*37))
		}
	}
	o := madeup.Options()
	o.Miner.Window = []string{tree.Name}
	m := New("town", o)
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), nil)
	m.derive(1)
	found := func() bool {
		return slices.ContainsFunc(m.view.Learn(m.learner.labels(), 1, 1).Rules, func(r book.LearntRule) bool { return r.Rule.Kind() == rule.KindRewrite })
	}
	if found() {
		t.Error("a template before a page was fetched")
	}
	keys := m.book.Memory.Keys
	for i := range 12 {
		u, v := fmt.Sprintf("/show?id=%d&print=1", i), fmt.Sprintf("/show?id=%d&print=2", i)
		text := fmt.Sprint("page ", i)
		s := trial.Seen{Compared: &trial.Compared{Alike: 1, U: madeup.Shown(text, 1), V: madeup.Shown(text, 1)}}
		if counter {
			s.Compared.Alike, s.Compared.U, s.Compared.V = .95, madeup.Shown(text+" visit 1", 1), madeup.Shown(text+" visit 2", 1)
		}
		p := book.PairAct{Key: keys.Pair(u, v), At: 1, Looks: book.Looks{Seen: s, URLs: keys.Requested(u, v, &s)}}
		m.do(book.Act{Pair: &p})
	}
	if !found() {
		t.Error("no template after pages were fetched")
	}
}
