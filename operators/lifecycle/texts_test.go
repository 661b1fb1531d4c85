package lifecycle

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/tree"
	"dustbuster/operators/trial"
)

// The texts of the memory are those of the results kept. A document that has shown two texts,
// at a second look too, has none. Documents without words, and results whose documents are
// unknown, do not count.
func TestTexts(t *testing.T) {
	o := townOptions()
	o.MaxPairs = 30
	m := New("town", o)
	rng := rand.New(rand.NewPCG(5, 6))
	keys := m.book.memory.keys
	page := func() trial.Shown {
		return trial.Shown{HTML: rng.IntN(4) > 0, Words: rng.IntN(3), Text: uint64(1 + rng.IntN(2))}
	}
	seen := func() trial.Seen { return trial.Seen{Compared: &trial.Compared{U: page(), V: page()}} }
	pages := map[string]bool{}
	several := 0
	for at := range int64(400) {
		u, v := fmt.Sprint("/u", rng.IntN(20)), fmt.Sprint("/v", rng.IntN(20))
		pages[u], pages[v] = true, true
		p := PairAct{Key: keys.pair(u, v), At: at, Looks: Looks{Seen: seen()}}
		if rng.IntN(5) > 0 {
			p.URLs = keys.requested(u, v, &p.Seen)
		}
		switch rng.IntN(5) {
		case 0:
			p.Seen = judged(trial.Skip, trial.SourceFailed)
		case 1:
			second := seen()
			p.Second = &second
		}
		m.planner.do(Act{Pair: &p})

		texts := m.book.memory.texts()
		for url := range pages {
			shown := map[uint64]bool{}
			for _, r := range m.book.memory.results {
				var all []trial.Shown
				for _, s := range []*trial.Seen{&r.Seen, r.Second} {
					if s == nil || s.Compared == nil {
						continue
					}
					if r.URLs[0] == keys.document(url) {
						all = append(all, s.Compared.U)
					}
					if r.URLs[1] == keys.document(url) {
						all = append(all, s.Compared.V)
					}
				}
				for _, s := range all {
					if !s.HTML || s.Words > 0 {
						shown[s.Text] = true
					}
				}
			}
			want := uint64(0)
			if len(shown) == 1 {
				want = slices.Collect(maps.Keys(shown))[0]
			} else if len(shown) > 1 {
				several++
			}
			if got := texts[keys.document(url)]; got != want {
				t.Fatalf("text %d of %s, want %d", got, url, want)
			}
		}
	}
	if several == 0 {
		t.Error("no document has shown two texts")
	}
}

// The tree finds a template among pages that were fetched, although their sizes differ. Before
// they are fetched, the tree finds none.
func TestLearnFetched(t *testing.T) {
	w := newTown(0)
	for i := range 12 {
		for _, form := range []string{"/show?id=%d", "/show?id=%d&print=1", "/show?id=%d&print=2"} {
			w.add(fmt.Sprintf(form, i), fmt.Sprint("page ", i), int64(1000*(3*i+1)+len(form)*37))
		}
	}
	o := townOptions()
	o.Miner.Window = []string{tree.Name}
	m := New("town", o)
	m.Load(NewWindow(slices.Clone(w.pages)), nil)
	m.planner.derive(1)
	found := func() bool {
		return slices.ContainsFunc(m.planner.view.learn(m.book.memory.texts(), 1, 1).Rules, func(r LearntRule) bool { return r.Rule.Kind == rule.Rewrite })
	}
	if found() {
		t.Error("a template before a page was fetched")
	}
	keys := m.book.memory.keys
	for i := range 12 {
		u, v := fmt.Sprintf("/show?id=%d&print=1", i), fmt.Sprintf("/show?id=%d&print=2", i)
		s := trial.Seen{Compared: &trial.Compared{U: shown(fmt.Sprint("page ", i), 1), V: shown(fmt.Sprint("page ", i), 1)}}
		p := PairAct{Key: keys.pair(u, v), At: 1, Looks: Looks{Seen: s, URLs: keys.requested(u, v, &s)}}
		m.planner.do(Act{Pair: &p})
	}
	if !found() {
		t.Error("no template after pages were fetched")
	}
}
