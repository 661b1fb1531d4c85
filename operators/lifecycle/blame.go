package lifecycle

import (
	"slices"

	"dustbuster/operators/canon"
	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
)

// wrong reports whether an outcome means that u and v are different pages.
func wrong(j trial.Judgement) bool { return j.Outcome == trial.Negative || j.Outcome == trial.Returned }

// blame sends back a rule for a URL of the sample whose form is wrong.
func (pl *planner) blame(s *setTrial, purpose Purpose, now int64) (Test, step) {
	for kind := range s.kinds {
		for i := range s.kinds[kind][:s.next[kind]] {
			p := &s.kinds[kind][i]
			if !wrong(p.outcome) {
				continue
			}
			if test, done := pl.sendBack(s.canonizer, p, purpose, "", now); done != nothing {
				return test, done
			}
		}
	}
	return Test{}, nothing
}

// sendBack sends a rule of L back to trial because of a wrong pair (u, C(u)). C is L or a
// beginning of L. The rule receives a pair that becomes one of the rule's negatives. A pair
// sends a given rule back only once, so the process ends. If no step is wrong by itself,
// the rule of greatest rank is sent back, since only beginnings of L were tried. The search
// for the rule may first need a test.
func (pl *planner) sendBack(c *canon.Canonizer, p *pair, purpose Purpose, id string, now int64) (Test, step) {
	texts, ranks := walk(c, p.u)
	since := int64(0)
	if purpose == SetRecheck {
		since = pl.book.round.At // pages may have changed since they were last compared
	}
	t := &tracer{pl.judge(now), pl.view.controlOf(c, p.u), since}
	n, ask := t.wrongStep(texts)
	switch {
	case ask != nil && pl.trials.awaited[ask.key]:
		return Test{}, waiting
	case ask != nil && ask.seen != nil:
		return pl.trials.second(purpose, id, ask), gave
	case ask != nil:
		return pl.trials.test(purpose, id, ask), gave
	}
	if n > 0 {
		p = &pair{u: texts[n-1], v: texts[n], outcome: p.outcome}
		ranks = ranks[n-1 : n]
	}
	if e := pl.view.list[ranks[len(ranks)-1]]; pl.book.counted(e, texts[0], p.v) || pl.book.counted(e, p.u, p.v) {
		return Test{}, nothing
	}
	suspects := slices.Sorted(slices.Values(ranks))
	for _, rank := range slices.Backward(slices.Compact(suspects)) {
		if pl.send(rank, rule.Example{U: p.u, V: p.v, Outcome: p.outcome.Reason.String()}, now) {
			return Test{}, changed
		}
	}
	return Test{}, nothing
}

// walk returns the path of a URL to the URL's form. The texts are the URL and the result of
// each step. The ranks are the ranks of the steps' rules in L, from 0.
func walk(c *canon.Canonizer, u string) (texts []string, ranks []int) {
	texts = []string{u}
	for rank, text := range c.Steps([]byte(u)) {
		texts, ranks = append(texts, string(text)), append(ranks, rank)
	}
	return texts, ranks
}

// mostSent is the number of remembered pairs that sent a rule back.
const mostSent = 32

// send sends the rule of a rank back to trial, unless the same pair has sent the rule back
// before.
func (pl *planner) send(rank int, against rule.Example, now int64) bool {
	e := *pl.view.list[rank]
	if slices.Contains(e.Sent, against) || len(e.Sent) >= mostSent {
		return false
	}
	e.State, e.Sent, e.Verdict.Reason = rule.SentBack, append(slices.Clone(e.Sent), against), bySet
	pl.leave(pl.view.list, rank, &e, now)
	return true
}

// tracer finds the wrong step of a walk.
type tracer struct {
	judge
	control trial.Control // of the walk's rules
	since   int64         // only outcomes from then on count
}

// wrongStep finds a step of a walk that is wrong by itself: the text before the step is u's
// page, the text after the step is not, and the two texts differ. Texts are compared with u
// by bisection. n is the number of the step, from 1. n is 0 if no step is wrong by itself,
// or if pages without an answer hide the step. ask is a pair that must be tried first,
// usually nil. O(log of the steps) pairs in all.
func (t *tracer) wrongStep(texts []string) (n int, ask *pair) {
	right, bad := 0, len(texts)-1
	for bad-right > 1 {
		at, j, ask := t.between(texts, right, bad)
		switch {
		case ask != nil:
			return 0, ask
		case at == 0:
			return 0, nil
		case wrong(j):
			bad = at
		default:
			right = at
		}
	}
	if right == 0 {
		return bad, nil
	}
	j, ask := t.compared(texts[right], texts[bad])
	if ask != nil || !wrong(j) {
		return 0, ask
	}
	return bad, nil
}

// between compares the first text of a walk with a text between two other texts: the text
// in the middle, or the next text that answers. at is 0 if no text answers.
func (t *tracer) between(texts []string, right, bad int) (at int, j trial.Judgement, ask *pair) {
	n := bad - right - 1
	for i := range n {
		at = right + 1 + (n/2+i)%n
		if j, ask = t.compared(texts[0], texts[at]); ask != nil || j.Outcome != trial.Skip {
			return at, j, ask
		}
	}
	return 0, j, nil
}

// compared returns the known outcome of two texts of a walk under the control of the walk's
// rules, or the pair to try. If the returned pair has a known outcome, the outcome is a
// negative seen once, and the pair must be tried again.
func (t *tracer) compared(u, v string) (j trial.Judgement, ask *pair) {
	if u == v {
		return trial.Judgement{Outcome: trial.Positive, Reason: trial.Similar}, nil
	}
	ask = &pair{u: u, v: v, key: t.book.memory.keys.pair(u, v)}
	r, known := t.book.memory.known(u, v, t.since, t.now)
	if !known {
		return j, ask
	}
	j, doubt := t.outcome(&r, u, v, &t.control)
	if doubt {
		ask.seen = &r
		return j, ask
	}
	return j, nil
}
