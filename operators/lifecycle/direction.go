package lifecycle

import "dustbuster/operators/rule"

// Where both directions of a pair hold, pages may say which URL is the canonical one. The
// direction is then the direction to which at least nine tenths of the pairs lead that name a
// common canonical page, if there are at least five such pairs.
const (
	leastLeading = 5
	leadingShare = 0.9
)

// leadsBack returns the other direction of a rule that holds, if the pages say that the other
// direction leads to the canonical pages, operators prefer no direction, and the other
// direction was not tried in vain. The outcomes known of the pairs count for the other
// direction as well. O(pairs tried).
func (pl *planner) leadsBack(a *attempt) (other rule.Rule, back bool) {
	r := a.c.rule
	if r.Kind != rule.Substring {
		return r, false
	}
	to, from := 0, 0
	for p := range a.tried {
		switch {
		case p.seen == nil || p.seen.Compared == nil:
		case p.seen.Compared.Leads > 0:
			to++
		case p.seen.Compared.Leads < 0:
			from++
		}
	}
	other = r
	other.From, other.To, other.Except = r.To, r.From, rule.Except{}
	decided := pl.book.preferred(r) == r && pl.book.preferred(other) == r
	return other, !decided && to+from >= leastLeading && float64(from) >= leadingShare*float64(to+from) && !pl.book.failed(&other)
}
