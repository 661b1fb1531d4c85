package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// A published rule that no longer holds shows that pages changed after they were compared. Other rules
// join the same pages: the same edit with another context, or a narrower scope. None of these rules may
// be proved by outcomes from before the change.

// forgetPages forgets the outcomes from before a time of all pairs with a page that the rule at a place
// of L joins with another page. Documents from before are not used any more, of whatever page: which
// other pages changed is unknown. The time is 0 if neither a report nor a recheck found a fault of the
// rule; nothing is forgotten then. O(window · L + pairs · log pairs).
func (pl *planner) forgetPages(place int, since int64) {
	if since == 0 {
		return
	}
	r := pl.view.List[place].Rule
	r.Except = rule.Except{} // pages found wrong before
	f := forms.Of(pl.window, forms.RulesOf(pl.view.List[:place]))
	moves, _ := f.Moves(&r, f.Everything())
	m, joined := pl.book.Memory, map[uint64]bool{}
	for _, v := range moves {
		joined[m.Keys.Document(f.Rep(v.Form))], joined[m.Keys.Document(v.To)] = true, true
	}
	var stale []book.Key
	for k, known := range m.Results {
		if isUnknown := known.URLs == [2]uint64{}; known.At < since && (isUnknown || joined[known.URLs[0]] || joined[known.URLs[1]]) {
			stale = append(stale, k)
		}
	}
	slices.SortFunc(stale, func(a, b book.Key) int { return slices.Compare(a[:], b[:]) })
	pl.do(book.Act{Stale: &book.Stale{Since: since, Pairs: stale}})
}
