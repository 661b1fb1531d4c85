package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
)

// Next returns the pair to fetch next, or false if there is none now: looks given out must first have
// outcomes, or time must pass, or an operator must decide. Next also gives verdicts, learns and
// publishes, so callers should read [Machine.Acts] and [Machine.Published] after each call. A pair
// that was given out is not given out again until it has an outcome or is released.
//
// Usually O(1). O(window · rules) if L has grown or the window is new.
func (m *Machine) Next(now int64) (Look, bool) {
	if m.window == nil {
		return Look{}, false
	}
	m.now = now
	defer func() { m.trier.sought = nil }()
	for {
		if m.derive(now) {
			m.coverage.add(Point{m.book.Compared, book.Share(len(m.window.Pages)-len(m.view.Forms.Texts), len(m.window.Pages))})
		}
		switch look, s := m.step(now); s {
		case gave:
			if look.Since = m.book.Memory.Since; m.Dialogue.mayFetch(&look) {
				m.present = Now{Why: Trying}
				return look, true
			}
		case changed:
		case waiting:
			m.present = Now{Why: Awaiting}
			return Look{}, false
		default:
			m.present = m.idle(now)
			return Look{}, false
		}
	}
}

// state is something that a site's machine can be doing.
type state struct {
	name string
	next func(m *Machine, now int64) (Look, step) // nothing: there is nothing to do
	why  func(m *Machine, now int64) Now          // the reason for which there is nothing to do; nil: none that matters to an operator
}

// states are in order: a state without anything to do passes on to the next.
var states = [...]state{
	{"update", (*Machine).update, nil}, // what is published lacks what is known now, or what operators wish
	{"publish", func(m *Machine, now int64) (Look, step) { return m.sets.publishIf(false, now) }, nil},
	{"report", func(m *Machine, now int64) (Look, step) { return m.Reports.next(now) }, func(m *Machine, _ int64) Now { return m.Reports.why() }},
	{"recheck", func(m *Machine, now int64) (Look, step) { return m.rechecks.next(now) }, nil},
	{"try", func(m *Machine, now int64) (Look, step) { return m.trier.next(now) }, func(m *Machine, now int64) Now { return m.trier.why(now) }},
	{"publish the rest", func(m *Machine, now int64) (Look, step) { return m.sets.publishIf(true, now) }, func(m *Machine, _ int64) Now { return m.publisher.why() }},
	{"learn", func(m *Machine, now int64) (Look, step) { return m.learner.next(now) }, func(m *Machine, now int64) Now { return m.learner.why(now) }},
	{"show the limit of the set", func(m *Machine, now int64) (Look, step) { return m.sets.further(now) }, nil},
}

// step takes the first possible step.
func (m *Machine) step(now int64) (Look, step) {
	for i := range states {
		if look, s := states[i].next(m, now); s != nothing {
			m.state = states[i].name
			return look, s
		}
	}
	m.state = ""
	return Look{}, nothing
}

// idle returns the reason for which no state has anything to do: that of the states which matters most.
func (m *Machine) idle(now int64) (present Now) {
	for i := range states {
		if states[i].why == nil {
			continue
		}
		if n := states[i].why(m, now); n.Why.weighsMore(present.Why) {
			present = n
		}
	}
	return present
}

func (m *Machine) update(now int64) (Look, step) {
	if m.renew(now) || m.Operator.obey(now) || m.prover.noteOverdue(now) {
		return Look{}, changed
	}
	return Look{}, nothing
}

// Close publishes the rules that hold before the machine is given up because no more pairs can be
// fetched. It publishes nothing if the set was not tried at all, or was found wrong.
func (m *Machine) Close(now int64) {
	m.rest, m.closing = FullRest, true
	if look, ok := m.Next(now); ok {
		m.ongoing.release(look)
	}
	m.closing = false
}
