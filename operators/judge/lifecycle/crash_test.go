package lifecycle_test

import (
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
)

// After a crash following any act, the machine restored from the saved acts reaches the
// same list, does not repeat settled pairs, and publishes no other content under a saved
// sequence.
func TestCrashAfterEveryAct(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		town    *town
		options book.Options
	}{
		{"a small town", newTown(20), madeup.Options()},
		{"sessions", &town{madeup.SessionTown()}, madeup.DropsOptions()},
	} {
		t.Run(c.name, func(t *testing.T) { crashAfterEveryAct(t, c.town, c.options) })
	}
}

func crashAfterEveryAct(t *testing.T, w *town, o book.Options) {
	t.Helper()
	whole, keys := w.machine(o), book.Hasher{Secret: o.Key}
	looks := map[book.Key]bool{}
	w.live(whole, 1, func(test lifecycle.Look) { looks[keys.Pair(test.U, test.V)] = true })
	acts, want := whole.Acts(), madeup.Words(rulesOf(whole))
	published := publications(acts)
	for _, a := range acts {
		if a.Pair != nil && !looks[a.Pair.Key] {
			t.Fatalf("no look has the key of %+v", a.Pair)
		}
	}
	for n := range acts {
		if n%7 != 0 && acts[n].Pair != nil && !*long {
			continue
		}
		m, settled, now := New("town", o), map[book.Key]bool{}, int64(1)
		for _, a := range acts[:n] {
			m.Restore(recode(t, a))
			if a.Pair != nil {
				settled[a.Pair.Key], now = true, a.Pair.At+1
			}
		}
		m.Load(forms.NewWindow(slices.Clone(w.Pages)), w.Mine())
		w.live(m, now, func(test lifecycle.Look) {
			if settled[keys.Pair(test.U, test.V)] && !test.Second {
				t.Fatalf("after act %d, %s and %s are fetched again", n, test.U, test.V)
			}
		})
		if got := madeup.Words(rulesOf(m)); got != want {
			t.Fatalf("after act %d:\n%s\nwant\n%s", n, got, want)
		}
		saved := publications(acts[:n])
		for _, p := range publications(m.Acts()) {
			if p.Sequence <= int64(len(saved)) {
				t.Fatalf("after act %d, sequence %d is published again", n, p.Sequence)
			}
		}
		if m.Published().Sequence < int64(len(published)) {
			t.Fatalf("after act %d, only %d publications", n, m.Published().Sequence)
		}
	}
}

// publications returns the publications among acts.
func publications(acts []book.Act) (all []*book.Publication) {
	for _, a := range acts {
		if a.Publication != nil {
			all = append(all, a.Publication)
		}
	}
	return all
}
