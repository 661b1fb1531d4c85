package lifecycle

import (
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
	return forms.Private{Alone: !g.Window.Clients, Single: g.Window.Single(), Any: g.Kinds == nil, URLs: len(g.Of),
		Secret: g.Counts[forms.Secret], OneClient: g.Counts[forms.OneClient], Unasked: g.Counts[forms.Unasked], Pairs: m.barred, Rules: m.untried,
		FirstSecret: g.First[forms.Secret], FirstOneClient: g.First[forms.OneClient], FirstUnasked: g.First[forms.Unasked], FirstRule: m.firstUntried}
}

// mayFetch reports whether a look may be given out. All looks pass through it. One that may not be
// given out becomes a skip that costs no fetch.
func (m *Machine) mayFetch(t *Look) bool {
	if m.guard.Allows(t.U, t.V) || t.Purpose == Control && m.guard.Privacy(t.V) == forms.Unasked {
		return true // the pages of a control belong to pairs that were allowed, or are decoys
	}
	m.Outcome(*t, trial.Seen{Judgement: trial.Judgement{Outcome: trial.Skip, Reason: trial.NotAllowed}}, 1, m.now)
	return false
}
