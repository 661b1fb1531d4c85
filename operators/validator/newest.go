package validator

import (
	"slices"

	"dustbuster/operators/canon"
	"dustbuster/operators/evidence"
	"dustbuster/operators/rule"
)

// The log tells at once that a site has changed: pages that had the size of their
// canonical form have another. So a rule is tested again as soon as the sizes of the
// newest pane contradict it, whether or not a round is due.

// Sizes counts the URLs of the newest pane that a rule has a part in changing, and whose
// form was seen in that pane, too, with a size that compares.
type Sizes struct {
	Pairs int   `json:"pairs"`
	Apart int   `json:"apart"`        // of which the two sizes are not alike
	At    int64 `json:"at,omitempty"` // when the round began that they were counted for
}

// leastApart is how many pairs must be apart: one or two pages may be in the making.
const leastApart = 3

// contradict reports whether sizes speak against a rule that was tested when they were
// others: the share of pairs apart is ε at least, and has doubled at least.
func (s Sizes) contradict(before Sizes, epsilon float64) bool {
	return s.Apart >= leastApart && float64(s.Apart) >= epsilon*float64(s.Pairs) && s.share() >= 2*before.share()
}

func (s Sizes) share() float64 { return share(s.Apart, s.Pairs) }

// newestSizes are the counts of the rules of a list, by rank; none if the window has one
// endless pane. O(URLs of the newest pane that the list changes · rules that edit one).
func (m *Machine) newestSizes(f *forms, c *canon.Canonizer) []Sizes {
	if m.window.newest == nil {
		return nil
	}
	all := make([]Sizes, len(f.rules))
	for i, n := range f.of {
		u, v := m.window.newestPage(int32(i)), m.window.newestPage(f.reps[n])
		if u.URL == f.texts[n] || v.URL != f.texts[n] || !canCompare(u.Evidence, v.Evidence) {
			continue
		}
		apart := !m.alike(&u, &v)
		for _, rank := range chainOf(c, u.URL) {
			all[rank].Pairs++
			if apart {
				all[rank].Apart++
			}
		}
	}
	return all
}

// sizesWith are the counts of a rule that joins L.
func (m *Machine) sizesWith(r rule.Rule) (s Sizes) {
	rules := with(m.forms.rules, r)
	if all := m.newestSizes(formsOf(m.window, rules), compile(rules)); all != nil {
		s = all[len(rules)-1]
	}
	return s
}

// noteSizes are the counts that the next ones will be compared with: of the rules of a
// round those of now, and of the others of L those noted before.
func (m *Machine) noteSizes(list []*Entry, now int64) map[string]Sizes {
	var all []Sizes
	if m.forms != nil {
		all = m.newestSizes(m.forms, m.canonizer)
	}
	noted := map[string]Sizes{}
	for rank, e := range m.valid() {
		s, known := m.round.Sizes[e.ID]
		if slices.ContainsFunc(list, func(other *Entry) bool { return other.ID == e.ID }) {
			if s = m.sizesBefore(e); all != nil {
				s = all[rank]
			}
			s.At, known = now, true
		}
		if known {
			noted[e.ID] = s
		}
	}
	return noted
}

// sizesBefore are the counts when a rule was last tested.
func (m *Machine) sizesBefore(e *Entry) Sizes {
	if s, known := m.round.Sizes[e.ID]; known && s.At > e.ValidatedAt {
		return s
	}
	return e.Sizes
}

// contradicted are the rules of L that the newest sizes contradict, but for those that a
// round has tested within the hour. They are sought once for each window and L.
func (m *Machine) contradicted(now int64) map[string]bool {
	if m.sought {
		return nil
	}
	m.sought = true
	ids := map[string]bool{}
	for rank, s := range m.newestSizes(m.forms, m.canonizer) {
		e := m.list[rank]
		before := m.sizesBefore(e)
		if s.contradict(before, m.o.Trial.Epsilon) && now > e.ValidatedAt && now >= before.At+hour {
			ids[e.ID] = true
		}
	}
	return ids
}

// canCompare reports whether two pages have one digest each, or sizes of one class.
func canCompare(a, b evidence.Spans) bool {
	_, one := a.Digest()
	_, other := b.Digest()
	return one && other || slices.ContainsFunc(a.Sizes(), func(s evidence.Span) bool {
		return slices.ContainsFunc(b.Sizes(), func(t evidence.Span) bool { return s.Class == t.Class })
	})
}

// newestPage is a page as the newest pane shows it.
func (w *Window) newestPage(page int32) Page { return Page{w.pages[page].URL, w.newest[page]} }
