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
func (di *Dialogue) MayLead() func(from, to string) bool {
	if di.guard == nil {
		return func(from, to string) bool { return true }
	}
	return di.guard.Leads
}

// asks decides what is fetched for a look: the URL itself, or a stand-in.
type asks struct{ *life }

// private returns the counts of the guard, and of the trials.
func (an *Answers) private() forms.Private {
	g := an.guard
	if g == nil || g.Has != nil { // nothing is fetched from a site
		return forms.Private{}
	}
	return forms.Private{Alone: !g.Window.Clients, Single: g.Window.Single(), Nobody: g.Window.Nobody(), Any: g.Kinds == nil, URLs: len(g.Of),
		Secret: g.Counts[forms.Secret], OneClient: g.Counts[forms.OneClient], Unasked: g.Counts[forms.Unasked], Pairs: an.verdicts.barred, Rules: an.trier.untried,
		FirstSecret: g.First[forms.Secret], FirstOneClient: g.First[forms.OneClient], FirstUnasked: g.First[forms.Unasked], FirstRule: an.trier.firstUntried}
}

// mayFetch reports whether a look may be given out, and notes the stand-in that is fetched in the place of a
// private URL. All looks pass through it. One that may not be given out becomes a skip that costs no fetch.
func (di *Dialogue) mayFetch(t *Look) bool {
	switch ask, ok := di.asks.askFor(t); {
	case ok && ask == t.U:
		return true
	case ok && di.asks.mayStandIn(t.Rule):
		t.Ask = ask
		return true
	}
	di.Outcome(*t, trial.Seen{Judgement: trial.Judgement{Outcome: trial.Skip, Reason: trial.NotAllowed}}, 1, di.now)
	return false
}

// mayStandIn reports whether a rule may be given another stand-in at present.
func (as *asks) mayStandIn(rule string) bool {
	s := as.book.Memory.StandIns(as.now)
	return s.May(rule)
}

// lacksStandIn reports whether a pair of an attempt waits for a stand-in that the rule may not be given at present.
func (as *asks) lacksStandIn(a *attempt.Attempt, p *attempt.Pair) bool {
	return !as.guard.Allows(p.U, p.V) && !as.mayStandIn(a.Candidate.ID)
}

// askFor returns what is fetched for the u of a look. False: the look may not be given out.
func (as *asks) askFor(t *Look) (ask string, ok bool) {
	if as.guard.Allows(t.U, t.V) {
		return t.U, true
	}
	asks := as.asksOf(t)
	if t.Purpose == Control { // the pages of a control belong to pairs that were allowed, or are decoys
		if ask, ok = as.askedFor(t); !ok {
			ask, ok = asks.Control(t.U, as.roundOf(t))
		}
		of := as.guard.Privacy(t.V)
		return ask, ok && (of == forms.Unasked || of == forms.Public && ask != t.U)
	}
	if ask, ok = asks.URL(t.U, t.V, as.roundOf(t)); !ok { // a step of L that may be at fault
		ask, ok = as.view.Asks(as.view.Forms, nil, nil).URL(t.U, t.V, as.roundOf(t))
	}
	return ask, ok && ask != t.U
}

// askedFor returns the stand-in by which a trial has looked at the u of a control, perhaps for another rule.
func (as *asks) askedFor(t *Look) (ask string, ok bool) {
	for _, a := range []*attempt.Attempt{as.attempts.recheck, as.attempts.rule} {
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
func (as *asks) asksOf(t *Look) *forms.Asks {
	for _, a := range []*attempt.Attempt{as.attempts.recheck, as.attempts.rule} {
		if a != nil && a.Candidate.ID == t.Rule {
			return a.Asks
		}
	}
	if t.Rule == "" && as.attempts.set != nil && t.Purpose != Report {
		return as.attempts.set.Asks
	}
	return as.view.Asks(as.view.Forms, nil, nil)
}

// roundOf returns the round of a look: its trial, on one day. A stand-in is not met again in another.
func (as *asks) roundOf(t *Look) string {
	of := t.Purpose
	if of == Proof || of == Control && as.attempts.recheck == nil {
		of = Trial
	} else if of == Control {
		of = Recheck
	}
	return of.String() + strconv.FormatInt(as.now/book.Day, 10)
}

// Specimen returns a URL of the window that may be fetched: of those for which most clients asked, the first. "": there is
// none. O(URLs).
func (di *Dialogue) Specimen() (url string) {
	if di.guard == nil {
		return ""
	}
	most := -1
	for i := range di.guard.Of {
		n := 0
		if di.window.Masks != nil {
			n = bits.OnesCount16(di.window.Masks[i])
		}
		if di.guard.Of[i] == forms.Public && n > most {
			url, most = di.window.Pages[i].URL, n
		}
	}
	return url
}
