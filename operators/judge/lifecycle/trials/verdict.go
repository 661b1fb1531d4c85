package trials

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
)

// Where both directions of a pair hold, the pages and the log may say which direction is better. Three
// kinds of evidence count. Pages of a pair may name one of its URLs as canonical. One URL of a pair
// may redirect, so that the other URL is the better one. And more clients may ask for one form than
// for the other. Canonical pages decide if at least nine tenths of the pairs that have such evidence,
// and at least five pairs, agree. Else redirects decide by the same measure. Else clients decide, over
// the pairs of which the log has both URLs, at least five. Else the direction that makes URLs plainer
// (rule.Grows), which is tried first, stays.
//
// The table has no counts of hits, since a line that is read twice must count once. The bits of
// clients stand for the hits.
//
// The evidence is that of all pairs of the trial, and is weighed at the verdict: the first pairs
// of a trial depend on the key that draws the pairs, and two runs must choose the same direction.

// Evidence decides if at least leastLeading pairs have it, and at least leadingShare of these agree.
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

// LedBy returns the reason for which the pages of a trial, or the log, speak for the other direction
// of the rule; "" if they do not. O(pairs · log).
func (a *Trial) LedBy(w *forms.Window) string {
	var canonical, moved leaning
	for p := range a.Tried {
		if p.Seen != nil && p.Seen.Compared != nil {
			canonical.add(p.Seen.Compared.Leads)
			moved.add(p.Seen.Compared.Moved)
		}
	}
	switch way := canonical.way(); {
	case way < 0:
		return book.ByCanonical
	case way == 0 && moved.way() < 0:
		return book.ByRedirects
	case way == 0 && moved.way() == 0 && a.asksMore(w):
		return book.ByClients
	}
	return ""
}

// leastCounted is the number of URLs on each side whose clients must be known.
const leastCounted = 2

// asksMore reports whether more clients asked for the URLs that a rule changes than for those that it
// makes of them, on average of those whose clients are known. O(pairs · log).
func (a *Trial) asksMore(w *forms.Window) bool {
	pairs := 0
	var clients, urls [2]int // of both sides
	for h := range a.Pairs {
		for i := range a.Pairs[h] {
			u, knownU := w.Find(a.Pairs[h][i].U)
			v, knownV := w.Find(a.Pairs[h][i].V)
			if !knownU || !knownV {
				continue
			}
			pairs++
			for side, page := range [...]int{u, v} {
				if n, known := w.Asks(page); known {
					clients[side], urls[side] = clients[side]+n, urls[side]+1
				}
			}
		}
	}
	return pairs >= leastLeading && min(urls[0], urls[1]) >= leastCounted && clients[0]*urls[1] > clients[1]*urls[0]
}

// MostFailing is the number of pairs of one rule that may end with a 5xx in the place of v, or
// with a refusal (401, 403, 408, 429). More 5xx would add to the server's trouble, and more
// refusals would tell nothing. The trial then ends undecided. A new trial begins after
// RetryUndecided.
const MostFailing = 5

// Failing returns the reason for which the URLs made by the rule cannot be judged while the original
// ones answer: the server fails there, or refuses most of them. It is "" if there is none. O(pairs).
func (a *Trial) Failing() (reason string) {
	failed, refused := 0, 0
	for p := range a.Tried {
		switch p.Outcome.Reason {
		case trial.ServerError:
			failed++
		case trial.Refused:
			refused++
		}
	}
	switch sum := a.Tally.Sum(); {
	case failed >= MostFailing:
		return book.ByServer
	case refused >= MostFailing && refused > sum.Outcomes():
		return book.ByRefusal
	}
	return ""
}

// VerdictOn returns the verdict on a rule: that of the outcomes, with two exceptions. A rule that is
// better tried in narrower scopes is refuted. A rule is undecided if the server fails or refuses, or
// if the pages prove nothing. In a strict trial, one negative refutes the rule: many URLs show one
// text, so a client that invents such URLs controls their share of all pairs.
func VerdictOn(a *Trial, o trial.Options) trial.Decision {
	v := a.Tally.Decide(o)
	switch {
	case a.StaysStrict() && a.Tally.Sum().Negatives > 0, v != trial.Refuted && !a.levers.EarlyNarrowing && keeps(a):
		return trial.Refuted
	case v == trial.Open && a.Failing() != "", v != trial.Refuted && a.Undecidable(o) != "":
		return trial.Undecided
	case v == trial.Open && a.IsNew && a.mayJoin(o):
		return trial.Joins
	}
	return v
}

// mayJoin reports whether a rule without a verdict holds provisionally. A pair in doubt may come to
// differ, and where the server failed at one URL it may fail at others.
func (a *Trial) mayJoin(o trial.Options) bool {
	if !a.Tally.MayJoin(o) {
		return false
	}
	for _, at := range a.Touched {
		if p := &a.Pairs[at.Stratum][at.Index]; p.Doubt || p.Outcome.Reason == trial.ServerError {
			return false
		}
	}
	return true
}

// WhyUndecided returns the reason for which a rule is left undecided.
func (a *Trial) WhyUndecided(j Judge) string {
	near, _ := a.NearThreshold(j)
	switch failing, undecidable := a.Failing(), a.Undecidable(a.options); {
	case a.unseen, len(a.apart) > 0:
		return book.ByElsewhere
	case len(a.without) > 0:
		return book.ByNames
	case a.Fails:
		return book.ByServer
	case near:
		return book.ByNear
	case a.LacksStandIns:
		return book.ByStandIns
	case failing != "":
		return failing
	case undecidable != "":
		return undecidable
	}
	return book.ByTrial
}
