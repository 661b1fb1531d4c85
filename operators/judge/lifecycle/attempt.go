package lifecycle

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/judge/except"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// attempt is the trial of one rule: the rule's pairs and their known outcomes. An attempt
// follows from the forms and the memory, so attempts are never saved.
type attempt struct {
	c       candidate
	tally   trial.Tally
	pairs   [trial.Strata][]tryPair // in drawing order
	next    [trial.Strata]int       // all pairs before this index have been touched
	at      map[key]place
	touched []place // pairs with a known outcome
	control rule.Control
	joins   *canon.Canonizer   // L and the rule; built on demand
	differ  *trial.Differences // of the pairs tried
	options trial.Options
	levers  Levers
	since   int64                  // only outcomes from then on count
	isNew   bool                   // the rule is a candidate, and not a rule of L that is tested again
	barred  int                    // pairs left out because one of their URLs is never fetched
	hides   func(text string) bool // reports whether a part of a rule must not be published
}

// tryPair is a pair of an attempt, with what is known of it.
type tryPair struct {
	pair
	seen    *result         // known result of the pair; nil if there is none
	outcome trial.Judgement // outcome of the pair for the rule; none while a negative is in doubt
	doubt   bool            // a negative seen only once; the pair is fetched a second time
	awaited bool
	byList  bool // L is wrong about u, so v proves nothing about the rule: see trace
	bySet   bool // the pair sent the rule back to trial
}

type place struct{ stratum, index int }

// newAttempt sets up the trial of a rule over the forms moved by the rule. O(moves · log).
func newAttempt(j judge, c candidate, f *forms, moves []move, since int64, awaited map[key]bool) *attempt {
	a := &attempt{c: c, at: make(map[key]place, len(moves)), since: since, options: j.o.Trial, levers: j.o.Off, hides: j.view.guard.hides}
	a.tally.Exceptions = c.exceptions
	pairs, barred := j.view.pairs(f, moves)
	a.barred = barred
	for h := range pairs {
		a.tally.Strata[h].Pairs = len(pairs[h])
		a.pairs[h] = make([]tryPair, len(pairs[h]))
		for i := range pairs[h] {
			p := &a.pairs[h][i]
			p.pair = pairs[h][i]
			a.at[p.key] = place{h, i}
			if r, known := j.book.memory.known(p.u, p.v, since, j.now); known {
				p.seen = &r
				a.touched = append(a.touched, place{h, i})
			} else if awaited[p.key] {
				p.awaited = true
				a.tally.Strata[h].Awaited++
			}
		}
	}
	a.rejudge(j)
	return a
}

// pairs returns the pairs of moves that may be fetched, in drawing order, and the number of
// pairs left out because one of their URLs is never fetched. O(moves · log).
func (w *view) pairs(f *forms, moves []move) (pairs [trial.Strata][]pair, barred int) {
	torn, odd, likeness, isBarred := w.torn(f, moves), w.odd(f, moves), w.likenesses(f, moves), false
	for _, v := range moves {
		u := f.rep(v.form)
		if !w.guard.allows(u, v.to) {
			barred++
			isBarred = isBarred || likeness[v.form] == unlikeInLog
			continue
		}
		if w.guard.lacks(u, v.to) {
			continue
		}
		h := w.stratum(f, v)
		switch {
		case torn[v.to]:
			h = trial.Torn
		case odd[v.form]:
			h = trial.Odd
		}
		p := w.pair(f.texts[v.form], u, v.to)
		p.likeness = likeness[v.form]
		pairs[h] = append(pairs[h], p)
	}
	if isBarred { // an exception for the other unlike pairs would leave these
		forgetLikenesses(&pairs)
	}
	arrange(pairs[:])
	for h := range pairs {
		slices.SortFunc(pairs[h], pair.compare)
		inRounds(pairs[h])
	}
	return pairs, barred
}

// confirmedNegatives is the number of a rule's negatives that a second look must confirm.
// Further negatives of the rule count after one look. If the second looks of the site have
// confirmed the first, the negatives of a candidate that is hopeless anyway count after one look
// as well.
const confirmedNegatives = 5

// rejudge takes the control of an attempt and derives the outcomes of the attempt's pairs
// under the control. rejudge returns a pair missing from the control, or nil. O(pairs
// tried).
func (a *attempt) rejudge(j judge) (missing *pair) {
	a.control, missing = a.newControl(j)
	a.differ = trial.NewDifferences(a.comparisons())
	for _, at := range a.touched {
		p := &a.pairs[at.stratum][at.index]
		a.count(at.stratum, p, -1)
		if p.seen != nil {
			a.judgePair(j, p)
		}
	}
	a.judgeOutliers(j)
	confirmed := 0
	for _, at := range a.touched {
		if p := &a.pairs[at.stratum][at.index]; p.outcome.Outcome == trial.Negative && !p.doubt {
			confirmed++
		}
	}
	believed := !j.o.Off.FirmNegatives && a.isNew && j.book.memory.isSteady() && a.isHopeless()
	for _, at := range a.touched {
		p := &a.pairs[at.stratum][at.index]
		if confirmed >= confirmedNegatives || believed {
			p.doubt = false
		}
		a.count(at.stratum, p, 1)
	}
	return missing
}

// isHopeless reports whether a rule has so few positives for each negative that no exception
// could explain the negatives: see package except. Negatives seen only once count.
func (a *attempt) isHopeless() bool {
	positives, negatives := 0, 0
	for _, at := range a.touched {
		switch a.pairs[at.stratum][at.index].outcome.Outcome {
		case trial.Positive:
			positives++
		case trial.Negative, trial.Returned:
			negatives++
		}
	}
	return positives < except.PositivesFor*negatives
}

// isFirm reports whether no control can take back a negative of the trial: the documents of each
// did not change between two looks.
func (a *attempt) isFirm() bool {
	for _, at := range a.touched {
		p := &a.pairs[at.stratum][at.index]
		if wrong(p.outcome) && p.seen != nil && p.seen.steadiness() < 1 {
			return false
		}
	}
	return true
}

func (a *attempt) judgePair(j judge, p *tryPair) {
	p.outcome, p.doubt = j.outcome(p.seen, p.u, p.v, &a.control)
	a.judgeWords(j, p)
	p.byList = p.outcome.Outcome == trial.Negative && j.byList(p)
	if p.byList {
		p.outcome.Outcome, p.doubt = trial.Skip, false
	}
}

// count adds the outcome of a pair to the pair's stratum, times times. A negative in doubt
// counts as awaited. A positive known before the rule was given its last exception counts as
// earlier.
func (a *attempt) count(stratum int, p *tryPair, times int) {
	if p.doubt {
		a.tally.Strata[stratum].Awaited += times
		return
	}
	if a.c.after > 0 && p.outcome.Outcome == trial.Positive && p.seen != nil && p.seen.Number <= a.c.after {
		a.tally.Strata[stratum].Earlier += times
		return
	}
	if p.seen != nil && p.seen.Number <= a.c.chosen && p.outcome.Outcome == trial.Positive {
		a.tally.Chosen += times
	}
	a.tally.Add(stratum, p.outcome.Outcome, times)
}

// doubtful returns a negative that needs a second look and is not being fetched.
func (a *attempt) doubtful() (p *tryPair, outstanding bool) {
	for _, at := range a.touched {
		switch p := &a.pairs[at.stratum][at.index]; {
		case p.doubt && !p.awaited:
			return p, false
		case p.doubt:
			outstanding = true
		}
	}
	return nil, outstanding
}

// compare defines the drawing order.
func (p pair) compare(q pair) int {
	return cmp.Or(cmp.Compare(p.bunch, q.bunch), cmp.Compare(p.turn.within, q.turn.within), strings.Compare(p.u, q.u), strings.Compare(p.v, q.v))
}

// ofOneV is the number of pairs with the same v that are drawn before pairs with another v.
// A verdict from few different v proves little.
const ofOneV = 4

// inRounds arranges sorted pairs in rounds. Each round holds at most ofOneV pairs with the
// same v.
func inRounds(pairs []pair) {
	seen, round := map[string]int{}, make(map[key]int, len(pairs))
	for i := range pairs {
		p := &pairs[i]
		round[p.key] = seen[p.v] / ofOneV
		seen[p.v]++
	}
	slices.SortStableFunc(pairs, func(p, q pair) int { return round[p.key] - round[q.key] })
}

// negative counts a pair of the whole set against the rule.
func (a *attempt) negative(e rule.Example) {
	for h := range a.pairs {
		for i := range a.pairs[h] {
			if p := &a.pairs[h][i]; p.u == e.U && p.v == e.V {
				p.bySet = true
				return // the pair belongs to the rule and was counted
			}
		}
	}
	against := trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}
	a.touched = append(a.touched, place{trial.Apart, len(a.pairs[trial.Apart])})
	a.pairs[trial.Apart] = append(a.pairs[trial.Apart], tryPair{pair: pair{u: e.U, v: e.V, form: e.U}, outcome: against, bySet: true})
	a.tally.Strata[trial.Apart].Pairs++
	a.tally.Add(trial.Apart, trial.Negative, 1)
}

// failed reports whether a pair drawn for the rule is wrong. Pairs that sent the rule back
// do not count.
func (a *attempt) failed() bool {
	for p := range a.tried {
		if wrong(p.outcome) && !p.bySet {
			return true
		}
	}
	return false
}

// draw takes the next pair. The pair is nil if none is left.
func (a *attempt) draw() *tryPair {
	h, ok := a.tally.Next(a.options)
	if !ok {
		return nil
	}
	for ; a.next[h] < len(a.pairs[h]); a.next[h]++ {
		if p := &a.pairs[h][a.next[h]]; p.isUntouched() {
			return a.take(place{h, a.next[h]})
		}
	}
	return nil
}

func (p *tryPair) isUntouched() bool { return p.seen == nil && p.outcome.Outcome == 0 && !p.awaited }

// take gives out an untouched pair.
func (a *attempt) take(at place) *tryPair {
	p := &a.pairs[at.stratum][at.index]
	p.awaited = true
	a.tally.Strata[at.stratum].Awaited++
	return p
}

// receive takes in the result of a pair that was given out. receive returns false if the pair
// was not given out.
func (a *attempt) receive(k key, r result) bool {
	at, mine := a.at[k]
	if !mine {
		return false
	}
	p := &a.pairs[at.stratum][at.index]
	if !p.awaited {
		return false
	}
	p.awaited = false
	if p.seen == nil {
		a.tally.Strata[at.stratum].Awaited--
		a.touched = append(a.touched, at)
	}
	p.seen = &r
	return true
}

// all yields the pairs.
func (a *attempt) all(yield func(*pair) bool) {
	for h := range a.pairs {
		for i := range a.pairs[h] {
			if !yield(&a.pairs[h][i].pair) {
				return
			}
		}
	}
}

// tried yields the pairs that have an outcome.
func (a *attempt) tried(yield func(*tryPair) bool) {
	for h := range a.pairs {
		for i := range a.pairs[h] {
			if p := &a.pairs[h][i]; p.outcome.Outcome != 0 && !p.doubt && !yield(p) {
				return
			}
		}
	}
}

// mostExamples is the number of pairs kept by a verdict.
const mostExamples = 5

// verdict returns the verdict on the rule, with the pairs that led to it.
func (a *attempt) verdict(j judge, reason string) rule.Verdict {
	sum := a.tally.Proof()
	v := rule.Verdict{
		Samples: sum.Outcomes(), Positives: sum.Positives, Negatives: sum.Negatives, Skipped: sum.Skipped,
		Bound: a.tally.Bound(), Control: a.control, Threshold: a.threshold(j), Time: j.now, Reason: reason,
	}
	for _, negative := range []bool{true, false} {
		for p := range a.tried {
			is := p.outcome.Outcome == trial.Negative || p.outcome.Outcome == trial.Returned
			if p.outcome.Outcome != trial.Skip && is == negative && len(v.Examples) < mostExamples {
				v.Examples = append(v.Examples, rule.Example{U: p.u, V: p.v, Outcome: p.outcome.Reason.String()})
			}
		}
	}
	return v
}
