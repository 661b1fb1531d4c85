package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// Detail shows a site's rules to an operator. Texts that quote URLs have passed Options.Veil.
type Detail struct {
	Course   *Course      // of the trial under way; nil: no rule is on trial
	Coverage []Point      // oldest first, up to the last tried pair
	History  []Change     // newest first
	Tried    []Entry      // newest first, without followers: the part that was asked for
	Counted  int          // number of tried rules of which Tried is a part
	Likely   []LikelyRule // of each rule of Query.Likely
}

// LikelyRule says what became of a likely rule.
type LikelyRule struct {
	Trial   *Entry  // nil: the rule was not tried
	Untried Untried // why it was not tried; "" with a Trial
	Number  int     // of pairs or merged forms, as in Left
	Needed  int     // as in Left
}

// Course is the course of a trial.
type Course struct {
	OnTrial
	Epsilon   float64 // ε: the rule is valid once Bound is below
	Threshold float64 // τ_R: the resemblance of a positive pair
	Control   rule.Control
	Tried     []TriedPair // in the order of the trials
}

// TriedPair is a pair with an outcome.
type TriedPair struct {
	U, V     string
	Outcome  trial.Outcome
	Reason   trial.Reason
	Compared bool    // both pages were there; else Alike says nothing
	Alike    float64 // resemblance of the two pages
	Bound    float64 // upper bound of the share of negatives after this pair
}

// Query says which tried rules are asked for.
type Query struct {
	State rule.State // "": of any state
	Skip  int        // the newest rules left out
	Most  int        // the most rules returned

	Likely []rule.Rule // likely rules whose trials are asked for
}

// Detail returns what the site's machine knows. O(rules tried · log + pairs of the trial under
// way · log).
func (m *Machine) Detail(q Query, now int64) (d Detail) {
	pl := m.planner
	d.Coverage = pl.coverage.until(m.book.compared)
	d.History = slices.Clone(m.book.history)
	slices.Reverse(d.History)
	for i := range d.History {
		pl.o.veilExamples(&d.History[i].Verdict)
	}
	d.Tried, d.Counted = pl.triedBy(q)
	for i := range d.Tried {
		pl.o.veilExamples(&d.Tried[i].Verdict)
	}
	if len(q.Likely) > 0 {
		d.Likely = pl.likely(q.Likely, now)
	}
	if a := pl.trials.current(); a != nil {
		d.Course = pl.course(a, now)
	}
	return d
}

// likely says what became of likely rules.
func (pl *planner) likely(rules []rule.Rule, now int64) (all []LikelyRule) {
	untried := pl.untriedBy(now)
	for i := range rules {
		var l LikelyRule
		if l.Trial = pl.book.trialOf(&rules[i]); l.Trial != nil {
			pl.o.veilExamples(&l.Trial.Verdict)
		} else {
			s := untried(&rules[i])
			l.Untried, l.Number, l.Needed = s.why, s.number, s.needed
		}
		all = append(all, l)
	}
	return all
}

// triedBy returns the tried rules that are asked for, and the number of all that match but for
// Skip and Most.
func (pl *planner) triedBy(q Query) (part []Entry, all int) {
	entries := pl.book.oldestFirst()
	slices.Reverse(entries)
	for _, e := range entries {
		if q.State != "" && e.State != q.State {
			continue
		}
		if all++; all > q.Skip && len(part) < q.Most {
			part = append(part, e.told())
		}
	}
	return part, all
}

// told returns a copy of the entry without what is for the machine alone.
func (e *Entry) told() Entry {
	copied := *e
	copied.Followers, copied.Late, copied.Sent = nil, nil, nil
	return copied
}

// trialOf returns a copy of the entry of a likely rule, or nil. A pair is valid if one of its
// directions is; else the direction of the likely rule is told if it was tried.
func (b *book) trialOf(r *rule.Rule) *Entry {
	found := b.entries[rule.ID(b.site, r)]
	if r.Kind == rule.Substring {
		back := r.Opposite()
		if other := b.entries[rule.ID(b.site, &back)]; other != nil && (found == nil || other.State == rule.Valid && found.State != rule.Valid) {
			found = other
		}
	}
	if found == nil {
		return nil
	}
	e := found.told()
	return &e
}

// veilExamples replaces the examples of a verdict by masked copies.
func (o *Options) veilExamples(v *rule.Verdict) {
	v.Examples = slices.Clone(v.Examples)
	for i := range v.Examples {
		e := &v.Examples[i]
		e.U, e.V = o.Veil.Mask(e.U), o.Veil.Mask(e.V)
	}
}

// current returns the trial of a rule under way, or nil.
func (t *trials) current() *attempt {
	if t.recheck != nil {
		return t.recheck
	}
	return t.rule
}

// course returns the course of a trial.
func (pl *planner) course(a *attempt, now int64) *Course {
	purpose := Trial
	if a == pl.trials.recheck {
		purpose = Recheck
	}
	c := &Course{OnTrial: *onTrial(OnTrial{ID: a.c.id, Rule: new(rule.Rule), Purpose: purpose}, &a.tally), Epsilon: pl.o.Trial.Epsilon, Threshold: a.threshold(pl.judge(now)), Control: a.control}
	*c.Rule = a.c.rule
	places := slices.Clone(a.touched)
	number := func(at place) int64 {
		if p := &a.pairs[at.stratum][at.index]; p.seen != nil {
			return p.seen.Number
		}
		return 0 // the pair sent the rule back to trial
	}
	slices.SortStableFunc(places, func(x, y place) int { return int(min(max(number(x)-number(y), -1), 1)) })
	at := trial.Tally{Exceptions: a.tally.Exceptions}
	for h := range at.Strata {
		at.Strata[h].Pairs = a.tally.Strata[h].Pairs
	}
	for _, place := range places {
		p := &a.pairs[place.stratum][place.index]
		if p.outcome.Outcome == 0 || p.doubt {
			continue
		}
		at.Add(place.stratum, p.outcome.Outcome, 1)
		tried := TriedPair{U: pl.o.Veil.Mask(p.u), V: pl.o.Veil.Mask(p.v), Outcome: p.outcome.Outcome, Reason: p.outcome.Reason, Bound: at.Bound()}
		if p.seen != nil && p.seen.Compared != nil {
			tried.Compared, tried.Alike = true, p.seen.Compared.Alike
		}
		c.Tried = append(c.Tried, tried)
	}
	return c
}
