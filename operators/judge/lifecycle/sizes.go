package lifecycle

import (
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/evidence"
)

// The log shows at once when a site changes: pages that had the size of their canonical
// form get another size. A rule is therefore tested again as soon as the sizes of the
// newest pane contradict the rule, whether or not a round is due.

// Sizes counts the URLs of the newest pane that a rule takes part in changing and whose
// form was seen in the same pane with a comparable size.
type Sizes struct {
	Pairs int   `json:"pairs"`
	Apart int   `json:"apart"`        // pairs whose sizes are not similar
	At    int64 `json:"at,omitempty"` // start of the round for which the pairs were counted
}

// leastApart is the least number of pairs that must be apart. One or two pages may be under
// construction.
const leastApart = 3

// contradict reports whether sizes contradict a rule that was last tested at the sizes
// before: the share of pairs apart is at least ε and has at least doubled.
func (s Sizes) contradict(before Sizes, epsilon float64) bool {
	return s.Apart >= leastApart && float64(s.Apart) >= epsilon*float64(s.Pairs) && s.share() >= 2*before.share()
}

func (s Sizes) share() float64 { return share(s.Apart, s.Pairs) }

// noteSizes returns the counts with which later counts are compared: the present counts for
// the rules of a round, and the earlier counts for the other rules of L.
func (r *rechecker) noteSizes(w *view, list []*Entry, now int64) map[string]Sizes {
	var all []Sizes
	if w != nil {
		all = w.newestSizes(w.forms, w.canonizer)
	}
	noted := map[string]Sizes{}
	for rank, e := range r.book.valid() {
		s, known := r.book.round.Sizes[e.ID]
		if slices.ContainsFunc(list, func(other *Entry) bool { return other.ID == e.ID }) {
			if s = r.sizesBefore(e); all != nil {
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

// sizesBefore returns the counts at the last test of a rule.
func (r *rechecker) sizesBefore(e *Entry) Sizes {
	if s, known := r.book.round.Sizes[e.ID]; known && s.At > e.ValidatedAt {
		return s
	}
	return e.Sizes
}

// contradicted returns the rules of L that the newest sizes contradict, without the rules
// tested by a round within the last hour. The rules are computed once for each window and
// L.
func (r *rechecker) contradicted(w *view, now int64) map[string]bool {
	if r.sought {
		return nil
	}
	r.sought = true
	ids := map[string]bool{}
	for rank, s := range w.newestSizes(w.forms, w.canonizer) {
		e := w.list[rank]
		before := r.sizesBefore(e)
		if s.contradict(before, r.o.Trial.Epsilon) && now > e.ValidatedAt && now >= before.At+hour {
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

// newestPage returns a page with the evidence of the newest pane.
func (w *Window) newestPage(page int32) evidence.Page {
	return evidence.Page{URL: w.pages[page].URL, Evidence: w.newest[page]}
}

// newestSizes returns the counts of the rules of a list, by rank. There are none if the
// window has one endless pane. O(URLs of the newest pane changed by the list · rules that
// edit one).
func (w *view) newestSizes(f *forms, c *canon.Canonizer) []Sizes {
	if w.window.newest == nil {
		return nil
	}
	all := make([]Sizes, len(f.rules))
	for i, n := range f.of {
		u, v := w.window.newestPage(int32(i)), w.window.newestPage(f.reps[n])
		if u.URL == f.texts[n] || v.URL != f.texts[n] || !canCompare(u.Evidence, v.Evidence) {
			continue
		}
		apart := !alike(w.o, &u, &v)
		for _, rank := range chainOf(c, u.URL) {
			all[rank].Pairs++
			if apart {
				all[rank].Apart++
			}
		}
	}
	return all
}

// sizesWith returns the counts of a rule that joins L.
func (w *view) sizesWith(r rule.Rule) (s Sizes) {
	rules := with(w.forms.rules, r)
	if all := w.newestSizes(formsOf(w.window, rules), compile(rules)); all != nil {
		s = all[len(rules)-1]
	}
	return s
}
