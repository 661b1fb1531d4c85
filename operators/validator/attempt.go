package validator

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/canon"
	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
)

// attempt is the trial of one rule: its pairs, and what is known of them. All of
// it follows from the forms and the memory, so it is never saved.
type attempt struct {
	c       candidate
	course  trial.Course
	pairs   [trial.Strata][]pair // in the order in which they are drawn
	next    [trial.Strata]int    // before it all have been touched
	at      map[key]place
	touched []place // the pairs of which something is known
	control trial.Control
	joins   *canon.Canonizer // L and the rule; made when needed
	options trial.Options
	since   int64 // only outcomes from then on count
	barred  int   // pairs left out, since a URL of them is never asked for
}

// pair is (u, v): the URL that stands for a form, and what the rule makes of the
// form.
type pair struct {
	u, v          string
	form          string
	key           key
	bunch, within uint64          // where it stands in the order of drawing
	seen          *result         // what is known of it; nil: nothing
	outcome       trial.Judgement // what that says of the rule; none while a negative is in doubt
	doubt         bool            // a negative that was seen once only: it is looked at again
	pending       bool
	byList        bool // L is wrong about u, so that v says nothing of the rule: see trace
	bySet         bool // it sent the rule back
}

type place struct{ stratum, index int }

// newAttempt sets up the trial of a rule over the forms that it moves. O(moves ·
// log).
func (m *Machine) newAttempt(c candidate, f *forms, moves []move, since, now int64) *attempt {
	a := &attempt{c: c, at: make(map[key]place, len(moves)), since: since, options: m.o.Trial}
	torn := m.torn(f, moves)
	for _, v := range moves {
		u := f.rep(v.form)
		if !m.guard.allows(u, v.to) {
			a.barred++
			continue
		}
		h := m.stratum(f, v)
		if torn[v.to] {
			h = trial.Torn
		}
		a.pairs[h] = append(a.pairs[h], m.pair(f.texts[v.form], u, v.to))
	}
	for h := range a.pairs {
		slices.SortFunc(a.pairs[h], pair.compare)
		inRounds(a.pairs[h])
		a.course.Strata[h].Pairs = len(a.pairs[h])
		for i := range a.pairs[h] {
			p := &a.pairs[h][i]
			a.at[p.key] = place{h, i}
			if r, known := m.known(p.u, p.v, since, now); known {
				p.seen = &r
				a.touched = append(a.touched, place{h, i})
			} else if m.pending[p.key] {
				p.pending = true
				a.course.Strata[h].Pending++
			}
		}
	}
	m.rejudge(a, now)
	return a
}

// confirmedNegatives of a rule are seen twice; then its negatives are believed at once.
const confirmedNegatives = 5

// rejudge takes the control of an attempt, and derives the outcomes of its pairs under
// it. It returns a pair that the control lacks, if one is. O(pairs tried).
func (m *Machine) rejudge(a *attempt, now int64) (missing *pair) {
	a.control, missing = m.control(a, now)
	confirmed := 0
	for _, at := range a.touched {
		p := &a.pairs[at.stratum][at.index]
		a.count(at.stratum, p, -1)
		if p.seen != nil {
			m.judgePair(a, p, now)
		}
		if p.outcome.Outcome == trial.Negative && !p.doubt {
			confirmed++
		}
	}
	for _, at := range a.touched {
		p := &a.pairs[at.stratum][at.index]
		if confirmed >= confirmedNegatives {
			p.doubt = false
		}
		a.count(at.stratum, p, 1)
	}
	return missing
}

func (m *Machine) judgePair(a *attempt, p *pair, now int64) {
	p.outcome, p.doubt = m.judge(p.seen, p.u, p.v, &a.control)
	p.byList = p.outcome.Outcome == trial.Negative && m.byList(p, now)
	if p.byList {
		p.outcome.Outcome, p.doubt = trial.Skip, false
	}
}

// count adds what a pair says to its stratum, so many times. While a negative is in
// doubt the pair counts as pending.
func (a *attempt) count(stratum int, p *pair, times int) {
	if p.doubt {
		a.course.Strata[stratum].Pending += times
		return
	}
	a.course.Add(stratum, p.outcome.Outcome, times)
}

// doubtful is a negative that is to be looked at again, and is not being fetched.
func (a *attempt) doubtful() (p *pair, pending bool) {
	for _, at := range a.touched {
		switch p := &a.pairs[at.stratum][at.index]; {
		case p.doubt && !p.pending:
			return p, false
		case p.doubt:
			pending = true
		}
	}
	return nil, pending
}

// pair is (u, v), where u stands for a form that the rule makes v of.
func (m *Machine) pair(form, u, v string) pair {
	p := pair{u: u, v: v, form: form, key: m.pairKey(u, v)}
	p.bunch, p.within = m.turn(form, v)
	return p
}

// compare is the order of drawing.
func (p pair) compare(q pair) int {
	return cmp.Or(cmp.Compare(p.bunch, q.bunch), cmp.Compare(p.within, q.within), strings.Compare(p.u, q.u), strings.Compare(p.v, q.v))
}

// ofOneV is how many pairs of one v are drawn before those of others have their turn: few
// contents of v prove little.
const ofOneV = 4

// inRounds puts sorted pairs in rounds, each of at most ofOneV pairs of a v.
func inRounds(pairs []pair) {
	seen, round := map[string]int{}, make(map[key]int, len(pairs))
	for i := range pairs {
		p := &pairs[i]
		round[p.key] = seen[p.v] / ofOneV
		seen[p.v]++
	}
	slices.SortStableFunc(pairs, func(p, q pair) int { return round[p.key] - round[q.key] })
}

// stratum is the kind of a move.
func (m *Machine) stratum(f *forms, v move) int {
	switch {
	case v.known < 0:
		return trial.Unknown
	case m.o.Miner.Envelope.Similarity.Similar(f.evidence(v.form), f.evidence(v.known)):
		return trial.Near
	}
	return trial.Apart
}

// torn are the URLs, not known, that a rule makes of several forms whose pages are
// not alike: it is wrong about some of them. O(moves).
func (m *Machine) torn(f *forms, moves []move) map[string]bool {
	first, torn := map[string]int32{}, map[string]bool{}
	for _, v := range moves {
		if v.known >= 0 || len(f.evidence(v.form)) == 0 {
			continue
		}
		if one, seen := first[v.to]; !seen {
			first[v.to] = v.form
		} else if !m.alike(f.page(one), f.page(v.form)) {
			torn[v.to] = true
		}
	}
	return torn
}

// negative counts a pair of the whole set against the rule.
func (a *attempt) negative(e rule.Example) {
	for h := range a.pairs {
		for i := range a.pairs[h] {
			if p := &a.pairs[h][i]; p.u == e.U && p.v == e.V {
				p.bySet = true
				return // it is one of the rule's own, and counted
			}
		}
	}
	against := trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}
	a.touched = append(a.touched, place{trial.Apart, len(a.pairs[trial.Apart])})
	a.pairs[trial.Apart] = append(a.pairs[trial.Apart], pair{u: e.U, v: e.V, form: e.U, outcome: against, bySet: true})
	a.course.Strata[trial.Apart].Pairs++
	a.course.Add(trial.Apart, trial.Negative, 1)
}

// failed reports whether a pair that was drawn for the rule is wrong, and not only those
// that sent it back.
func (a *attempt) failed() bool {
	for p := range a.tried {
		if wrong(p.outcome) && !p.bySet {
			return true
		}
	}
	return false
}

// draw takes the next pair; nil if there is none left.
func (a *attempt) draw() *pair {
	h, ok := a.course.Next(a.options)
	if !ok {
		return nil
	}
	for ; a.next[h] < len(a.pairs[h]); a.next[h]++ {
		if p := &a.pairs[h][a.next[h]]; p.seen == nil && p.outcome.Outcome == 0 && !p.pending {
			p.pending = true
			a.course.Strata[h].Pending++
			return p
		}
	}
	return nil
}

// settle takes in what was seen of a pair that was given out; false if it was not.
func (a *attempt) settle(k key, r result) bool {
	at, mine := a.at[k]
	if !mine {
		return false
	}
	p := &a.pairs[at.stratum][at.index]
	if !p.pending {
		return false
	}
	p.pending = false
	if p.seen == nil {
		a.course.Strata[at.stratum].Pending--
		a.touched = append(a.touched, at)
	}
	p.seen = &r
	return true
}

// tried yields the pairs with an outcome.
func (a *attempt) tried(yield func(*pair) bool) {
	for h := range a.pairs {
		for i := range a.pairs[h] {
			if p := &a.pairs[h][i]; p.outcome.Outcome != 0 && !p.doubt && !yield(p) {
				return
			}
		}
	}
}

// mostEvidence is how many pairs a verdict keeps.
const mostEvidence = 5

// verdict writes down how the attempt ended.
func (m *Machine) verdict(a *attempt, reason string, now int64) rule.Verdict {
	sum := a.course.Sum()
	v := rule.Verdict{
		Samples: sum.Outcomes(), Positives: sum.Positives, Negatives: sum.Negatives, Skipped: sum.Skipped,
		Bound: trial.Upper(a.course.Estimate()), Control: a.control, Threshold: min(1, a.control.Threshold(m.noise.Threshold(m.o.Tau))), Time: now, Reason: reason,
	}
	for _, negative := range []bool{true, false} {
		for p := range a.tried {
			is := p.outcome.Outcome == trial.Negative || p.outcome.Outcome == trial.Returned
			if p.outcome.Outcome != trial.Skip && is == negative && len(v.Evidence) < mostEvidence {
				v.Evidence = append(v.Evidence, rule.Example{U: p.u, V: p.v, Outcome: p.outcome.Reason.String()})
			}
		}
	}
	return v
}
