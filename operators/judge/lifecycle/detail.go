package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
)

// Detail shows a site's rules to an operator. Texts that quote URLs have passed Options.Veil.
type Detail struct {
	Course   *Course       // of the trial under way; nil: no rule is on trial
	Coverage []Point       // oldest first, up to the last tried pair
	History  []book.Change // newest first
	Tried    []book.Entry  // newest first, without followers: the part that was asked for
	Counted  int           // number of tried rules of which Tried is a part
	Likely   []LikelyRule  // of each rule of Query.Likely

	Pairs map[string][]book.Opened // the pairs of each verdict of Tried, by id; the machine does not know them

	Effects map[string]waste.Effect // by id, with Query.Effects: of the valid rules and of Tried; nil: no window is at hand
}

// LikelyRule says what became of a likely rule.
type LikelyRule struct {
	Trial   *book.Entry   // nil: the rule was not tried
	Untried forms.Untried // why it was not tried; "" with a Trial
	Number  int           // of pairs or merged forms, as in Left
	Needed  int           // as in Left
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
	ID    string     // of one rule; "": of all
	State rule.State // "": of any state
	Skip  int        // the newest rules left out
	Most  int        // the most rules returned

	Likely []rule.Rule // likely rules whose trials are asked for

	Effects bool
}

// Detail returns what the site's machine knows. O(rules tried · log + pairs of the trial under
// way · log), and with effects O(bytes of all URLs) once for each window and L.
func (an *Answers) Detail(q Query, now int64) (d Detail) {
	d.Coverage = an.coverage.until(an.book.Compared)
	d.History = slices.Clone(an.book.History)
	slices.Reverse(d.History)
	for i := range d.History {
		an.o.VeilExamples(&d.History[i].Verdict)
	}
	d.Tried, d.Counted = an.triedBy(q)
	for i := range d.Tried {
		an.o.VeilExamples(&d.Tried[i].Verdict)
	}
	if len(q.Likely) > 0 {
		d.Likely = an.likely(q.Likely, now)
	}
	if q.Effects && an.view != nil {
		d.Effects = an.effects(d.Tried)
	}
	if a := an.ongoing.current(); a != nil {
		d.Course = an.course(a, now)
	}
	return d
}

// Entry returns what is known of a rule that was tried. Its examples have not passed the veil.
func (an *Answers) Entry(id string) (e book.Entry, ok bool) {
	if known := an.book.Entries[id]; known != nil {
		return known.Told(), true
	}
	return e, false
}

// likely says what became of likely rules.
func (an *Answers) likely(rules []rule.Rule, now int64) (all []LikelyRule) {
	untried := an.untriedBy(now)
	for i := range rules {
		var l LikelyRule
		if l.Trial = an.book.TrialOf(&rules[i]); l.Trial != nil {
			an.o.VeilExamples(&l.Trial.Verdict)
		} else {
			s := untried(&rules[i])
			l.Untried, l.Number, l.Needed = s.Why, s.Number, s.Needed
		}
		all = append(all, l)
	}
	return all
}

// untriedBy returns a function that returns the reason for which a likely rule without a verdict is
// not tried.
func (an *Answers) untriedBy(now int64) func(r *rule.Rule) forms.Shortfall {
	if an.view == nil {
		return func(*rule.Rule) forms.Shortfall { return forms.Shortfall{Why: forms.Unseen} }
	}
	c := chooserOf(an.life, now)
	base := map[string]book.Candidate{}
	for _, n := range c.base() {
		if _, known := base[n.ID]; !known {
			base[n.ID] = n
		}
	}
	return func(r *rule.Rule) forms.Shortfall {
		n, known := base[rule.ID(an.book.Site, r)]
		if toward := r.Shrinking(); !known {
			n, known = base[rule.ID(an.book.Site, &toward)]
		}
		if !known {
			return forms.Shortfall{Why: map[bool]forms.Untried{true: forms.Pattern, false: forms.Unseen}[r.Scope.IsWild()]}
		}
		n = c.preferred(n)
		switch {
		case c.View.Guard.Hides(n.Rule.Text()):
			return forms.Shortfall{Why: forms.Hidden}
		case c.vetoed(&n.Rule):
			return forms.Shortfall{Why: forms.Vetoed}
		}
		n = n.WithExceptions(c.Book.Entries[n.ID])
		return c.View.Shortfall(&n)
	}
}

// effects returns the effects of the rules of L, and of other rules that were tried.
func (an *Answers) effects(tried []book.Entry) map[string]waste.Effect {
	all := map[string]waste.Effect{}
	for place, e := range an.view.Effects() {
		all[an.view.List[place].ID] = e
	}
	var others []*rule.Rule
	var ids []string
	for i := range tried {
		if _, known := all[tried[i].ID]; !known {
			others, ids = append(others, &tried[i].Rule), append(ids, tried[i].ID)
		}
	}
	for i, e := range an.view.EffectsOf(others) {
		all[ids[i]] = e
	}
	return all
}

// triedBy returns the tried rules that are asked for, and the number of all that match but for
// Skip and Most.
func (an *Answers) triedBy(q Query) (part []book.Entry, all int) {
	entries := an.book.OldestFirst()
	slices.Reverse(entries)
	for _, e := range entries {
		if q.State != "" && e.State != q.State || q.ID != "" && e.ID != q.ID {
			continue
		}
		if all++; all > q.Skip && len(part) < q.Most {
			part = append(part, e.Told())
		}
	}
	return part, all
}

// course returns the course of a trial.
func (an *Answers) course(a *trials.Trial, now int64) *Course {
	c := &Course{OnTrial: *an.trialOf(a), Epsilon: an.o.Trial.Epsilon, Threshold: a.Threshold(an.judge(now)), Control: a.Control}
	places := slices.Clone(a.Touched)
	number := func(at trials.Place) int64 {
		if p := &a.Pairs[at.Stratum][at.Index]; p.Seen != nil {
			return p.Seen.Number
		}
		return 0 // the pair sent the rule back to trial
	}
	slices.SortStableFunc(places, func(x, y trials.Place) int { return int(min(max(number(x)-number(y), -1), 1)) })
	at := trial.Tally{Exceptions: a.Tally.Exceptions}
	for h := range at.Strata {
		at.Strata[h].Pairs = a.Tally.Strata[h].Pairs
	}
	for _, place := range places {
		p := &a.Pairs[place.Stratum][place.Index]
		if p.Outcome.Outcome == 0 || p.Doubt {
			continue
		}
		at.Add(place.Stratum, p.Outcome.Outcome, 1)
		tried := TriedPair{U: an.o.Veil.Mask(p.Asked()), V: an.o.Veil.Mask(p.V), Outcome: p.Outcome.Outcome, Reason: p.Outcome.Reason, Bound: at.Bound()}
		if p.Seen != nil && p.Seen.Compared != nil {
			tried.Compared, tried.Alike = true, p.Seen.Compared.Alike
		}
		c.Tried = append(c.Tried, tried)
	}
	return c
}
