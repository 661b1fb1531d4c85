package validator

import (
	"dustbuster/operators/canon"
	"dustbuster/operators/evidence"
	"dustbuster/operators/trial"
)

// What was measured of a pair says something of a rule only under the rule's
// control. The outcome is therefore derived here, for each rule, and derived anew
// when the control changes.

// margin is how much less than two other visits to one page the two that were
// compared may resemble each other.
const margin = 0.05

// judge is what a pair says under a control. In doubt is a negative that was seen
// once only.
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

// tau is τ as noise control leaves it for a page that resembles itself so much. A page
// below τ is judged by the noise of the site; one that is hardly above, by its own.
func (m *Machine) tau(self float64) float64 {
	if self < m.o.Tau {
		return m.noise.Threshold(m.o.Tau)
	}
	own := trial.Noise{Lost: 1 - (self - margin)}
	if self == 1 {
		own.Lost = 0
	}
	return own.Threshold(m.o.Tau)
}

// logged is what the log says of a URL.
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

// controlOf is the control that the rules of L which a canonizer applies to a URL are
// judged under together.
func (m *Machine) controlOf(by *canon.Canonizer, url string) (c trial.Control) {
	for _, rank := range chainOf(by, url) {
		c = c.Join(m.list[rank].Verdict.Control)
	}
	return c
}
