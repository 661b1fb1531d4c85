package lifecycle

import (
	"maps"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/rule"
)

// faults finds the rule at fault for a wrong pair.
type faults struct {
	*life
	dialogue *Dialogue
}

// sendBack takes in a wrong pair (u, C(u)). C is L or a part of L. The rule at fault is given an
// exception, or is sent back to trial. The rule receives a pair that becomes one of its negatives. A
// pair counts against a given rule only once, so the process ends. If no step is wrong by itself, the
// fault is that of the rule of greatest rank, since the rules before were tried without it. The search
// may first need a look. Only outcomes from since on count: pages may have changed since they were
// last compared.
func (fa *faults) sendBack(c *forms.Part, p *trials.Pair, purpose Purpose, id string, since, now int64) (Look, step) {
	texts, ranks := fa.view.Walk(c, p.U)
	looks := purpose
	if purpose == Report {
		looks = SetRecheck // steps between the named URLs were not named
	}
	t := &trials.Tracer{Judge: fa.judge(now), Control: c.Control(p.U), Since: since}
	n, ask := t.WrongStep(texts)
	walked := texts[0]
	if ask != nil {
		return fa.dialogue.ask(looks, id, ask)
	}
	if n > 0 {
		p = &trials.Pair{Pair: forms.Pair{U: texts[n-1], V: texts[n]}, Outcome: p.Outcome}
		texts, ranks = texts[n-1:n], ranks[n-1:n]
	}
	e := fa.view.List[ranks[len(ranks)-1]]
	isLater := since >= e.Verdict.Time // a pair looked at since then was not known to the verdict, even in the same second
	if !isLater && (fa.book.Counted(e, walked, p.V) || fa.book.Counted(e, p.U, p.V)) {
		return Look{}, nothing
	}
	met := map[int]string{} // by rank: the last form that the rule edited
	for i, rank := range ranks {
		met[rank] = texts[i]
	}
	suspects := slices.Sorted(maps.Keys(met))
	for _, rank := range slices.Backward(suspects) {
		if fa.contradict(rank, met[rank], fa.exampleOf(p, now), purpose, since, now) {
			return Look{}, changed
		}
	}
	return Look{}, nothing
}

// exampleOf returns a wrong pair as a rule keeps it: without a private URL, in whose place a stand-in was asked for.
func (fa *faults) exampleOf(p *trials.Pair, now int64) rule.Example {
	seen := *p
	if r, known := fa.book.Memory.Known(p.U, p.V, 0, now); known && seen.Seen == nil {
		seen.Seen = &r
	}
	return seen.Example()
}

// mostSent is the number of remembered pairs that sent a rule back.
const mostSent = 32

// mostLater is the number of negatives found after the verdict; the last of them sends the rule back.
const mostLater = 3

// contradict takes in a form that the rule of a rank turns into another page, and the pair
// that shows the fault, unless the same pair was taken in before. The form is excepted. The
// last of mostLater such forms sends the rule back to trial.
func (fa *faults) contradict(rank int, form string, against rule.Example, purpose Purpose, since, now int64) bool {
	e := *fa.view.List[rank]
	if slices.Contains(e.Sent, against) || len(e.Sent) >= mostSent {
		return false
	}
	e.Anew = max(e.Anew, since)
	if r, ok := fa.exceptOne(rank, form, now); ok && e.Later+1 < mostLater && !against.StandIn {
		e.Rule, e.Sent, e.Later = r, append(slices.Clone(e.Sent), against), e.Later+1
		fa.do(book.Act{Rule: &e})
		return true
	}
	fa.send(rank, against, purpose, e.Anew, now)
	return true
}

// exceptOne returns a rule of L with an exception for one form that it turns into another page. ok is
// false if there is no such exception.
func (fa *faults) exceptOne(rank int, form string, now int64) (r rule.Rule, ok bool) {
	t := fa.trialOf(rank, 0, now).Examined()
	t.Negatives, t.Later = []string{form}, true
	r, left := t.Without()
	return r, left == 0
}

// send sends the rule of a rank back to trial. Only outcomes from since on count in the trial, and in
// those of other rules that join the same pages: the site has perhaps changed.
func (fa *faults) send(rank int, against rule.Example, purpose Purpose, since, now int64) {
	e := *fa.view.List[rank]
	e.State, e.Sent, e.Verdict.Reason, e.Anew = rule.SentBack, append(slices.Clone(e.Sent), against), book.BySet, since
	if purpose == Report {
		e.Verdict.Reason = book.ByReport
	}
	fa.forgetPages(rank, since)
	fa.leave(fa.view.List, rank, &e, now)
}

// A published rule that no longer holds shows that pages changed after they were compared. Other rules
// join the same pages: the same edit with another context, or a narrower scope. None of these rules may
// be proved by outcomes from before the change.

// forgetPages forgets the outcomes from before a time of all pairs with a page that the rule at a place
// of L joins with another page. Documents from before are not used any more, of whatever page: which
// other pages changed is unknown. The time is 0 if neither a report nor a recheck found a fault of the
// rule; nothing is forgotten then. O(window · L + pairs · log pairs).
func (fa *faults) forgetPages(place int, since int64) {
	if since == 0 {
		return
	}
	r := fa.view.List[place].Rule
	r.Except = rule.Except{} // pages found wrong before
	f := forms.Of(fa.window, forms.RulesOf(fa.view.List[:place]))
	moves, _ := f.Moves(&r, f.Everything())
	memory, joined := fa.book.Memory, map[uint64]bool{}
	for _, v := range moves {
		joined[memory.Keys.Document(f.Rep(v.Form))], joined[memory.Keys.Document(v.To)] = true, true
	}
	var stale []book.Key
	for k, known := range memory.Results() {
		if isUnknown := known.URLs == [2]uint64{}; known.At < since && (isUnknown || joined[known.URLs[0]] || joined[known.URLs[1]]) {
			stale = append(stale, k)
		}
	}
	slices.SortFunc(stale, func(a, b book.Key) int { return slices.Compare(a[:], b[:]) })
	fa.do(book.Act{Stale: &book.Stale{Since: since, Pairs: stale}})
}

// trialOf returns the trial of the rule at a place of L, on the outcomes since a time. The pairs
// join the forms under the rules before it with those under it as well.
func (fa *faults) trialOf(place int, since, now int64) *trials.Trial {
	e := fa.view.List[place]
	return fa.trialAs(place, book.Candidate{ID: e.ID, Rule: e.Rule, Support: e.Support, Grounds: e.Grounds}, since, now)
}

// trialAs is trialOf for a rule with the properties of a candidate.
func (fa *faults) trialAs(place int, c book.Candidate, since, now int64) *trials.Trial {
	f, moves := fa.view.Before(place)
	return trials.New(fa.judge(now), c, f, moves, since, fa.ongoing.awaited)
}
