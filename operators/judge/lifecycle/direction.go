package lifecycle

import (
	"math/bits"

	"dustbuster/operators/rule"
)

// Where both directions of a pair hold, the pages and the log may say which direction is better.
// Three kinds of evidence count. Pages of a pair may name one of the pair's URLs as canonical. One
// URL of a pair may redirect, so that the other URL is the better one. And more clients may ask for
// one form than for the other. Canonical pages decide if at least nine tenths of the pairs that
// have such evidence, and at least five pairs, agree. Else redirects decide by the same measure.
// Else clients decide, over the pairs of which the log has both URLs, at least five. Else the
// direction that makes URLs plainer (rule.Grows), which is tried first, stays.
//
// The table has no counts of hits, since a line that is read twice must count once. The bits of
// clients stand for the hits.
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

// ledBy returns the reason for which the pages of a trial, or the log, speak for the other direction
// of the rule; "" if they do not. O(pairs · log).
func (a *attempt) ledBy(w *Window) string {
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
	case way == 0 && moved.way() == 0 && a.asksMore(w):
		return byClients
	}
	return ""
}

// asksMore reports whether more clients asked for the URLs that the rule of a trial changes than for
// the URLs into which the rule changes them. O(pairs · log).
func (a *attempt) asksMore(w *Window) bool {
	pairs, us, vs := 0, 0, 0
	for h := range a.pairs {
		for i := range a.pairs[h] {
			u, knownU := w.find(a.pairs[h][i].u)
			v, knownV := w.find(a.pairs[h][i].v)
			if knownU && knownV && w.masks != nil {
				pairs, us, vs = pairs+1, us+bits.OnesCount16(w.masks[u]), vs+bits.OnesCount16(w.masks[v])
			}
		}
	}
	return pairs >= leastLeading && us > vs
}

// leadsBack returns the other direction of a rule that holds, if the evidence speaks for the other
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
	if reason = a.ledBy(pl.window); reason == "" || decided || pl.book.failed(&other) {
		return r, ""
	}
	n := candidate{id: rule.ID(pl.view.site, &other), rule: other}
	if other.Validate() != nil || pl.view.gain(&n) < pl.o.MinGain {
		return r, "" // the other direction would never be tried, and the pages would stay apart
	}
	return other, reason
}

// isTurned reports whether a rule holds and gave way to its other direction, because of the evidence.
func (e *Entry) isTurned() bool {
	by := e.Verdict.Reason
	return e.State == rule.Retired && (by == byCanonical || by == byRedirects || by == byClients) && len(e.Followers) == 1
}
