package lifecycle

import (
	"strconv"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
)

// asks decides what is fetched for a look: the URL itself, or a stand-in.
type asks struct{ *life }

// mayStandIn reports whether a rule may be given another stand-in at present.
func (as *asks) mayStandIn(rule string) bool {
	s := as.book.Memory.StandIns(as.now)
	return s.May(rule)
}

// lacksStandIn reports whether a pair of a trial waits for a stand-in that the rule may not be given at present.
func (as *asks) lacksStandIn(a *trials.Trial, p *trials.Pair) bool {
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
	for _, a := range []*trials.Trial{as.ongoing.recheck, as.ongoing.rule} {
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
	for _, a := range []*trials.Trial{as.ongoing.recheck, as.ongoing.rule} {
		if a != nil && a.Candidate.ID == t.Rule {
			return a.Asks
		}
	}
	if t.Rule == "" && as.ongoing.set != nil && t.Purpose != Report {
		return as.ongoing.set.Asks
	}
	return as.view.Asks(as.view.Forms, nil, nil)
}

// roundOf returns the round of a look: its trial, on one day. A stand-in is not met again in another.
func (as *asks) roundOf(t *Look) string {
	of := t.Purpose
	if of == Proof || of == Control && as.ongoing.recheck == nil {
		of = Trial
	} else if of == Control {
		of = Recheck
	}
	return of.String() + strconv.FormatInt(as.now/book.Day, 10)
}
