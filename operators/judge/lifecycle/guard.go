package lifecycle

import (
	"math/bits"
	"strconv"

	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
)

// MayLead returns a function that reports whether a redirect of a URL that may be fetched may be
// followed to another URL. It is safe for concurrent use, and holds for the present window.
func (m *Machine) MayLead() func(from, to string) bool {
	if m.guard == nil {
		return func(from, to string) bool { return true }
	}
	return m.guard.Leads
}

// private returns the counts of the guard, and of the trials.
func (m *Machine) private() forms.Private {
	g := m.guard
	if g == nil || g.Has != nil { // nothing is fetched from a site
		return forms.Private{}
	}
	return forms.Private{Alone: !g.Window.Clients, Single: g.Window.Single(), Nobody: g.Window.Nobody(), Any: g.Kinds == nil, URLs: len(g.Of),
		Secret: g.Counts[forms.Secret], OneClient: g.Counts[forms.OneClient], Unasked: g.Counts[forms.Unasked], Pairs: m.barred, Rules: m.untried,
		FirstSecret: g.First[forms.Secret], FirstOneClient: g.First[forms.OneClient], FirstUnasked: g.First[forms.Unasked], FirstRule: m.firstUntried}
}

// mayFetch reports whether a look may be given out, and notes the stand-in that is fetched in the place of a
// private URL. All looks pass through it. One that may not be given out becomes a skip that costs no fetch.
func (m *Machine) mayFetch(t *Look) bool {
	switch ask, ok := m.askFor(t); {
	case ok && ask == t.U:
		return true
	case ok && m.mayStandIn(t.Rule):
		t.Ask = ask
		return true
	}
	m.Outcome(*t, trial.Seen{Judgement: trial.Judgement{Outcome: trial.Skip, Reason: trial.NotAllowed}}, 1, m.now)
	return false
}

// mayStandIn reports whether a rule may be given another stand-in at present.
func (m *Machine) mayStandIn(rule string) bool {
	s := m.book.Memory.StandIns(m.now)
	return s.May(rule)
}

// lacksStandIn reports whether a pair of an attempt waits for a stand-in that the rule may not be given at present.
func (m *Machine) lacksStandIn(a *attempt.Attempt, p *attempt.Pair) bool {
	return !m.guard.Allows(p.U, p.V) && !m.mayStandIn(a.Candidate.ID)
}

// askFor returns what is fetched for the u of a look. False: the look may not be given out.
func (m *Machine) askFor(t *Look) (ask string, ok bool) {
	if m.guard.Allows(t.U, t.V) {
		return t.U, true
	}
	asks := m.asksOf(t)
	if t.Purpose == Control { // the pages of a control belong to pairs that were allowed, or are decoys
		if ask, ok = m.askedFor(t); !ok {
			ask, ok = asks.Control(t.U, m.roundOf(t))
		}
		of := m.guard.Privacy(t.V)
		return ask, ok && (of == forms.Unasked || of == forms.Public && ask != t.U)
	}
	if ask, ok = asks.URL(t.U, t.V, m.roundOf(t)); !ok { // a step of L that may be at fault
		ask, ok = m.view.Asks(m.view.Forms, nil, nil).URL(t.U, t.V, m.roundOf(t))
	}
	return ask, ok && ask != t.U
}

// askedFor returns the stand-in by which a trial has looked at the u of a control, perhaps for another rule.
func (m *Machine) askedFor(t *Look) (ask string, ok bool) {
	for _, a := range []*attempt.Attempt{m.attempts.recheck, m.attempts.rule} {
		if a == nil || a.Candidate.ID != t.Rule {
			continue
		}
		for p := range a.Tried {
			if p.U == t.U && p.Asked() != p.U {
				return p.Asked(), true
			}
		}
	}
	return "", false
}

// asksOf returns what says what is asked for a look: that of the trial which wants the look, or of L.
func (m *Machine) asksOf(t *Look) *forms.Asks {
	for _, a := range []*attempt.Attempt{m.attempts.recheck, m.attempts.rule} {
		if a != nil && a.Candidate.ID == t.Rule {
			return a.Asks
		}
	}
	if t.Rule == "" && m.attempts.set != nil && t.Purpose != Report {
		return m.attempts.set.Asks
	}
	return m.view.Asks(m.view.Forms, nil, nil)
}

// roundOf returns the round of a look: its trial, on one day. A stand-in is not met again in another.
func (m *Machine) roundOf(t *Look) string {
	of := t.Purpose
	if of == Proof || of == Control && m.attempts.recheck == nil {
		of = Trial
	} else if of == Control {
		of = Recheck
	}
	return of.String() + strconv.FormatInt(m.now/book.Day, 10)
}

// Specimen returns a URL of the window that may be fetched: of those for which most clients asked, the first. "": there is
// none. O(URLs).
func (m *Machine) Specimen() (url string) {
	if m.guard == nil {
		return ""
	}
	most := -1
	for i := range m.guard.Of {
		n := 0
		if m.window.Masks != nil {
			n = bits.OnesCount16(m.window.Masks[i])
		}
		if m.guard.Of[i] == forms.Public && n > most {
			url, most = m.window.Pages[i].URL, n
		}
	}
	return url
}
