package lifecycle

import (
	"cmp"

	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
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

	open int // see Status.Open

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
	isChosen := tr.attempts.rule == nil
	if isChosen {
		if s := tr.choose(now); s != ready {
			return Look{}, s
		}
	}
	a := tr.attempts.rule
	missing := a.Rejudge(tr.judge(now))
	if isChosen {
		a.Accepted = a.Negatives()
	}
	for _, stage := range stages {
		if look, s := stage(tr, a, missing, now); s != nothing {
			return look, s
		}
	}
	return tr.draw(a, now)
}

// stages are the stages of the trial of a candidate, in order. A stage without anything to do passes on to
// the next, and the last of all is to draw another pair. missing is a pair missing from the control.
var stages = [...]func(tr *trier, a *attempt.Attempt, missing *forms.Pair, now int64) (Look, step){
	(*trier).giveWay,          // waits for nothing: a pair differs, and another candidate may be worth more
	(*trier).trace,            // waits for the pairs that tell whose fault a negative is
	(*trier).corroborateTrial, // waits for second looks, decoys, and the pairs of the control
	(*trier).leaveToChance,    // waits for a second look at pages about as alike as the threshold
	(*trier).exceptUnlike,     // waits for nothing: pages that the log shows to be unlike explain the negatives
	(*trier).conclude,         // waits for a pair outside an exception, if one may save the rule
}

// mayTry reports whether rules may be tried.
func (tr *trier) mayTry() bool {
	begun := tr.attempts.rule != nil && tr.attempts.rule.IsNew
	return tr.rest == NoRest || tr.rest == LastRule && (begun || tr.book.Resumes())
}

// why returns the reason for which no candidate is tried.
func (tr *trier) why(now int64) Now {
	chooser := tr.chooser(now)
	if tr.sought == nil {
		tr.sought = new(chooser.openCandidates())
	}
	open := *tr.sought
	tr.open = tr.view.MayGain(open)
	tr.noteNotTried(open)
	switch {
	case tr.rest > NoRest && tr.open > 0:
		return Now{Why: Kept}
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
	chooser := tr.chooser(now)
	open := chooser.openCandidates()
	tr.sought = &open
	c, ok := chooser.choose(open)
	tr.open = tr.view.MayGain(open)
	untried, first := tr.view.Untried(open)
	if tr.untried, tr.firstUntried = untried, ""; first != nil {
		tr.firstUntried = first.Rule.Words()
	}
	if s := tr.beforeTrial(chooser, &c, ok, now); s != nothing {
		return s
	}
	if !ok || len(tr.view.List) >= tr.o.MaxRules || tr.rest == LastRule && !tr.book.IsResumed(c.ID) {
		return nothing
	}
	a := attempt.New(tr.judge(now), c, tr.view.Forms, tr.view.Moves(&c), tr.book.Anew(&c), tr.attempts.awaited)
	a.IsNew = true
	tr.begin(a)
	return ready
}

// begin begins a trial. Pairs that sent the rule back count against it.
func (tr *trier) begin(a *attempt.Attempt) {
	if e := tr.book.Entries[a.Candidate.ID]; e != nil {
		for _, against := range e.Sent {
			if !a.Candidate.Rule.Excepts([]byte(against.U)) {
				a.Negative(against)
			}
		}
	}
	tr.attempts.rule = a
}

// beforeTrial does what comes before the trial of the best candidate, if there is one: forms are mined if
// it merges few, and provisional rules are proved: see provesFirst. Mining takes no request, so it
// comes first.
func (tr *trier) beforeTrial(chooser *chooser, c *book.Candidate, ok bool, now int64) step {
	if ok && tr.learner.mayLearn(now) && tr.view.LearnsEarly(&tr.book.Learned, tr.view.Gain(c)) {
		tr.learner.learn(1, now)
		return changed
	}
	proofs := tr.prover.provable(now)
	if len(proofs) == 0 || tr.rest != NoRest {
		return nothing
	}
	if ok && (tr.book.IsResumed(c.ID) || !tr.prover.provesFirst(proofs[0], c, chooser)) {
		return nothing
	}
	if stage := tr.view.NextStage(&tr.book.Learned); !ok && stage > 0 && tr.learner.mayLearn(now) {
		tr.learner.learn(stage, now)
		return changed
	}
	tr.begin(tr.prover.proofOf(proofs[0], now))
	return ready
}

// giveWay ends a trial for now if a pair differs: another candidate may be worth more. Where other rules
// wait for the refutation, or the candidate is small, that saves nothing.
func (tr *trier) giveWay(a *attempt.Attempt, _ *forms.Pair, _ int64) (Look, step) {
	c := &a.Candidate
	if a.Negatives() <= a.Accepted || !a.IsNew || tr.o.Off.GivingWay || tr.rest != NoRest || attempt.HasSuccessors(&c.Rule) || !tr.view.IsLarge(tr.view.Gain(c)) {
		return Look{}, nothing
	}
	tr.attempts.rule = nil
	return Look{}, changed
}

func (tr *trier) corroborateTrial(a *attempt.Attempt, missing *forms.Pair, now int64) (Look, step) {
	return tr.dialogue.corroborate(a, purposeOf(a), missing, now)
}

// leaveToChance ends a trial undecided if the pages are about as alike as the threshold.
func (tr *trier) leaveToChance(a *attempt.Attempt, _ *forms.Pair, now int64) (Look, step) {
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

// conclude ends a trial with a verdict. A rule that would be refuted is given an exception instead, if one
// explains the negatives.
func (tr *trier) conclude(a *attempt.Attempt, _ *forms.Pair, now int64) (Look, step) {
	v := attempt.VerdictOn(a, tr.o.Trial)
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
	tr.verdicts.decide(a, v, now)
	return Look{}, changed
}

// draw gives out the next pair of a trial, which ends undecided if the pair needs a stand-in that the rule may not
// be given at present.
func (tr *trier) draw(a *attempt.Attempt, now int64) (Look, step) {
	p := a.Draw()
	if p != nil && tr.asks.lacksStandIn(a, p) {
		a.Release(p.Key)
		a.LacksStandIns = true
		tr.verdicts.decide(a, trial.Undecided, now)
		return Look{}, changed
	}
	return tr.dialogue.give(a, p, purposeOf(a), now)
}

// verdicts gives the verdicts on rules on trial.
type verdicts struct {
	*life
	dialogue *Dialogue
	faults   *faults
	prover   *prover
	barred   int // pairs left out of the trials that ended with a verdict
}

// entryOf returns the entry of the rule on trial, without a verdict.
func (ve *verdicts) entryOf(a *attempt.Attempt, now int64) book.Entry {
	e := book.Entry{ID: a.Candidate.ID, Rule: a.Candidate.Rule, Support: a.Candidate.Support, Grounds: a.Candidate.Grounds, FirstSeen: now, Exceptions: a.Candidate.Exceptions, After: a.Candidate.After}
	if was := ve.book.Entries[e.ID]; was != nil {
		e.FirstSeen, e.Change, e.Sent, e.Anew = was.FirstSeen, was.Change, was.Sent, was.Anew
	}
	return e
}

// decide gives a verdict.
func (ve *verdicts) decide(a *attempt.Attempt, v trial.Decision, now int64) {
	ve.dialogue.tellRejudged(a)
	if !a.IsNew {
		ve.endProof(a, v, now)
		return
	}
	e := ve.entryOf(a, now)
	ve.barred += a.Barred
	reason := book.ByTrial
	if a.Tally.Returned > 0 {
		reason = book.ByReturn
	}
	switch v {
	case trial.Valid, trial.Joins:
		reason = cmp.Or(ve.join(&e, a, now), reason)
	case trial.Refuted:
		e.State, e.Followers, e.Last = rule.Refuted, a.Followers(ve.view), ve.book.Memory.Last
		e.Late = ve.view.LateFollowers(&a.Candidate.Rule, ve.book.Refuted)
	default:
		if ve.keepPinned(&e, now) {
			reason = book.ByPin
			break
		}
		e.State = rule.Undecided
		if near, _ := a.NearThreshold(ve.judge(now)); near {
			reason = book.ByNear
		} else if a.LacksStandIns {
			reason = book.ByStandIns
		} else if why := a.Failing(); why != "" {
			reason = why
		} else if why := a.Undecidable(ve.o.Trial); why != "" {
			reason = why
		}
	}
	e.Verdict = a.Verdict(ve.judge(now), reason)
	if v == trial.Joins && e.State == rule.Valid {
		e.Verdict.Step, e.Anew = rule.Provisional, a.Since
		e.Joined = book.Joined{Gain: ve.view.Gain(&a.Candidate), Forms: len(ve.view.Forms.Texts), Chosen: a.Candidate.Chosen, Excepts: a.Candidate.Rule.Except != rule.Except{}}
	}
	ve.do(book.Act{Rule: &e})
}

// join gives a rule that holds its place in L, or makes way for its other direction. The reason is "" if
// the rule joined.
func (ve *verdicts) join(e *book.Entry, a *attempt.Attempt, now int64) (reason string) {
	if other, why := ve.leadsBack(a); why != "" {
		e.State, e.Followers = rule.Retired, []rule.Rule{other}
		return why
	}
	r, v := ve.holding(a)
	if e.Rule = r; v == trial.Refuted {
		e.State = rule.Refuted
		return book.ByUnsafe
	}
	e.State, e.Rank, e.ValidatedAt, e.Sizes = rule.Valid, ve.book.LastRank()+1, now, ve.view.SizesWith(r)
	return ""
}

// keepPinned makes a pinned rule that was valid before valid again, and reports whether it
// did.
func (ve *verdicts) keepPinned(e *book.Entry, now int64) bool {
	if was := ve.book.Entries[e.ID]; was == nil || was.Rank == 0 || !ve.book.Pinned(e) {
		return false
	}
	if _, rank := forms.Compile(forms.With(ve.view.Forms.Rules, e.Rule)).Unsafe(ve.window.Bytes()); rank >= 0 {
		return false
	}
	e.State, e.Rank, e.ValidatedAt, e.Sizes = rule.Valid, ve.book.LastRank()+1, now, ve.view.SizesWith(e.Rule)
	return true
}

// holding returns a rule found valid, with exceptions for the negatives of the trial. The
// rule is refuted if it would leave a URL of the window without a canonical form.
func (ve *verdicts) holding(a *attempt.Attempt) (rule.Rule, trial.Decision) {
	t := a.Examined()
	excepted, _ := t.Without()
	for _, r := range []rule.Rule{excepted, a.Candidate.Rule} {
		if _, rank := forms.Compile(forms.With(ve.view.Forms.Rules, r)).Unsafe(ve.window.Bytes()); rank < 0 {
			return r, trial.Valid
		}
	}
	return a.Candidate.Rule, trial.Refuted
}
