package trials

import (
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// A rule may hold for the pages that may be fetched, and merge different pages where none may be. The log has the sizes of
// both. A pair that may not be fetched is apart if its sizes differ far more than those of any pair that was found equal.
// The rule leaves such pairs alone.

// apartBy is how many times as far the sizes of a pair are apart as those of any pair found equal.
const apartBy = 2

// Apart takes a pair that may show how far the sizes of equal pages are apart, as long as some pair is apart by what is
// known. left are the forms of the pairs that are apart, when no such pair is needed any more.
func (a *Trial) Apart() (p *Pair, awaited bool, left []forms.Far) {
	if a.Barred == 0 {
		return nil, false, nil
	}
	if a.spread == nil {
		a.spread = a.view.Spread(a.forms, a.moves, a.Asks)
	}
	furthest, looks := 0., 0
	for p := range a.Tried {
		if p.Outcome.Outcome == trial.Positive && !p.isStandIn() {
			furthest = max(furthest, a.spread.Of[p.Form])
		}
	}
	for _, far := range a.spread.Barred {
		if far.By > apartBy*furthest && !a.Candidate.Rule.Excepts([]byte(far.Form)) {
			left = append(left, far)
		}
	}
	if len(left) == 0 {
		return nil, false, nil
	}
	for p := range a.Tried {
		if a.spread.Of[p.Form] > furthest {
			looks++
		}
	}
	switch at, awaited, found := a.further(furthest); {
	case awaited:
		return nil, true, nil
	case found && looks < mostSkips:
		return a.take(at), false, nil
	}
	return nil, false, left
}

// further returns the untouched pair whose sizes are furthest apart, if they are further than some. awaited reports whether
// such a pair is being fetched.
func (a *Trial) further(than float64) (at Place, awaited, found bool) {
	most := than
	for h := range a.Pairs {
		for i := range a.Pairs[h] {
			p := &a.Pairs[h][i]
			switch by := a.spread.Of[p.Form]; {
			case by > than && p.Awaited:
				return at, true, false
			case by > most && p.isUntouched():
				at, most, found = Place{h, i}, by, true
			}
		}
	}
	return at, false, found
}

// LeaveApart gives the rule of a trial that holds exceptions for the pairs that are apart. It returns false if it may not
// have such, and the pairs are not few.
func (a *Trial) LeaveApart(left []forms.Far) bool {
	if len(left) == 0 {
		return true
	}
	known := a.Examined()
	known.Negatives, known.Hides = nil, a.view.Guard.Owns // nobody may be told of what is never fetched
	for _, far := range left {
		known.Negatives = append(known.Negatives, far.Form)
	}
	keeps := func(r *rule.Rule) bool { // an exception that must not be published as it is may have become much wider
		lost := 0
		for _, form := range known.Positives {
			if r.Excepts([]byte(form)) {
				lost++
			}
		}
		return 5*lost < len(known.Positives)
	}
	r, ok := known.Explained()
	if ok = ok && keeps(&r); !ok && a.spread.IsFew(len(left)) {
		if r, _ = known.Without(); !keeps(&r) {
			r = a.Candidate.Rule
		}
		ok = true
	}
	if !ok {
		a.apart = left
		return false
	}
	a.Candidate.Rule = r
	return true
}

// beside returns the rule of a trial in the scopes in which no pair is apart.
func (a *Trial) beside() []rule.Rule {
	all := a.tallies()
	for _, far := range a.apart {
		all.count(places(&a.Candidate.Rule, &Pair{Pair: forms.Pair{Form: far.Form, V: far.V}}), trial.Judgement{Outcome: trial.Negative})
	}
	return a.in(all.held(enoughPositives, true))
}
