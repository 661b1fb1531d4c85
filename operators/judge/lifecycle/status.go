package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// Status is a summary of the rules of a site.
type Status struct {
	States      map[rule.State]int // of the tried rules
	Provisional int                // of the valid rules, those that are not proved
	Now         Now                // as of the last Next
	Trial       *OnTrial           // nil: nothing is on trial
	Open        int                // candidates that may have enough gain, after the last candidate was chosen, itself included; 0 if none was left
	Pairs       int                // outcomes remembered
	URLs        int                // of the window
	Forms       int                // canonical forms of the window's URLs under L; 0 before the first Next
	Out         int                // the same under the published rules alone
	LevelAt     int64              // the forms may be mined again from this time on; 0: they were not mined yet, or are not mined again
	Private     forms.Private      // URLs that are never fetched
	Named       Named              // pairs reported by crawlers
	Wishes      *book.Wishes       // of operators; nil: none
	Outdated    []book.Outdated    // files that operators took and that have rules which are no longer published as they are there
	NotTried    *forms.NotTried    // nil: none; candidates of which too few pairs may be fetched, as of the last time that nothing was left to try

	Pinned map[string]rule.Rule // rules pinned by id that were tried
}

// Merged returns the share of the window's URLs that the published rules merge with other URLs.
func (s *Status) Merged() float64 {
	if s.Out == 0 {
		return 0
	}
	return book.Share(s.URLs-s.Out, s.URLs)
}

// WouldMerge returns the share of URLs that the other rules of L would merge as well.
func (s *Status) WouldMerge() float64 { return book.Share(s.Out-s.Forms, s.URLs) }

// OnTrial is a trial under way, and its outcomes so far.
type OnTrial struct {
	ID      string     // of the rule; "" for the set
	Rule    *rule.Rule // nil for the set
	Purpose Purpose
	Pairs   int // that may be fetched

	Positives, Negatives, Skipped int

	Bound float64 // upper bound of the share of negatives; 1 without outcomes
}

// Words describes the trial: its rule and step, or the set.
func (t *OnTrial) Words() string {
	switch {
	case t.Rule == nil:
		return "all rules together"
	case t.Purpose == Proof:
		return "proof of: " + t.Rule.Words()
	}
	return t.Rule.Words()
}

// Answers tells callers and operators what is known.
type Answers struct {
	*life
	asks     *asks
	dialogue *Dialogue
	learner  *learner
	prover   *prover
	verdicts *verdicts
	trier    *trier
}

// Status returns a summary. O(rules tried).
func (an *Answers) Status() Status {
	s := Status{States: map[rule.State]int{}, Now: an.present, Trial: an.onTrial(), Open: an.trier.open, Pairs: an.book.Memory.Tried(), Private: an.private(), Named: an.dialogue.named.status(), Wishes: an.book.Wishes.Act(), Outdated: an.book.Outdated, NotTried: an.trier.notTried, Pinned: an.book.PinnedRules()}
	for _, e := range an.book.Entries {
		s.States[e.State]++
		if e.IsProvisional() {
			s.Provisional++
		}
	}
	if an.window != nil {
		s.URLs = len(an.window.Pages)
	}
	if an.view != nil {
		s.Forms, s.Out = len(an.view.Forms.Texts), an.publisher.formsOut(an.view)
		s.LevelAt = an.learner.levelAt()
	}
	return s
}

// LookNotTried notes what Status.NotTried has, although candidates are left to try. O(candidates · moves).
func (an *Answers) LookNotTried(now int64) {
	if an.view != nil && an.guard.Has == nil {
		an.trier.noteNotTried(chooserOf(an.life, now).openCandidates())
	}
}

// onTrial returns the trial under way, or nil. The trial of the set stays after its end, without looks given out.
func (an *Answers) onTrial() *OnTrial {
	t := an.ongoing
	if t.set != nil && len(t.awaited) > 0 {
		return onTrial(OnTrial{Purpose: SetTrial}, &t.set.Tally)
	}
	if a := t.current(); a != nil {
		return an.trialOf(a)
	}
	return nil
}

// trialOf returns a trial of a rule, with a copy of the rule, since a pointer into the trial would keep the window in
// memory.
func (an *Answers) trialOf(a *trials.Trial) *OnTrial {
	purpose := purposeOf(a)
	if a == an.ongoing.recheck {
		purpose = Recheck
	}
	return onTrial(OnTrial{ID: a.Candidate.ID, Rule: new(a.Candidate.Rule), Purpose: purpose}, &a.Tally)
}

func onTrial(s OnTrial, t *trial.Tally) *OnTrial {
	sum := t.Sum()
	s.Pairs, s.Positives, s.Negatives, s.Skipped, s.Bound = sum.Pairs, sum.Positives, sum.Negatives, sum.Skipped, t.Bound()
	return &s
}

// private returns the counts of the guard, and of the trials.
func (an *Answers) private() forms.Private {
	g := an.guard
	if g == nil || g.Has != nil { // nothing is fetched from a site
		return forms.Private{}
	}
	return forms.Private{Alone: !g.Window.Clients, Single: g.Window.Single(), Nobody: g.Window.Nobody(), Any: g.Kinds == nil, URLs: len(g.Of),
		Secret: g.Counts[forms.Secret], OneClient: g.Counts[forms.OneClient], Unasked: g.Counts[forms.Unasked], Pairs: an.verdicts.barred, Rules: an.trier.untried,
		FirstSecret: g.First[forms.Secret], FirstOneClient: g.First[forms.OneClient], FirstUnasked: g.First[forms.Unasked], FirstRule: an.trier.firstUntried}
}

// Owes reports whether the machine has unpublished rules that hold and that would be published after a
// trial of the set. Rules of which it is not known yet whether they are held back count.
func (an *Answers) Owes() bool {
	return an.view != nil && an.publisher.owes(an.view.List)
}

// owed returns the value, for each pair, of the trial of the set or of a recheck that
// is due.
func (an *Answers) owed(now int64) float64 {
	merged := 0
	for _, e := range an.book.Entries {
		if e.State == rule.Valid {
			merged += e.Support
		}
	}
	switch {
	case an.Owes():
		return float64(merged) / float64(max(1, an.o.SetRequests))
	case len(an.dialogue.named.waiting) > 0, an.book.Round.IsOpen(), an.o.RecheckEvery > 0 && an.book.Publication.Sequence > 0 && now >= an.book.Round.LastFull()+an.o.RecheckEvery:
		return float64(merged) / float64(max(1, an.o.RecheckBudget))
	}
	return 0
}

// proving returns the greatest value of a proof that may go on, for each pair that it still takes.
func (an *Answers) proving(chance func(*book.Candidate) float64, now int64) (best float64) {
	for _, e := range an.book.Entries {
		if an.o.MayProve(e, now) {
			prior := chance(&book.Candidate{Rule: e.Rule, Grounds: e.Grounds})
			best = max(best, an.prover.worthOfProof(e, prior, e.Gain, e.Verdict.Positives, func(int) float64 { return 1 }))
		}
	}
	return best
}

// Expected returns the number of forms that a site's next trial is expected to merge, for each pair
// that the trial takes. It uses the support of the site's candidates, the verdicts on other candidates
// of the same kind, and the work waiting for proofs, the trial of the set or a recheck. It is called for every
// site, to choose which is tried first, and takes no gains, which are costly to compute. Without
// candidates, the candidates of the last Load count. O(candidates · log).
func (an *Answers) Expected(candidates []rule.Candidate, now int64) float64 {
	most := make([][book.AllGrounds]int, rule.Kinds()) // support
	take := func(id string, kind rule.Kind, g book.Grounds, support int) {
		if an.book.MayTry(an.book.Entries[id], support, now) {
			most[kind][g] = max(most[kind][g], support)
		}
	}
	for i := range candidates {
		c := &candidates[i]
		take(rule.ID(an.book.Site, &c.Rule), c.Rule.Kind(), an.o.GroundsOf(c), c.Support)
	}
	if candidates == nil {
		for i := range an.candidates {
			c := &an.candidates[i]
			take(c.ID, c.Rule.Kind(), c.Grounds, c.Support)
		}
	}
	chance := an.book.Chances()
	best := max(an.owed(now), an.proving(chance.Of, now))
	for kind := range most {
		for g, support := range most[kind] {
			best = max(best, worthOf(an.o, chance.By[kind][g], support, 1))
		}
	}
	return best
}
