package lifecycle

import (
	"cmp"

	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// try continues the trial of the best candidate, in the first stage that has something to do.
func (pl *planner) try(now int64) (Look, step) {
	isChosen := pl.attempts.rule == nil
	if isChosen {
		if s := pl.choose(now); s != ready {
			return Look{}, s
		}
	}
	a := pl.attempts.rule
	missing := a.Rejudge(pl.judge(now))
	if isChosen {
		a.Accepted = a.Negatives()
	}
	for _, stage := range stages {
		if look, s := stage(pl, a, missing, now); s != nothing {
			return look, s
		}
	}
	return pl.draw(a, purposeOf(a), now)
}

// stages are the stages of the trial of a candidate, in order. A stage without anything to do passes on to
// the next, and the last of all is to draw another pair. missing is a pair missing from the control.
var stages = [...]func(pl *planner, a *attempt.Attempt, missing *forms.Pair, now int64) (Look, step){
	(*planner).giveWay,          // waits for nothing: a pair differs, and another candidate may be worth more
	(*planner).trace,            // waits for the pairs that tell whose fault a negative is
	(*planner).corroborateTrial, // waits for second looks, decoys, and the pairs of the control
	(*planner).leaveToChance,    // waits for a second look at pages about as alike as the threshold
	(*planner).exceptUnlike,     // waits for nothing: pages that the log shows to be unlike explain the negatives
	(*planner).conclude,         // waits for a pair outside an exception, if one may save the rule
}

// choose begins the trial of the best candidate, or mines the forms before if the candidate merges few.
func (pl *planner) choose(now int64) step {
	chooser := pl.chooser(now)
	open := chooser.openCandidates()
	c, ok := chooser.choose(open)
	pl.open = pl.view.MayGain(open)
	untried, first := pl.view.Untried(open)
	if pl.untried, pl.firstUntried = untried, ""; first != nil {
		pl.firstUntried = first.Rule.Words()
	}
	if s := pl.beforeTrial(chooser, &c, ok, now); s != nothing {
		return s
	}
	if !ok || len(pl.view.List) >= pl.o.MaxRules || pl.rest == LastRule && !pl.book.IsResumed(c.ID) {
		return nothing
	}
	a := attempt.New(pl.judge(now), c, pl.view.Forms, pl.view.Moves(&c), pl.book.Anew(&c), pl.attempts.awaited)
	a.IsNew = true
	pl.begin(a)
	return ready
}

// begin begins a trial. Pairs that sent the rule back count against it.
func (pl *planner) begin(a *attempt.Attempt) {
	if e := pl.book.Entries[a.Candidate.ID]; e != nil {
		for _, against := range e.Sent {
			if !a.Candidate.Rule.Excepts([]byte(against.U)) {
				a.Negative(against)
			}
		}
	}
	pl.attempts.rule = a
}

// beforeTrial does what comes before the trial of the best candidate, if there is one: forms are mined if
// it merges few, and provisional rules are proved: see provesFirst. Mining takes no request, so it
// comes first.
func (pl *planner) beforeTrial(chooser *chooser, c *book.Candidate, ok bool, now int64) step {
	if ok && pl.mayLearn(now) && pl.view.LearnsEarly(&pl.book.Learned, pl.view.Gain(c)) {
		pl.learn(1, now)
		return changed
	}
	proofs := pl.provable(now)
	if len(proofs) == 0 || pl.rest != NoRest {
		return nothing
	}
	if ok && (pl.book.IsResumed(c.ID) || !pl.provesFirst(proofs[0], c, chooser)) {
		return nothing
	}
	if stage := pl.view.NextStage(&pl.book.Learned); !ok && stage > 0 && pl.mayLearn(now) {
		pl.learn(stage, now)
		return changed
	}
	pl.begin(pl.proofOf(proofs[0], now))
	return ready
}

// giveWay ends a trial for now if a pair differs: another candidate may be worth more. Where other rules
// wait for the refutation, or the candidate is small, that saves nothing.
func (pl *planner) giveWay(a *attempt.Attempt, _ *forms.Pair, _ int64) (Look, step) {
	c := &a.Candidate
	if a.Negatives() <= a.Accepted || !a.IsNew || pl.o.Off.GivingWay || pl.rest != NoRest || attempt.HasSuccessors(&c.Rule) || !pl.view.IsLarge(pl.view.Gain(c)) {
		return Look{}, nothing
	}
	pl.attempts.rule = nil
	return Look{}, changed
}

func (pl *planner) corroborateTrial(a *attempt.Attempt, missing *forms.Pair, now int64) (Look, step) {
	return pl.corroborate(a, purposeOf(a), missing, now)
}

// leaveToChance ends a trial undecided if the pages are about as alike as the threshold.
func (pl *planner) leaveToChance(a *attempt.Attempt, _ *forms.Pair, now int64) (Look, step) {
	switch near, p := a.NearThreshold(pl.judge(now)); {
	case near:
		pl.decide(a, trial.Undecided, now)
		return Look{}, changed
	case p == nil:
		return Look{}, nothing
	case pl.attempts.awaited[p.Key]:
		return Look{}, waiting
	default:
		p.Awaited = true
		return pl.attempts.second(purposeOf(a), a.Candidate.ID, p), gave
	}
}

// conclude ends a trial with a verdict. A rule that would be refuted is given an exception instead, if one
// explains the negatives.
func (pl *planner) conclude(a *attempt.Attempt, _ *forms.Pair, now int64) (Look, step) {
	v := attempt.VerdictOn(a, pl.o.Trial)
	if v == trial.Open {
		return Look{}, nothing
	}
	if v == trial.Refuted {
		if p := a.MayComeToExcept(pl.o); p != nil {
			return pl.give(a, p, purposeOf(a), now)
		}
		if r, ok := a.WithException(pl.o); ok && pl.resumeWith(a, r, false, now) {
			return Look{}, changed
		}
	}
	pl.decide(a, v, now)
	return Look{}, changed
}

// draw gives out the next pair of an attempt, unless the outcome has become known in the
// meantime.
func (pl *planner) draw(a *attempt.Attempt, purpose Purpose, now int64) (Look, step) {
	p := a.Draw()
	if p == nil {
		return Look{}, waiting
	}
	return pl.give(a, p, purpose, now)
}

// give gives out a pair that was drawn, unless its outcome has become known.
func (pl *planner) give(a *attempt.Attempt, p *attempt.Pair, purpose Purpose, now int64) (Look, step) {
	if r, known := pl.book.Memory.Known(p.U, p.V, a.Since, now); known {
		a.Receive(p.Key, r)
		return Look{}, changed
	}
	return pl.attempts.look(purpose, a.Candidate.ID, &p.Pair), gave
}

// corroborate continues the work that makes the outcomes of an attempt credible: second looks at
// negatives, the decoys, and the pairs of the control.
func (pl *planner) corroborate(a *attempt.Attempt, purpose Purpose, missing *forms.Pair, now int64) (Look, step) {
	if p, outstanding := a.Doubtful(); p != nil {
		p.Awaited = true
		return pl.attempts.second(purpose, a.Candidate.ID, p), gave
	} else if outstanding {
		return Look{}, waiting
	}
	sum, decided := a.Tally.Sum(), a.Tally.Decide(pl.o.Trial)
	if sum.Positives >= book.LeastPositives {
		if d := pl.judge(now).DecoyDue(decided == trial.Valid); d != nil {
			return pl.compare(a, d)
		}
	}
	ends := decided != trial.Open && (decided != trial.Refuted || !a.IsFirm())
	if missing != nil && (ends || sum.Outcomes()+sum.Skipped >= book.LeastPositives) {
		return pl.compare(a, missing)
	}
	return Look{}, nothing
}

func (pl *planner) compare(a *attempt.Attempt, p *forms.Pair) (Look, step) {
	if pl.attempts.awaited[p.Key] {
		return Look{}, waiting
	}
	return pl.attempts.look(Control, a.Candidate.ID, p), gave
}

// entryOf returns the entry of the rule on trial, without a verdict.
func (pl *planner) entryOf(a *attempt.Attempt, now int64) book.Entry {
	e := book.Entry{ID: a.Candidate.ID, Rule: a.Candidate.Rule, Support: a.Candidate.Support, Grounds: a.Candidate.Grounds, FirstSeen: now, Exceptions: a.Candidate.Exceptions, After: a.Candidate.After}
	if was := pl.book.Entries[e.ID]; was != nil {
		e.FirstSeen, e.Change, e.Sent, e.Anew = was.FirstSeen, was.Change, was.Sent, was.Anew
	}
	return e
}

// decide gives a verdict.
func (pl *planner) decide(a *attempt.Attempt, v trial.Decision, now int64) {
	pl.tellRejudged(a)
	if !a.IsNew {
		pl.endProof(a, v, now)
		return
	}
	e := pl.entryOf(a, now)
	pl.barred += a.Barred
	reason := book.ByTrial
	if a.Tally.Returned > 0 {
		reason = book.ByReturn
	}
	switch v {
	case trial.Valid, trial.Joins:
		reason = cmp.Or(pl.join(&e, a, now), reason)
	case trial.Refuted:
		e.State, e.Followers, e.Last = rule.Refuted, a.Followers(pl.view), pl.book.Memory.Last
		e.Late = pl.view.LateFollowers(&a.Candidate.Rule, pl.book.Refuted)
	default:
		if pl.keepPinned(&e, now) {
			reason = book.ByPin
			break
		}
		e.State = rule.Undecided
		if near, _ := a.NearThreshold(pl.judge(now)); near {
			reason = book.ByNear
		} else if why := a.Failing(); why != "" {
			reason = why
		} else if why := a.Undecidable(pl.o.Trial); why != "" {
			reason = why
		}
	}
	e.Verdict = a.Verdict(pl.judge(now), reason)
	if v == trial.Joins && e.State == rule.Valid {
		e.Verdict.Step, e.Anew = rule.Provisional, a.Since
		e.Joined = book.Joined{Gain: pl.view.Gain(&a.Candidate), Forms: len(pl.view.Forms.Texts), Chosen: a.Candidate.Chosen, Excepts: a.Candidate.Rule.Except != rule.Except{}}
	}
	pl.do(book.Act{Rule: &e})
}

// join gives a rule that holds its place in L, or makes way for its other direction. The reason is "" if
// the rule joined.
func (pl *planner) join(e *book.Entry, a *attempt.Attempt, now int64) (reason string) {
	if other, why := pl.leadsBack(a); why != "" {
		e.State, e.Followers = rule.Retired, []rule.Rule{other}
		return why
	}
	r, v := pl.holding(a)
	if e.Rule = r; v == trial.Refuted {
		e.State = rule.Refuted
		return book.ByUnsafe
	}
	e.State, e.Rank, e.ValidatedAt, e.Sizes = rule.Valid, pl.book.LastRank()+1, now, pl.view.SizesWith(r)
	return ""
}

// keepPinned makes a pinned rule that was valid before valid again, and reports whether it
// did.
func (pl *planner) keepPinned(e *book.Entry, now int64) bool {
	if was := pl.book.Entries[e.ID]; was == nil || was.Rank == 0 || !pl.book.Pinned(e) {
		return false
	}
	if _, rank := forms.Compile(forms.With(pl.view.Forms.Rules, e.Rule)).Unsafe(pl.window.Bytes()); rank >= 0 {
		return false
	}
	e.State, e.Rank, e.ValidatedAt, e.Sizes = rule.Valid, pl.book.LastRank()+1, now, pl.view.SizesWith(e.Rule)
	return true
}

// holding returns a rule found valid, with exceptions for the negatives of the trial. The
// rule is refuted if it would leave a URL of the window without a canonical form.
func (pl *planner) holding(a *attempt.Attempt) (rule.Rule, trial.Decision) {
	t := a.Examined()
	excepted, _ := t.Without()
	for _, r := range []rule.Rule{excepted, a.Candidate.Rule} {
		if _, rank := forms.Compile(forms.With(pl.view.Forms.Rules, r)).Unsafe(pl.window.Bytes()); rank < 0 {
			return r, trial.Valid
		}
	}
	return a.Candidate.Rule, trial.Refuted
}
