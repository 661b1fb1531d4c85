package trials

import (
	"dustbuster/operators/judge/except"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// A trial that would refute a rule, or that meets negatives again and again, may end with an exception instead (package
// except): the few negatives have a path, a condition, a prefix or one URL in common that hardly any positive has. The rule with the
// exception keeps its id and is tried before all others. What suggested the exception cannot prove it: the
// verdict comes from pairs tried since, or from all pairs. A narrower scope, which is chosen for its
// positives, needs at least 30 outcomes of other pairs, or all. A rule found valid in spite of some negatives
// is published with exceptions for these. A negative found later, by a recheck, by the trial of the set or by
// a report, is excepted too; the third sends the rule back. Exceptions come before followers, and a narrower
// follower keeps those in its scope.

// MostSingle is the number of single URLs that a trial excepts before all pairs of the rule have been
// tried.
const MostSingle = 3

// Telling is the least number of negatives that an exception may explain before the rule is refuted.
const Telling = 3

// Examined returns what is known about the pairs of a trial.
func (a *Trial) Examined() except.Trial {
	t := except.Trial{Rule: &a.Candidate.Rule, Hides: a.hides, NoOwn: a.levers.OwnValues}
	t.Share, _ = a.Tally.Estimate()
	for h := range a.Pairs {
		for i := range a.Pairs[h] {
			t.Pairs = append(t.Pairs, a.Pairs[h][i].Form)
		}
	}
	for p := range a.Tried {
		switch {
		case Wrong(p.Outcome) && p.isStandIn(): // no exception is made of an invented text
		case Wrong(p.Outcome):
			t.Negatives = append(t.Negatives, p.Form)
		case p.Outcome.Outcome != trial.Positive:
		case p.isStandIn():
			t.Positives = append(t.Positives, p.Asked())
		default:
			t.Positives = append(t.Positives, p.Form)
		}
	}
	t.Later = 2*a.standIns() > len(t.Positives) // most values look like secrets, which never come again
	sum := a.Tally.Sum()
	t.NoURL = len(a.Candidate.Rule.Except.URLs()) >= MostSingle && sum.Left()+sum.Awaited > 0
	return t
}

// WrongStandIns returns the number of negatives that come from stand-ins. They are not excepted.
func (a *Trial) WrongStandIns() (n int) {
	for p := range a.Tried {
		if Wrong(p.Outcome) && p.isStandIn() {
			n++
		}
	}
	return n
}

// Excepted returns the rule of a trial with exceptions for its negatives, as far as there are such.
func (a *Trial) Excepted() rule.Rule {
	t := a.Examined()
	excepted, _ := t.Without()
	return excepted
}

// WithException returns the rule of a trial with an exception that explains all
// negatives. ok is false if there is no such exception.
//
// A rule that leads back would send a crawler in circles. In a strict trial many URLs show
// one text, so a client that invents URLs controls the share of the negatives. Such rules
// are given no exception.
func (a *Trial) WithException(o *book.Options) (r rule.Rule, ok bool) {
	if a.StaysStrict() || a.Tally.Returned > 0 || a.WrongStandIns() > 0 {
		return r, false
	}
	if t := a.Examined(); t.MayExplain() {
		return t.Explained()
	}
	return r, false
}

// MayComeToExcept returns a pair that may show, in the trial of a rule that would be refuted,
// that an exception explains the few negatives: a pair outside the exception. A rule
// needs the log's support, or as many positives as negatives: most rules that begin with a
// negative are wrong everywhere. The pair is nil if there is none.
func (a *Trial) MayComeToExcept(o *book.Options) *Pair {
	sum := a.Tally.Sum()
	if a.StaysStrict() || a.Tally.Returned > 0 || a.WrongStandIns() > 0 || a.Candidate.Grounds < book.Partial && sum.Positives+sum.Earlier < sum.Negatives {
		return nil
	}
	t := a.Examined()
	r, ok := t.MayComeToExplain()
	if without, explains := a.WithoutUnlike(); explains && t.MayNeedPositives() {
		r, ok = without, true
	}
	if !ok {
		return nil
	}
	return a.drawOutside(&r)
}

// drawOutside takes the next pair outside the exceptions of a rule, or returns nil if none is left.
func (a *Trial) drawOutside(r *rule.Rule) *Pair {
	for h := range a.Pairs {
		for i := range a.Pairs[h] {
			if p := &a.Pairs[h][i]; p.isUntouched() && !r.Excepts([]byte(p.Form)) {
				return a.take(Place{h, i})
			}
		}
	}
	return nil
}

// WithoutUnlike returns the rule of a trial with an exception for all unlike pairs. ok is false if
// that does not explain all negatives, if most of the unlike pairs that were tried are positive, or if
// a path, a condition or a prefix explains all unlike pairs: such an exception holds for other URLs, too.
func (a *Trial) WithoutUnlike() (r rule.Rule, ok bool) {
	unlike := forms.UnlikeForms(a.All)
	if len(unlike) == 0 {
		return a.Candidate.Rule, false
	}
	known := a.Examined()
	known.Negatives, known.Positives = unlike, nil
	positives, negatives := 0, 0
	for p := range a.Tried {
		isUnlike := p.Likeness == forms.UnlikeInLog
		switch {
		case Wrong(p.Outcome) && (!isUnlike || p.isStandIn()):
			return a.Candidate.Rule, false
		case Wrong(p.Outcome):
			negatives++
		case p.Outcome.Outcome != trial.Positive:
		case isUnlike:
			positives++
		default:
			known.Positives = append(known.Positives, p.Form)
		}
	}
	if negatives == 0 || negatives < positives {
		return a.Candidate.Rule, false
	}
	if known.NoURL = true; len(unlike) > 1 {
		if _, isWider := known.Choose(); isWider {
			return a.Candidate.Rule, false
		}
	}
	r = a.Candidate.Rule
	for _, f := range unlike {
		next, err := r.Except.WithURL(f)
		if err != nil {
			return a.Candidate.Rule, false
		}
		r.Except = next
	}
	return r.Shown(a.hides)
}
