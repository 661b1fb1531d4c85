package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
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
	s := Status{States: map[rule.State]int{}, Now: an.present, Trial: an.ongoing.status(), Open: an.trier.open, Pairs: an.book.Memory.Tried(), Private: an.private(), Named: an.dialogue.named.status(), Wishes: an.book.Wishes.Act(), Outdated: an.book.Outdated, NotTried: an.trier.notTried, Pinned: an.book.PinnedRules()}
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

// status returns the trial under way, with a copy of its rule, since a pointer into a trial would keep the
// window in memory. The trial of the set stays after its end, without looks given out.
func (t *ongoing) status() *OnTrial {
	switch {
	case t.set != nil && len(t.awaited) > 0:
		return onTrial(OnTrial{Purpose: SetTrial}, &t.set.Tally)
	case t.recheck != nil:
		return onTrial(OnTrial{ID: t.recheck.Candidate.ID, Rule: new(t.recheck.Candidate.Rule), Purpose: Recheck}, &t.recheck.Tally)
	case t.rule != nil:
		return onTrial(OnTrial{ID: t.rule.Candidate.ID, Rule: new(t.rule.Candidate.Rule), Purpose: purposeOf(t.rule)}, &t.rule.Tally)
	}
	return nil
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
