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
func (m *Machine) try(now int64) (Look, step) {
	isChosen := m.attempts.rule == nil
	if isChosen {
		if s := m.choose(now); s != ready {
			return Look{}, s
		}
	}
	a := m.attempts.rule
	missing := a.Rejudge(m.judge(now))
	if isChosen {
		a.Accepted = a.Negatives()
	}
	for _, stage := range stages {
		if look, s := stage(m, a, missing, now); s != nothing {
			return look, s
		}
	}
	return m.draw(a, purposeOf(a), now)
}

// stages are the stages of the trial of a candidate, in order. A stage without anything to do passes on to
// the next, and the last of all is to draw another pair. missing is a pair missing from the control.
var stages = [...]func(m *Machine, a *attempt.Attempt, missing *forms.Pair, now int64) (Look, step){
	(*Machine).giveWay,          // waits for nothing: a pair differs, and another candidate may be worth more
	(*Machine).trace,            // waits for the pairs that tell whose fault a negative is
	(*Machine).corroborateTrial, // waits for second looks, decoys, and the pairs of the control
	(*Machine).leaveToChance,    // waits for a second look at pages about as alike as the threshold
	(*Machine).exceptUnlike,     // waits for nothing: pages that the log shows to be unlike explain the negatives
	(*Machine).conclude,         // waits for a pair outside an exception, if one may save the rule
}

// choose begins the trial of the best candidate, or mines the forms before if the candidate merges few.
func (m *Machine) choose(now int64) step {
	chooser := m.chooser(now)
	open := chooser.openCandidates()
	c, ok := chooser.choose(open)
	m.open = m.view.MayGain(open)
	untried, first := m.view.Untried(open)
	if m.untried, m.firstUntried = untried, ""; first != nil {
		m.firstUntried = first.Rule.Words()
	}
	if s := m.beforeTrial(chooser, &c, ok, now); s != nothing {
		return s
	}
	if !ok || len(m.view.List) >= m.o.MaxRules || m.rest == LastRule && !m.book.IsResumed(c.ID) {
		return nothing
	}
	a := attempt.New(m.judge(now), c, m.view.Forms, m.view.Moves(&c), m.book.Anew(&c), m.attempts.awaited)
	a.IsNew = true
	m.begin(a)
	return ready
}

// begin begins a trial. Pairs that sent the rule back count against it.
func (m *Machine) begin(a *attempt.Attempt) {
	if e := m.book.Entries[a.Candidate.ID]; e != nil {
		for _, against := range e.Sent {
			if !a.Candidate.Rule.Excepts([]byte(against.U)) {
				a.Negative(against)
			}
		}
	}
	m.attempts.rule = a
}

// beforeTrial does what comes before the trial of the best candidate, if there is one: forms are mined if
// it merges few, and provisional rules are proved: see provesFirst. Mining takes no request, so it
// comes first.
func (m *Machine) beforeTrial(chooser *chooser, c *book.Candidate, ok bool, now int64) step {
	if ok && m.mayLearn(now) && m.view.LearnsEarly(&m.book.Learned, m.view.Gain(c)) {
		m.learn(1, now)
		return changed
	}
	proofs := m.provable(now)
	if len(proofs) == 0 || m.rest != NoRest {
		return nothing
	}
	if ok && (m.book.IsResumed(c.ID) || !m.provesFirst(proofs[0], c, chooser)) {
		return nothing
	}
	if stage := m.view.NextStage(&m.book.Learned); !ok && stage > 0 && m.mayLearn(now) {
		m.learn(stage, now)
		return changed
	}
	m.begin(m.proofOf(proofs[0], now))
	return ready
}

// giveWay ends a trial for now if a pair differs: another candidate may be worth more. Where other rules
// wait for the refutation, or the candidate is small, that saves nothing.
func (m *Machine) giveWay(a *attempt.Attempt, _ *forms.Pair, _ int64) (Look, step) {
	c := &a.Candidate
	if a.Negatives() <= a.Accepted || !a.IsNew || m.o.Off.GivingWay || m.rest != NoRest || attempt.HasSuccessors(&c.Rule) || !m.view.IsLarge(m.view.Gain(c)) {
		return Look{}, nothing
	}
	m.attempts.rule = nil
	return Look{}, changed
}

func (m *Machine) corroborateTrial(a *attempt.Attempt, missing *forms.Pair, now int64) (Look, step) {
	return m.corroborate(a, purposeOf(a), missing, now)
}

// leaveToChance ends a trial undecided if the pages are about as alike as the threshold.
func (m *Machine) leaveToChance(a *attempt.Attempt, _ *forms.Pair, now int64) (Look, step) {
	switch near, p := a.NearThreshold(m.judge(now)); {
	case near:
		m.decide(a, trial.Undecided, now)
		return Look{}, changed
	case p == nil:
		return Look{}, nothing
	case m.attempts.awaited[p.Key]:
		return Look{}, waiting
	default:
		p.Awaited = true
		return m.attempts.second(purposeOf(a), a.Candidate.ID, p), gave
	}
}

// conclude ends a trial with a verdict. A rule that would be refuted is given an exception instead, if one
// explains the negatives.
func (m *Machine) conclude(a *attempt.Attempt, _ *forms.Pair, now int64) (Look, step) {
	v := attempt.VerdictOn(a, m.o.Trial)
	if v == trial.Open {
		return Look{}, nothing
	}
	if v == trial.Refuted {
		if p := a.MayComeToExcept(m.o); p != nil {
			return m.give(a, p, purposeOf(a), now)
		}
		if r, ok := a.WithException(m.o); ok && m.resumeWith(a, r, false, now) {
			return Look{}, changed
		}
	}
	m.decide(a, v, now)
	return Look{}, changed
}

// draw gives out the next pair of an attempt, unless the outcome has become known in the
// meantime.
func (m *Machine) draw(a *attempt.Attempt, purpose Purpose, now int64) (Look, step) {
	p := a.Draw()
	switch {
	case p == nil:
		return Look{}, waiting
	case (purpose == Trial || purpose == Proof) && m.lacksStandIn(a, p):
		a.Release(p.Key)
		a.LacksStandIns = true
		m.decide(a, trial.Undecided, now)
		return Look{}, changed
	}
	return m.give(a, p, purpose, now)
}

// give gives out a pair that was drawn, unless its outcome has become known.
func (m *Machine) give(a *attempt.Attempt, p *attempt.Pair, purpose Purpose, now int64) (Look, step) {
	if r, known := m.book.Memory.Known(p.U, p.V, a.Since, now); known {
		a.Receive(p.Key, r)
		return Look{}, changed
	}
	return m.attempts.look(purpose, a.Candidate.ID, &p.Pair), gave
}

// corroborate continues the work that makes the outcomes of an attempt credible: second looks at
// negatives, the decoys, and the pairs of the control.
func (m *Machine) corroborate(a *attempt.Attempt, purpose Purpose, missing *forms.Pair, now int64) (Look, step) {
	if p, outstanding := a.Doubtful(); p != nil {
		p.Awaited = true
		return m.attempts.second(purpose, a.Candidate.ID, p), gave
	} else if outstanding {
		return Look{}, waiting
	}
	sum, decided := a.Tally.Sum(), a.Tally.Decide(m.o.Trial)
	if sum.Positives >= book.LeastPositives {
		if d := m.judge(now).DecoyDue(decided == trial.Valid); d != nil {
			return m.compare(a, d)
		}
	}
	ends := decided != trial.Open && (decided != trial.Refuted || !a.IsFirm())
	if missing != nil && (ends || sum.Outcomes()+sum.Skipped >= book.LeastPositives) {
		return m.compare(a, missing)
	}
	return Look{}, nothing
}

func (m *Machine) compare(a *attempt.Attempt, p *forms.Pair) (Look, step) {
	if m.attempts.awaited[p.Key] {
		return Look{}, waiting
	}
	return m.attempts.look(Control, a.Candidate.ID, p), gave
}

// entryOf returns the entry of the rule on trial, without a verdict.
func (m *Machine) entryOf(a *attempt.Attempt, now int64) book.Entry {
	e := book.Entry{ID: a.Candidate.ID, Rule: a.Candidate.Rule, Support: a.Candidate.Support, Grounds: a.Candidate.Grounds, FirstSeen: now, Exceptions: a.Candidate.Exceptions, After: a.Candidate.After}
	if was := m.book.Entries[e.ID]; was != nil {
		e.FirstSeen, e.Change, e.Sent, e.Anew = was.FirstSeen, was.Change, was.Sent, was.Anew
	}
	return e
}

// decide gives a verdict.
func (m *Machine) decide(a *attempt.Attempt, v trial.Decision, now int64) {
	m.tellRejudged(a)
	if !a.IsNew {
		m.endProof(a, v, now)
		return
	}
	e := m.entryOf(a, now)
	m.barred += a.Barred
	reason := book.ByTrial
	if a.Tally.Returned > 0 {
		reason = book.ByReturn
	}
	switch v {
	case trial.Valid, trial.Joins:
		reason = cmp.Or(m.join(&e, a, now), reason)
	case trial.Refuted:
		e.State, e.Followers, e.Last = rule.Refuted, a.Followers(m.view), m.book.Memory.Last
		e.Late = m.view.LateFollowers(&a.Candidate.Rule, m.book.Refuted)
	default:
		if m.keepPinned(&e, now) {
			reason = book.ByPin
			break
		}
		e.State = rule.Undecided
		if near, _ := a.NearThreshold(m.judge(now)); near {
			reason = book.ByNear
		} else if a.LacksStandIns {
			reason = book.ByStandIns
		} else if why := a.Failing(); why != "" {
			reason = why
		} else if why := a.Undecidable(m.o.Trial); why != "" {
			reason = why
		}
	}
	e.Verdict = a.Verdict(m.judge(now), reason)
	if v == trial.Joins && e.State == rule.Valid {
		e.Verdict.Step, e.Anew = rule.Provisional, a.Since
		e.Joined = book.Joined{Gain: m.view.Gain(&a.Candidate), Forms: len(m.view.Forms.Texts), Chosen: a.Candidate.Chosen, Excepts: a.Candidate.Rule.Except != rule.Except{}}
	}
	m.do(book.Act{Rule: &e})
}

// join gives a rule that holds its place in L, or makes way for its other direction. The reason is "" if
// the rule joined.
func (m *Machine) join(e *book.Entry, a *attempt.Attempt, now int64) (reason string) {
	if other, why := m.leadsBack(a); why != "" {
		e.State, e.Followers = rule.Retired, []rule.Rule{other}
		return why
	}
	r, v := m.holding(a)
	if e.Rule = r; v == trial.Refuted {
		e.State = rule.Refuted
		return book.ByUnsafe
	}
	e.State, e.Rank, e.ValidatedAt, e.Sizes = rule.Valid, m.book.LastRank()+1, now, m.view.SizesWith(r)
	return ""
}

// keepPinned makes a pinned rule that was valid before valid again, and reports whether it
// did.
func (m *Machine) keepPinned(e *book.Entry, now int64) bool {
	if was := m.book.Entries[e.ID]; was == nil || was.Rank == 0 || !m.book.Pinned(e) {
		return false
	}
	if _, rank := forms.Compile(forms.With(m.view.Forms.Rules, e.Rule)).Unsafe(m.window.Bytes()); rank >= 0 {
		return false
	}
	e.State, e.Rank, e.ValidatedAt, e.Sizes = rule.Valid, m.book.LastRank()+1, now, m.view.SizesWith(e.Rule)
	return true
}

// holding returns a rule found valid, with exceptions for the negatives of the trial. The
// rule is refuted if it would leave a URL of the window without a canonical form.
func (m *Machine) holding(a *attempt.Attempt) (rule.Rule, trial.Decision) {
	t := a.Examined()
	excepted, _ := t.Without()
	for _, r := range []rule.Rule{excepted, a.Candidate.Rule} {
		if _, rank := forms.Compile(forms.With(m.view.Forms.Rules, r)).Unsafe(m.window.Bytes()); rank < 0 {
			return r, trial.Valid
		}
	}
	return a.Candidate.Rule, trial.Refuted
}
