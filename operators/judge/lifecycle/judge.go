package lifecycle

import (
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// The measurement of a pair proves something about a rule only under the rule's control.
// The outcome is therefore derived here, for each rule, and derived again when the control
// changes.

// judge derives outcomes from the measurements in the book.
type judge struct {
	o      *Options
	book   *book
	window *Window // may be nil
	view   *view   // may be nil
	now    int64
}

// margin bounds how much less similar the two compared visits may be than two other visits
// to one page.
const margin = 0.05

// outcome returns the outcome of a pair under a control. doubt reports whether the outcome is
// a negative seen only once.
func (j judge) outcome(r *result, u, v string, c *rule.Control) (found trial.Judgement, doubt bool) {
	found = j.judgeSeen(&r.Seen, r.steadiness(), u, v, c)
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

// known returns the known outcome of a pair under a control. doubt reports whether the
// outcome is a negative seen only once. known is false if the pair has no result.
func (j judge) known(u, v string, c *rule.Control, since int64) (found trial.Judgement, doubt, known bool) {
	r, known := j.book.memory.known(u, v, since, j.now)
	if !known {
		return found, false, false
	}
	found, doubt = j.outcome(&r, u, v, c)
	return found, doubt, true
}

// byList reports whether L was wrong about u before the rule was applied.
func (j judge) byList(p *tryPair) bool {
	if p.u == p.form {
		return false
	}
	c := j.view.control(p.u)
	found, doubt, known := j.known(p.u, p.form, &c, 0)
	return known && !doubt && found.Outcome == trial.Negative
}

func (j judge) judgeSeen(s *trial.Seen, self float64, u, v string, c *rule.Control) trial.Judgement {
	if s.Compared == nil {
		return s.Judgement
	}
	p := trial.Case{Control: *c, Tau: j.tau(self), Self: self, U: j.window.logged(u), V: j.window.logged(v)}
	p.Everywhere = s.Compared.SameText && j.everywhere(u, v, s.Compared.U.Text)
	return p.Judge(s.Compared)
}

// tau returns the threshold τ after noise control, for a page with the given resemblance to
// itself. If the page's resemblance to itself is below τ, the noise of the site is used. If
// the resemblance is slightly above τ, the page's own noise is used.
func (j judge) tau(self float64) float64 {
	if self < j.o.Tau {
		return j.book.noise.Threshold(j.o.Tau)
	}
	own := trial.Noise{Lost: 1 - (self - margin)}
	if self == 1 {
		own.Lost = 0
	}
	return own.Threshold(j.o.Tau)
}

// At least leastDecoys decoys are needed to decide that a text is shown everywhere. More
// than one in everywhereShare decoys must show the text.
const (
	leastDecoys     = 3
	everywhereShare = 4
)

// everywhere reports whether more than a quarter of the decoys show a text. Decoys of the
// kinds of u and v do not count.
func (j judge) everywhere(u, v string, text uint64) bool {
	if j.view == nil {
		return false
	}
	ofU, ofV, shown, others := kindOf(u), kindOf(v), 0, 0
	for _, d := range j.view.decoys(j.book.memory, j.now) {
		r, known := j.book.memory.recent(d.key, j.now)
		if !known || r.Compared == nil || d.kind == ofU || d.kind == ofV {
			continue
		}
		others++
		if r.Compared.U.Text == text {
			shown++
		}
	}
	return others >= leastDecoys && shown*everywhereShare > others
}

// decoyDue returns a decoy to be fetched: a decoy that has not been fetched today. Before the last
// look, a decoy that costs a request is only due while fewer than firstDecoys are known, since
// the trial may request the document anyway. decoyDue returns nil if no decoy is due.
func (j judge) decoyDue(last bool) *pair {
	known := 0
	var costly *decoy
	for _, d := range j.view.decoys(j.book.memory, j.now) {
		switch d.requests(j.book.memory, j.now) {
		case 0:
			known++
		case 1:
			return d.pair()
		default:
			if costly == nil {
				costly = &d
			}
		}
	}
	if costly != nil && (last || known < firstDecoys) {
		return costly.pair()
	}
	return nil
}

// firstDecoys is the number of decoys that show a wall, or a text shown everywhere, early.
const firstDecoys = 5

// pair returns the pair by which a decoy is requested.
func (d *decoy) pair() *pair { return &pair{u: d.url, v: d.url, key: d.key} }

// logged returns the evidence of the log about a URL.
func (w *Window) logged(url string) (l trial.Logged) {
	if w == nil {
		return l
	}
	i, known := w.find(url)
	if !known {
		return l
	}
	for _, s := range w.pages[i].Evidence {
		if s.Class != evidence.Digest {
			l.Sizes = append(l.Sizes, trial.Size{Min: s.Min, Max: s.Max})
		}
	}
	if d, one := w.pages[i].Evidence.Digest(); one {
		l.Digest = uint64(d) ^ 1<<63
	}
	return l
}
