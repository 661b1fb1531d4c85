package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
)

// trier tries candidates and proves provisional rules.
type trier struct {
	*life
	asks     *asks
	dialogue *Dialogue
	learner  *learner
	faults   *faults
	prover   *prover
	verdicts *verdicts

	open    int  // see Status.Open
	resting bool // candidates rest: see yield

	untried      int    // see Private.Rules
	firstUntried string // see Private.FirstRule

	sought     *[]book.Candidate // those that may be tried, as of this Next; nil: they were not sought
	notTried   *forms.NotTried   // as of notTriedOf; nil: nothing
	notTriedOf *forms.View
}

// next continues the trial of the best candidate, in the first stage that has something to do.
func (tr *trier) next(now int64) (Look, step) {
	if tr.sought = nil; !tr.mayTry() {
		return Look{}, nothing
	}
	isChosen := tr.ongoing.rule == nil
	if isChosen {
		if s := tr.choose(now); s != ready {
			return Look{}, s
		}
	}
	a := tr.ongoing.rule
	missing := a.Rejudge(tr.judge(now))
	if isChosen {
		a.Accepted = a.Negatives()
	}
	for _, stage := range stages {
		if look, s := stage(tr, a, missing, now); s != nothing {
			return look, s
		}
	}
	return tr.give(a, a.Draw(), now)
}

// stages are the stages of the trial of a candidate, in order. A stage without anything to do passes on to
// the next, and the last of all is to draw another pair. missing is a pair missing from the control.
var stages = [...]func(tr *trier, a *trials.Trial, missing *forms.Pair, now int64) (Look, step){
	(*trier).giveWay,          // waits for nothing: a pair differs, and another candidate may be worth more
	(*trier).setAside,         // waits for nothing: a pair may be looked at again later, and others meanwhile
	(*trier).trace,            // waits for the pairs that tell whose fault a negative is
	(*trier).corroborateTrial, // waits for second looks, decoys, and the pairs of the control
	(*trier).leaveToChance,    // waits for a second look at pages about as alike as the threshold
	(*trier).tellNames,        // waits for a pair of names that make other pages where others make none
	(*trier).exceptUnlike,     // waits for nothing: pages that the log shows to be unlike explain the negatives
	(*trier).conclude,         // waits for a pair outside an exception, if one may save the rule
}

// mayTry reports whether rules may be tried.
func (tr *trier) mayTry() bool {
	begun := tr.ongoing.rule != nil && tr.ongoing.rule.IsNew
	return tr.rest == NoRest || tr.rest == LastRule && (begun || tr.book.Resumes())
}

// why returns the reason for which no candidate is tried.
func (tr *trier) why(now int64) Now {
	chooser := chooserOf(tr.life, now)
	if tr.sought == nil {
		tr.sought = new(chooser.openCandidates())
	}
	open := *tr.sought
	tr.open = tr.view.MayGain(open)
	tr.noteNotTried(open)
	switch {
	case tr.rest > NoRest && tr.open > 0:
		return Now{Why: Kept}
	case tr.resting:
		return Now{Why: LittleLeft, Until: tr.yield.until}
	case tr.open > 0 && len(tr.view.List) >= tr.o.MaxRules:
		return Now{Why: ListFull}
	case len(open) > 0:
		return Now{Why: Unable, Until: tr.learner.levelAt(), Left: leftOf(tr.view, open)}
	case len(chooser.base()) > 0:
		return Now{Why: AllTried}
	}
	return Now{Why: NoneLikely}
}

// noteNotTried notes which candidates cannot be tried, since too few of their pairs may be fetched, once for each view.
func (tr *trier) noteNotTried(open []book.Candidate) {
	if tr.notTriedOf != tr.view {
		tr.notTried, tr.notTriedOf = nil, tr.view
		if found := tr.view.NotTried(open); found.Rules > 0 {
			tr.notTried = &found
		}
	}
}

// choose begins the trial of the best candidate, or mines the forms before if the candidate merges few.
func (tr *trier) choose(now int64) step {
	chooser := chooserOf(tr.life, now)
	open := chooser.openCandidates()
	tr.sought = &open
	present := open
	if tr.rest == NoRest {
		present = tr.ongoing.aside.without(open, now)
	}
	c, ok := chooser.choose(present)
	tr.open = tr.view.MayGain(open)
	untried, first := tr.view.Untried(open)
	if tr.untried, tr.firstUntried = untried, ""; first != nil {
		tr.firstUntried = first.Rule.Words()
	}
	if tr.resting = ok && tr.rests(chooser, &c, now); tr.resting {
		ok = false
	}
	if !ok && tr.rest == NoRest && tr.ongoing.aside.waits(now) {
		return waiting
	}
	if s := tr.beforeTrial(chooser, &c, ok, present, now); s != nothing {
		return s
	}
	if !ok || len(tr.view.List) >= tr.o.MaxRules || tr.rest == LastRule && !tr.book.IsResumed(c.ID) {
		return nothing
	}
	a := trials.New(tr.judge(now), c, tr.view.Forms, tr.view.Moves(&c), tr.book.Anew(&c), tr.ongoing.awaited)
	a.IsNew = true
	tr.begin(a)
	return ready
}

// begin begins a trial. Pairs that sent the rule back count against it.
func (tr *trier) begin(a *trials.Trial) {
	if e := tr.book.Entries[a.Candidate.ID]; e != nil {
		for _, against := range e.Sent {
			if !a.Candidate.Rule.Excepts([]byte(against.U)) {
				a.Negative(against)
			}
		}
	}
	tr.ongoing.rule = a
}

// beforeTrial does what comes before the trial of the best candidate, if there is one: forms are mined if
// it merges few, and provisional rules are proved: see provesFirst. Mining takes no request, so it
// comes first.
func (tr *trier) beforeTrial(chooser *chooser, c *book.Candidate, ok bool, present []book.Candidate, now int64) step {
	if ok && tr.learner.mayLearn(now) && tr.view.LearnsEarly(&tr.book.Learned, tr.view.Gain(c)) {
		tr.learner.learn(1, now)
		return changed
	}
	proofs := slices.DeleteFunc(tr.prover.provable(now), func(place int) bool { return tr.ongoing.aside.has(tr.view.List[place].ID, now) })
	if len(proofs) == 0 || tr.rest != NoRest {
		return nothing
	}
	if ok && (tr.book.IsResumed(c.ID) || !tr.prover.provesFirst(proofs[0], c, (c.Late || tr.prover.mergesFew(c)) && tr.prover.mergeFew(present), chooser)) {
		return nothing
	}
	if stage := tr.view.NextStage(&tr.book.Learned); !ok && stage > 0 && tr.learner.mayLearn(now) {
		tr.learner.learn(stage, now)
		return changed
	}
	tr.begin(tr.prover.proofOf(proofs[0], now))
	return ready
}

// setAside ends a trial for now if it waits for a second look that comes later: see aside.
func (tr *trier) setAside(a *trials.Trial, _ *forms.Pair, now int64) (Look, step) {
	if !tr.goesOnLater(a.Candidate.ID, a.FirstAt(), now) {
		return Look{}, nothing
	}
	tr.ongoing.rule = nil
	return Look{}, changed
}

// giveWay ends a trial for now if a pair differs: another candidate may be worth more. Where other rules
// wait for the refutation, or the candidate is small, that saves nothing.
func (tr *trier) giveWay(a *trials.Trial, _ *forms.Pair, _ int64) (Look, step) {
	c := &a.Candidate
	if a.Negatives() <= a.Accepted || !a.IsNew || tr.o.Off.GivingWay || tr.rest != NoRest || trials.HasSuccessors(&c.Rule) || !tr.view.IsLarge(tr.view.Gain(c)) {
		return Look{}, nothing
	}
	tr.ongoing.rule = nil
	return Look{}, changed
}

func (tr *trier) corroborateTrial(a *trials.Trial, missing *forms.Pair, now int64) (Look, step) {
	return tr.dialogue.corroborate(a, purposeOf(a), missing, now)
}

// trace finds the cause of the negatives of a trial. v is the result of the rule on the
// form that L makes of u. If u and its form differ already, the pair proves nothing about
// the rule, and L is wrong about u. For each negative pair in which L took part, u and its
// form are therefore compared as well.
func (tr *trier) trace(a *trials.Trial, _ *forms.Pair, now int64) (Look, step) {
	for p := range a.Tried {
		if p.U == p.Form || p.Outcome.Outcome != trial.Negative && !p.ByList {
			continue
		}
		c := tr.view.Control(p.U)
		step := tr.judge(now).Pair(p.U, p.Form, 0, &c)
		if step.Asks() || step.Seen.Second == nil && tr.ongoing.awaited[step.Key] {
			return tr.dialogue.ask(purposeOf(a), a.Candidate.ID, step)
		}
		if step.Outcome.Outcome == trial.Negative {
			if look, done := tr.faults.sendBack(tr.prover.partBefore(a), step, purposeOf(a), a.Candidate.ID, 0, now); done != nothing {
				return look, done
			}
		}
	}
	return Look{}, nothing
}

// leaveToChance ends a trial undecided if the pages are about as alike as the threshold.
func (tr *trier) leaveToChance(a *trials.Trial, _ *forms.Pair, now int64) (Look, step) {
	near, p := a.NearThreshold(tr.judge(now))
	if near {
		tr.verdicts.decide(a, trial.Undecided, now)
		return Look{}, changed
	}
	if p == nil {
		return Look{}, nothing
	}
	look, s := tr.dialogue.ask(purposeOf(a), a.Candidate.ID, p)
	p.Awaited = p.Awaited || s == gave
	return look, s
}

// tellNames refutes a rule of several names if some of them make other pages: the others go on without them.
func (tr *trier) tellNames(a *trials.Trial, _ *forms.Pair, now int64) (Look, step) {
	p, awaited, bad := a.Differing()
	if p != nil || awaited {
		return tr.give(a, p, now)
	}
	if len(bad) == 0 {
		return Look{}, nothing
	}
	a.Without(bad)
	tr.verdicts.decide(a, trial.Refuted, now)
	return Look{}, changed
}

// exceptUnlike gives the rule on trial an exception for all unlike pairs, if that explains the
// negatives. The trial goes on, and the outcomes so far count.
func (tr *trier) exceptUnlike(a *trials.Trial, _ *forms.Pair, now int64) (Look, step) {
	if a.Tally.Sum().Negatives == 0 || a.Tally.Returned > 0 || a.StaysStrict() || tr.o.Off.UnlikePages {
		return Look{}, nothing
	}
	r, ok := a.WithoutUnlike()
	if t := a.Examined(); !ok || !t.MayExplain() || !tr.verdicts.resumeWith(a, r, true, now) {
		return Look{}, nothing
	}
	return Look{}, changed
}

// conclude ends a trial with a verdict. A rule that would be refuted is given an exception instead, if one
// explains the negatives. So is a candidate that differs again and again, since each such pair delays its verdict.
func (tr *trier) conclude(a *trials.Trial, _ *forms.Pair, now int64) (Look, step) {
	v := trials.VerdictOn(a, tr.o.Trial)
	if v == trial.Open && a.IsNew && a.Negatives() >= trials.Telling {
		if r, ok := a.WithException(tr.o); ok && tr.verdicts.resumeWith(a, r, false, now) {
			return Look{}, changed
		}
	}
	if v == trial.Open {
		return Look{}, nothing
	}
	if v == trial.Refuted {
		if p := a.MayComeToExcept(tr.o); p != nil {
			return tr.dialogue.give(a, p, purposeOf(a), now)
		}
		if r, ok := a.WithException(tr.o); ok && tr.verdicts.resumeWith(a, r, false, now) {
			return Look{}, changed
		}
	}
	if v == trial.Valid || v == trial.Joins {
		p, awaited, holds := tr.widens(a)
		if p != nil || awaited {
			return tr.give(a, p, now)
		}
		if !holds {
			v = trial.Undecided
		}
	}
	tr.verdicts.decide(a, v, now)
	return Look{}, changed
}

// widens takes a pair of what a rule that holds so far would edit as well: sets of its names, folders, then pages of other
// sizes. holds is false if too many of these cannot be had.
func (tr *trier) widens(a *trials.Trial) (p *trials.Pair, awaited, holds bool) {
	p, awaited, unseen := a.Together()
	if p != nil || awaited {
		return p, awaited, false
	}
	if a.Without(unseen); len(unseen) > 0 {
		return nil, false, false
	}
	p, awaited, folders := a.Elsewhere()
	if p != nil || awaited || !a.Leave(folders) {
		return p, awaited, false
	}
	p, awaited, apart := a.Apart()
	return p, awaited, p == nil && !awaited && a.LeaveApart(apart)
}

// give gives out a pair of a trial, which ends undecided if the pair needs a stand-in that the rule may not be given at
// present. If the pair is nil, others are awaited.
func (tr *trier) give(a *trials.Trial, p *trials.Pair, now int64) (Look, step) {
	if p != nil && tr.asks.lacksStandIn(a, p) {
		a.Release(p.Key)
		a.LacksStandIns = true
		tr.verdicts.decide(a, trial.Undecided, now)
		return Look{}, changed
	}
	return tr.dialogue.give(a, p, purposeOf(a), now)
}
