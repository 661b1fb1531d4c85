package lifecycle

import "dustbuster/operators/rule"

// Where both directions of a pair hold, the pages may say which direction is better. Two kinds of
// evidence count. Pages of a pair may name one of the pair's URLs as canonical. And one URL of a
// pair may redirect, so that the other URL is the better one. Canonical pages decide if at
// least nine tenths of the pairs that have such evidence, and at least five pairs, agree. Else
// redirects decide by the same measure. Else the direction that shrinks URLs, which is tried
// first, stays.
//
// The evidence is that of all pairs of the trial, and is weighed at the verdict: the first pairs
// of a trial depend on the key that draws the pairs, and two runs must choose the same direction.
const (
	leastLeading = 5
	leadingShare = 0.9
)

// leaning counts the pairs that speak for a rule, and those that speak for the other direction.
type leaning struct{ to, from int }

// add counts a pair: 1 speaks for the rule, -1 for the other direction.
func (l *leaning) add(way int) {
	switch {
	case way > 0:
		l.to++
	case way < 0:
		l.from++
	}
}

// way returns 1 if the pairs decide for the rule, -1 if they decide for the other direction, and
// else 0.
func (l leaning) way() int {
	switch enough := leadingShare * float64(l.to+l.from); {
	case l.to+l.from < leastLeading:
		return 0
	case float64(l.to) >= enough:
		return 1
	case float64(l.from) >= enough:
		return -1
	}
	return 0
}

// ledBy returns the reason for which the pages of a trial speak for the other direction of the
// rule; "" if they do not. O(pairs tried).
func (a *attempt) ledBy() string {
	var canonical, moved leaning
	for p := range a.tried {
		if p.seen != nil && p.seen.Compared != nil {
			canonical.add(p.seen.Compared.Leads)
			moved.add(p.seen.Compared.Moved)
		}
	}
	switch way := canonical.way(); {
	case way < 0:
		return byCanonical
	case way == 0 && moved.way() < 0:
		return byRedirects
	}
	return ""
}

// leadsBack returns the other direction of a rule that holds, if the pages speak for the other
// direction, operators prefer no direction, and the other direction may be tried and was not
// tried in vain. The outcomes known of the pairs count for the other direction as well. The
// reason is "" if the rule stays as it is.
func (pl *planner) leadsBack(a *attempt) (other rule.Rule, reason string) {
	r := a.c.rule
	if r.Kind != rule.Substring {
		return r, ""
	}
	other = r.Opposite()
	decided := pl.book.preferred(r) == r && pl.book.preferred(other) == r
	if reason = a.ledBy(); reason == "" || decided || pl.book.failed(&other) {
		return r, ""
	}
	n := candidate{id: rule.ID(pl.view.site, &other), rule: other}
	if other.Validate() != nil || pl.view.gain(&n) < pl.o.MinGain {
		return r, "" // the other direction would never be tried, and the pages would stay apart
	}
	return other, reason
}

// isTurned reports whether a rule holds and gave way to its other direction, because of what the
// pages say.
func (e *Entry) isTurned() bool {
	return e.State == rule.Retired && (e.Verdict.Reason == byCanonical || e.Verdict.Reason == byRedirects) && len(e.Followers) == 1
}
