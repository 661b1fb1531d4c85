package lifecycle

import (
	"dustbuster/operators/evidence"
	"dustbuster/operators/trial"
)

// The measurement of a pair proves something about a rule only under the rule's control.
// The outcome is therefore derived here, for each rule, and derived again when the control
// changes.

// margin bounds how much less similar the two compared visits may be than two other visits
// to one page.
const margin = 0.05

// judge returns the outcome of a pair under a control. doubt reports whether the outcome is
// a negative seen only once.
func (m *Machine) judge(r *result, u, v string, c *trial.Control) (j trial.Judgement, doubt bool) {
	j = m.judgeSeen(&r.Seen, r.self(), u, v, c)
	switch {
	case j.Outcome != trial.Negative:
		return j, false
	case r.Second == nil:
		return j, true
	}
	second := m.judgeSeen(r.Second, r.Self, u, v, c)
	switch second.Outcome {
	case trial.Skip:
		return second, false
	case trial.Positive:
		return trial.Judgement{Outcome: trial.Skip, Reason: trial.Unsteady}, false
	}
	return j, false
}

func (m *Machine) judgeSeen(s *trial.Seen, self float64, u, v string, c *trial.Control) trial.Judgement {
	if s.Compared == nil {
		return s.Judgement
	}
	p := trial.Case{Control: *c, Tau: m.tau(self), Self: self, U: m.window.logged(u), V: m.window.logged(v)}
	p.Everywhere = s.Compared.SameText && m.everywhere(u, v, s.Compared.U.Text)
	return p.Judge(s.Compared)
}

// tau returns the threshold τ after noise control, for a page with the given resemblance to
// itself. If the page's resemblance to itself is below τ, the noise of the site is used. If
// the resemblance is slightly above τ, the page's own noise is used.
func (m *Machine) tau(self float64) float64 {
	if self < m.o.Tau {
		return m.book.noise.Threshold(m.o.Tau)
	}
	own := trial.Noise{Lost: 1 - (self - margin)}
	if self == 1 {
		own.Lost = 0
	}
	return own.Threshold(m.o.Tau)
}

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
