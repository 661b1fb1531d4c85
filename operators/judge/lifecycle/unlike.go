package lifecycle

import (
	"iter"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// The log shows which few pages of a rule have other sizes after the edit. If the first of these pages
// are found wrong, the rule is given an exception for all of them: the trial need not find the others
// one by one, and none of them is merged. The log names the exception, and not the outcomes of other
// pairs, so these outcomes prove the rule with the exception as they proved the rule without.

// unlikeShare is the least number of pairs with known sizes for one unlike pair. A rule with more
// unlike pairs is not given an exception for them: of the URLs that the log does not hold yet, the
// rule is expected to merge the same share falsely, and that must be below ε.
const unlikeShare = 20

// likeness says what the log knows about the pages of a pair.
type likeness uint8

const (
	notCompared likeness = iota // the log lacks comparable sizes
	alikeInLog
	unlikeInLog
)

// likenesses returns the likeness of the pairs of a rule, by form. Sizes are unlike if they differ by
// more than the tolerance, or at all if most of the rule's pairs have equal sizes. O(moves).
func (w *view) likenesses(f *forms, moves []move) map[int32]likeness {
	similarity := w.o.Miner.Envelope.Similarity
	if similarity.Off {
		return nil
	}
	near, equal := map[int32]likeness{}, map[int32]likeness{}
	unequal := 0
	for _, v := range moves {
		if v.known < 0 {
			continue
		}
		from, to := f.evidence(v.form), f.evidence(v.known)
		if !similarity.Comparable(from, to) {
			continue
		}
		near[v.form], equal[v.form] = alikeInLog, alikeInLog
		if !similarity.Similar(from, to) {
			near[v.form] = unlikeInLog
		}
		if !(evidence.Similarity{}).Similar(from, to) {
			equal[v.form] = unlikeInLog
			unequal++
		}
	}
	if 2*unequal <= len(equal) {
		return equal
	}
	return near
}

// forgetLikenesses takes all pairs as pairs that the log cannot compare.
func forgetLikenesses(pairs *[trial.Strata][]pair) {
	for h := range pairs {
		for i := range pairs[h] {
			pairs[h][i].likeness = notCompared
		}
	}
}

// unlikeForms returns the forms of the unlike pairs, if a rule may be given an exception for all of
// them: they are few, and the pairs that the log cannot compare are so few that less than one unlike
// pair is expected among them.
func unlikeForms(pairs iter.Seq[*pair]) (forms []string) {
	known, others := 0, 0
	for p := range pairs {
		switch p.likeness {
		case unlikeInLog:
			forms = append(forms, p.form)
			known++
		case alikeInLog:
			known++
		default:
			others++
		}
	}
	if n := len(forms); n > rule.MaxExceptURLs || n*unlikeShare > known || n*others >= known {
		return nil
	}
	return forms
}

// withoutUnlike returns the rule of an attempt with an exception for all unlike pairs. ok is false if
// that does not explain all negatives, if most of the unlike pairs that were tried are positive, or if
// a path, a condition or a prefix explains all unlike pairs: such an exception holds for other URLs, too.
func (a *attempt) withoutUnlike() (r rule.Rule, ok bool) {
	unlike := unlikeForms(a.all)
	if len(unlike) == 0 {
		return a.c.rule, false
	}
	known := a.examined()
	known.Negatives, known.Positives = unlike, nil
	positives, negatives := 0, 0
	for p := range a.tried {
		isUnlike := p.likeness == unlikeInLog
		switch {
		case wrong(p.outcome) && !isUnlike:
			return a.c.rule, false
		case wrong(p.outcome):
			negatives++
		case p.outcome.Outcome != trial.Positive:
		case isUnlike:
			positives++
		default:
			known.Positives = append(known.Positives, p.form)
		}
	}
	if negatives == 0 || negatives < positives {
		return a.c.rule, false
	}
	if known.NoURL = true; len(unlike) > 1 {
		if _, isWider := known.Choose(); isWider {
			return a.c.rule, false
		}
	}
	r = a.c.rule
	for _, f := range unlike {
		next, err := r.Except.WithURL(f)
		if err != nil {
			return a.c.rule, false
		}
		r.Except = next
	}
	return r.Shown(a.hides)
}

// exceptUnlike gives the rule on trial an exception for all unlike pairs, if that explains the
// negatives. The trial goes on, and the outcomes so far count.
func (pl *planner) exceptUnlike(a *attempt, now int64) bool {
	sum := a.tally.Sum()
	if sum.Negatives == 0 || a.tally.Returned > 0 || a.staysStrict() || pl.o.Off.UnlikePages {
		return false
	}
	r, ok := a.withoutUnlike()
	if !ok {
		return false
	}
	t := a.examined()
	return t.MayExplain() && pl.tryOn(a, r, true, now)
}
