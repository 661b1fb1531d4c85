package trials

import (
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// Tracer finds the wrong step of a walk.
type Tracer struct {
	Judge
	Control rule.Control // of the walk's rules
	Since   int64        // only outcomes from then on count
}

// WrongStep finds a step of a walk that is wrong by itself: the text before it is u's page, the one
// after it is not, and the two differ. Texts are compared with u by bisection. n is its number, from
// 1, or 0 if no step is wrong by itself, or if pages without an answer hide it. ask is a pair that
// must be tried first, usually nil. O(log of the steps) pairs in all.
func (t *Tracer) WrongStep(texts []string) (n int, ask *Pair) {
	right, bad := 0, len(texts)-1
	for bad-right > 1 {
		at, j, ask := t.between(texts, right, bad)
		switch {
		case ask != nil:
			return 0, ask
		case at == 0:
			return 0, nil
		case Wrong(j):
			bad = at
		default:
			right = at
		}
	}
	if right == 0 {
		return bad, nil
	}
	j, ask := t.compared(texts[right], texts[bad])
	if ask != nil || !Wrong(j) {
		return 0, ask
	}
	return bad, nil
}

// between compares the first text of a walk with a text between two other texts: the text
// in the middle, or the next text that answers. at is 0 if no text answers.
func (t *Tracer) between(texts []string, right, bad int) (at int, j trial.Judgement, ask *Pair) {
	n := bad - right - 1
	for i := range n {
		at = right + 1 + (n/2+i)%n
		if j, ask = t.compared(texts[0], texts[at]); ask != nil || j.Outcome != trial.Skip {
			return at, j, ask
		}
	}
	return 0, j, nil
}

// compared returns the known outcome of two texts of a walk under the control of its rules, or the
// pair to try. If that has a known outcome, it is a negative seen once, and must be tried again.
func (t *Tracer) compared(u, v string) (j trial.Judgement, ask *Pair) {
	if u == v {
		return trial.Judgement{Outcome: trial.Positive, Reason: trial.Similar}, nil
	}
	p := t.Pair(u, v, t.Since, &t.Control)
	if p.Asks() {
		return j, p
	}
	return p.Outcome, nil
}

// Wrong reports whether an outcome means that u and v are different pages.
func Wrong(j trial.Judgement) bool { return j.Outcome == trial.Negative || j.Outcome == trial.Returned }
