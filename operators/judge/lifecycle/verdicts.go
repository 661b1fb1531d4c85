package lifecycle

import (
	"cmp"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// verdicts gives the verdicts on rules on trial.
type verdicts struct {
	*life
	dialogue *Dialogue
	faults   *faults
	prover   *prover
	barred   int // pairs left out of the trials that ended with a verdict
}

// entryOf returns the entry of the rule on trial, without a verdict.
func (ve *verdicts) entryOf(a *trials.Trial, now int64) book.Entry {
	e := book.Entry{ID: a.Candidate.ID, Rule: a.Candidate.Rule, Support: a.Candidate.Support, Grounds: a.Candidate.Grounds, FirstSeen: now, Exceptions: a.Candidate.Exceptions, After: a.Candidate.After}
	if was := ve.book.Entries[e.ID]; was != nil {
		e.FirstSeen, e.Change, e.Sent, e.Anew = was.FirstSeen, was.Change, was.Sent, was.Anew
	}
	return e
}

// decide gives a verdict.
func (ve *verdicts) decide(a *trials.Trial, v trial.Decision, now int64) {
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
		e.State, e.Last = rule.Refuted, ve.book.Memory.Last
		e.Followers, e.Late = a.Followers(ve.judge(now))
		e.Late = append(e.Late, ve.view.LateFollowers(&a.Candidate.Rule, ve.book.Refuted)...)
	default:
		if ve.keepPinned(&e, now) {
			reason = book.ByPin
			break
		}
		e.State, reason = rule.Undecided, a.WhyUndecided(ve.judge(now))
		if e.Followers = a.Held(ve.view); len(e.Followers) > 0 && reason != book.ByElsewhere && reason != book.ByNames {
			e.Last = ve.book.Memory.Last
		}
	}
	e.Verdict = a.Verdict(ve.judge(now), reason)
	if v == trial.Joins && e.State == rule.Valid {
		e.Verdict.Step, e.Anew = rule.Provisional, a.Since
		e.Joined = book.Joined{Gain: ve.view.Gain(&a.Candidate), Forms: len(ve.view.Forms.Texts), Chosen: a.Candidate.Chosen, Excepts: a.Excepts}
	}
	ve.do(book.Act{Rule: &e})
}

// join gives a rule that holds its place in L, with exceptions for the negatives of the trial, or makes way for its
// other direction. A rule that would leave a URL of the window without a canonical form is refuted. The reason is ""
// if the rule joined.
func (ve *verdicts) join(e *book.Entry, a *trials.Trial, now int64) (reason string) {
	if other, why := ve.leadsBack(a); why != "" {
		e.State, e.Followers = rule.Retired, []rule.Rule{other}
		return why
	}
	for _, r := range []rule.Rule{a.Excepted(), a.Candidate.Rule} {
		if e.Rule = r; ve.isSafe(forms.With(ve.view.Forms.Rules, r)) {
			ve.enter(e, now)
			return ""
		}
	}
	e.State = rule.Refuted
	return book.ByUnsafe
}

// leadsBack returns the other direction of a rule that holds, if the evidence speaks for it, operators
// prefer none, and it may be tried and was not tried in vain. The outcomes known of the pairs count
// for it as well. The reason is "" if the rule stays as it is.
func (ve *verdicts) leadsBack(a *trials.Trial) (other rule.Rule, reason string) {
	r := a.Candidate.Rule
	if r.Kind() != rule.KindSubstring {
		return r, ""
	}
	other = r.Opposite()
	decided := ve.book.Preferred(r) == r && ve.book.Preferred(other) == r
	if reason = a.LedBy(ve.window); reason == "" || decided || ve.book.Failed(&other) {
		return r, ""
	}
	n := book.Candidate{ID: rule.ID(ve.view.Site, &other), Rule: other}
	if other.Validate() != nil || ve.view.Gain(&n) < ve.o.MinGain {
		return r, "" // the other direction would never be tried, and the pages would stay apart
	}
	return other, reason
}

// keepPinned makes a pinned rule that was valid before valid again, and reports whether it
// did.
func (ve *verdicts) keepPinned(e *book.Entry, now int64) bool {
	if was := ve.book.Entries[e.ID]; was == nil || was.Rank == 0 || !ve.book.Pinned(e) {
		return false
	}
	if !ve.isSafe(forms.With(ve.view.Forms.Rules, e.Rule)) {
		return false
	}
	ve.enter(e, now)
	return true
}

// enter gives a rule its place in L.
func (ve *verdicts) enter(e *book.Entry, now int64) {
	e.State, e.Rank, e.ValidatedAt, e.Sizes = rule.Valid, ve.book.LastRank()+1, now, ve.view.SizesWith(e.Rule)
}

// isSafe reports whether rules leave each URL of the window a canonical form.
func (ve *verdicts) isSafe(rules []rule.Rule) bool {
	_, rank := forms.Compile(rules).Unsafe(ve.window.Bytes())
	return rank < 0
}

// endProof gives the verdict on a provisional rule. An undecided rule stays provisional.
func (ve *verdicts) endProof(a *trials.Trial, v trial.Decision, now int64) {
	place, reason := ve.prover.placeOf(a.Candidate.ID), book.ByTrial
	e := *ve.view.List[place]
	if a.Tally.Returned > 0 {
		reason = book.ByReturn
	}
	switch v {
	case trial.Valid:
		e.Rule = ve.proved(a, place)
		e.Verdict, e.ValidatedAt, e.Overdue, e.Stuck = a.Verdict(ve.judge(now), reason), now, false, 0
		ve.do(book.Act{Rule: &e})
	case trial.Refuted:
		e.State, e.Verdict, e.Last = rule.Refuted, a.Verdict(ve.judge(now), reason), ve.book.Memory.Last
		if w := ve.without(place); w != nil {
			j := ve.judge(now)
			j.View = w
			e.Followers, e.Late = a.Followers(j)
			e.Late = append(e.Late, w.LateFollowers(&a.Candidate.Rule, ve.book.Refuted)...)
		}
		ve.leave(ve.view.List, place, &e, now)
	default:
		e.Stuck = now
		ve.do(book.Act{Rule: &e})
	}
}

// proved returns a proved rule, with exceptions for the negatives of the trial unless they would leave a
// URL of the window without a canonical form.
func (ve *verdicts) proved(a *trials.Trial, place int) rule.Rule {
	rules := forms.RulesOf(ve.view.List)
	if rules[place] = a.Excepted(); ve.isSafe(rules) {
		return rules[place]
	}
	return a.Candidate.Rule
}

// without returns the view of L without the rule at a place; nil if a URL would have no canonical form.
func (ve *verdicts) without(place int) *forms.View {
	w, _ := forms.NewView(ve.book, ve.window, ve.guard, slices.Delete(slices.Clone(ve.view.List), place, place+1))
	return w
}

// resumeWith resumes a trial with a rule that has an exception, and reports whether what is left of it
// can be tried. If count is set, the outcomes so far prove the rule with the exception, too.
func (ve *verdicts) resumeWith(a *trials.Trial, r rule.Rule, count bool, now int64) bool {
	c := a.Candidate
	c.Rule = r
	if a.IsNew && ve.view.Gain(&c) < ve.o.MinGain {
		return false
	}
	ve.dialogue.tellRejudged(a)
	e := ve.entryOf(a, now)
	ve.resume(&e, a, r, now)
	if count {
		e.Exceptions, e.After = c.Exceptions, c.After
	}
	if a.IsNew {
		ve.do(book.Act{Rule: &e})
	} else {
		ve.leave(ve.view.List, ve.prover.placeOf(a.Candidate.ID), &e, now)
	}
	return true
}

// resume turns an entry into that of a rule whose trial goes on with an exception.
func (ve *verdicts) resume(e *book.Entry, a *trials.Trial, r rule.Rule, now int64) {
	e.State, e.Rule, e.Verdict = rule.SentBack, r, a.Verdict(ve.judge(now), book.ByException)
	e.Exceptions, e.After = e.Exceptions+1, ve.book.Memory.Last
	if was := ve.book.Entries[e.ID]; was != nil {
		e.Rank = was.Rank // a pinned rule that was valid: see keepPinned
	}
}
