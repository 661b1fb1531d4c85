package lifecycle

import (
	"slices"

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
	r := pl.view.list[place].Rule
	r.Except = rule.Except{} // pages found wrong before
	f := formsOf(pl.window, rulesOf(pl.view.list[:place]))
	moves, _ := f.moves(&r, f.everything())
	m, joined := pl.book.memory, map[uint64]bool{}
	for _, v := range moves {
		joined[m.keys.document(f.rep(v.form))], joined[m.keys.document(v.to)] = true, true
	}
	var stale []key
	for k, known := range m.results {
		if isUnknown := known.URLs == [2]uint64{}; known.at < since && (isUnknown || joined[known.URLs[0]] || joined[known.URLs[1]]) {
			stale = append(stale, k)
		}
	}
	slices.SortFunc(stale, func(a, b key) int { return slices.Compare(a[:], b[:]) })
	pl.do(Act{Stale: &Stale{Since: since, Pairs: stale}})
}
