package trials

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// What a pair's measurement proves about a rule depends on the rule's control. The outcome is
// therefore derived here, for each rule, and derived again when the control changes.

// Judge derives outcomes from the measurements in the book.
type Judge struct {
	Options *book.Options
	Book    *book.Book
	Window  *forms.Window // may be nil
	View    *forms.View   // may be nil
	Now     int64
}

// Outcome returns the outcome of a pair under a control. doubt reports whether the outcome is
// a negative seen only once.
func (j Judge) Outcome(r *book.Result, u, v string, c *rule.Control) (found trial.Judgement, doubt bool) {
	found = j.judgeSeen(&r.Seen, r.Steadiness(), u, v, c)
	if found.Outcome != trial.Positive && j.isMoving(r) {
		p := j.caseOf(r.Second, r.Self, u, v, c)
		p.Tau = j.Options.Tau
		return p.JudgeLasting(r.Second.Compared), false
	}
	switch {
	case found.Outcome != trial.Negative:
		return found, false
	case r.Second == nil:
		return found, true
	}
	second := j.judgeSeen(r.Second, r.Self, u, v, c)
	switch second.Outcome {
	case trial.Skip:
		return second, false
	case trial.Positive:
		return trial.Judgement{Outcome: trial.Skip, Reason: trial.Unsteady}, false
	}
	return found, false
}

// PairOf returns a pair with its outcome under a control, given its result; nil: it has none. The pair may ask for a
// look: see Pair.Asks.
func (j Judge) PairOf(pair forms.Pair, r *book.Result, c *rule.Control) *Pair {
	p := &Pair{Pair: pair, Seen: r}
	if r != nil {
		p.Outcome, p.Doubt = j.Outcome(r, p.U, p.V, c)
	}
	return p
}

// Pair is PairOf for two texts, with what is known of them since a time.
func (j Judge) Pair(u, v string, since int64, c *rule.Control) *Pair {
	pair := forms.Pair{U: u, V: v, Key: j.Book.Memory.Keys.Pair(u, v)}
	if r, known := j.Book.Memory.Known(u, v, since, j.Now); known {
		return j.PairOf(pair, &r, c)
	}
	return j.PairOf(pair, nil, c)
}

// Known returns the known outcome of a pair under a control. doubt reports whether the
// outcome is a negative seen only once. Known is false if the pair has no result.
func (j Judge) Known(u, v string, c *rule.Control, since int64) (found trial.Judgement, doubt, known bool) {
	r, known := j.Book.Memory.Known(u, v, since, j.Now)
	if !known {
		return found, false, false
	}
	found, doubt = j.Outcome(&r, u, v, c)
	return found, doubt, true
}

// byList reports whether L was wrong about u before the rule was applied.
func (j Judge) byList(p *Pair) bool {
	if p.U == p.Form {
		return false
	}
	c := j.View.Control(p.U)
	found, doubt, known := j.Known(p.U, p.Form, &c, 0)
	return known && !doubt && found.Outcome == trial.Negative
}

func (j Judge) judgeSeen(s *trial.Seen, self float64, u, v string, c *rule.Control) trial.Judgement {
	if s.Compared == nil {
		return s.Judgement
	}
	p := j.caseOf(s, self, u, v, c)
	return p.Judge(s.Compared)
}

// caseOf returns what a comparison is judged by.
func (j Judge) caseOf(s *trial.Seen, self float64, u, v string, c *rule.Control) trial.Case {
	p := trial.Case{Control: *c, Tau: j.tau(self), Self: self, U: j.Window.Logged(u), V: j.Window.Logged(v), NoImages: j.Options.Off.SmallImages}
	p.Everywhere = s.Compared.SameText && j.Everywhere(u, v, s.Compared.U.Text)
	return p
}

// isMoving reports whether two looks at a pair show pages that never stand still, and what lasts of them.
func (j Judge) isMoving(r *book.Result) bool {
	return !j.Options.Off.MovingPages && r.Compared != nil && !r.Compared.StandIn && r.Second != nil && r.Second.Compared != nil && r.Second.Compared.Lasting != nil
}

// tau returns the threshold τ after noise control, for a page with the given resemblance to itself. If
// that is below τ, the noise of the site is used. If it is slightly above, the page's own noise is
// used.
func (j Judge) tau(self float64) float64 {
	if self < j.Options.Tau {
		return j.Book.Noise.Threshold(j.Options.Tau)
	}
	own := trial.Noise{Lost: 1 - (self - book.Margin)}
	if self == 1 {
		own.Lost = 0
	}
	return own.Threshold(j.Options.Tau)
}

// At least leastDecoys decoys are needed to decide that a text is shown everywhere. More
// than one in everywhereShare decoys must show the text.
const (
	leastDecoys     = 3
	everywhereShare = 4
)

// Everywhere reports whether more than a quarter of the decoys show a text. Decoys of the
// kinds of u and v do not count.
func (j Judge) Everywhere(u, v string, text uint64) bool {
	if j.View == nil {
		return false
	}
	ofU, ofV, shown, others := forms.KindOf(u), forms.KindOf(v), 0, 0
	for _, d := range j.View.Decoys() {
		r, known := j.Book.Memory.Recent(d.Key, j.Now)
		if !known || r.Compared == nil || d.Kind == ofU || d.Kind == ofV {
			continue
		}
		others++
		if r.Compared.U.Text == text {
			shown++
		}
	}
	return others >= leastDecoys && shown*everywhereShare > others
}

// DecoyDue returns a decoy to be fetched, since it has not been fetched today, or nil. Before the last
// look, one that costs a request is only due while fewer than FirstDecoys are known, since the trial
// may request its document anyway.
func (j Judge) DecoyDue(last bool) *forms.Pair {
	known := 0
	var costly *forms.Decoy
	for _, d := range j.View.Decoys() {
		switch d.Requests(j.Book.Memory, j.Now) {
		case 0:
			known++
		case 1:
			return d.Pair()
		default:
			if costly == nil {
				costly = &d
			}
		}
	}
	if costly != nil && (last || known < FirstDecoys) {
		return costly.Pair()
	}
	return nil
}

// FirstDecoys is the number of decoys that show a wall, or a text shown everywhere, early.
const FirstDecoys = 5
