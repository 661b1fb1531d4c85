package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
)

// Rest says which rules may be tried.
type Rest uint8

// The degrees of rest.
const (
	NoRest   Rest = iota
	LastRule      // only the trial under way goes on, with an exception as well
	FullRest      // no rule is tried
)

// mayTry reports whether rules may be tried.
func (m *Machine) mayTry() bool {
	begun := m.attempts.rule != nil && m.attempts.rule.IsNew
	return m.rest == NoRest || m.rest == LastRule && (begun || m.book.Resumes())
}

// step is the result of one part of the machine.
type step uint8

const (
	nothing step = iota // there is nothing to do
	gave                // a look
	changed             // something changed; the caller looks again
	waiting             // for outcomes
	ready               // the part is done
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
	for {
		if m.derive(now) {
			m.coverage.add(Point{m.book.Compared, book.Share(len(m.window.Pages)-len(m.view.Forms.Texts), len(m.window.Pages))})
		}
		switch look, s := m.step(now); s {
		case gave:
			if look.Since = m.book.Memory.Since; m.mayFetch(&look) {
				m.present = Now{Why: Trying}
				return look, true
			}
		case changed:
		default:
			m.present = m.idle(s == waiting, now)
			return Look{}, false
		}
	}
}

// states are what a site's machine can be doing, in order. A state without anything to do passes on to the
// next.
var states = [...]func(m *Machine, now int64) (Look, step){
	(*Machine).update,        // waits for nothing: published records lack what is known now, or what operators wish
	(*Machine).publishDue,    // waits for the trial of the set, once a publication is due
	(*Machine).tryNamed,      // waits for the pairs that crawlers reported
	(*Machine).recheckAll,    // waits for the pairs of published rules and of the published set
	(*Machine).tryCandidates, // waits for the pairs of a candidate: see stages
	(*Machine).publishAll,    // waits for the trial of the set, since nothing is left to try
	(*Machine).learnForms,    // waits for nothing: the forms are mined once in LevelEvery
	(*Machine).further,       // waits for the pairs of the published set, until its limit is shown
}

// step takes the first possible step.
func (m *Machine) step(now int64) (Look, step) {
	for _, state := range states {
		if look, s := state(m, now); s != nothing {
			return look, s
		}
	}
	return Look{}, nothing
}

func (m *Machine) update(now int64) (Look, step) {
	if m.renew(now) || m.obey(now) || m.noteOverdue(now) {
		return Look{}, changed
	}
	return Look{}, nothing
}

func (m *Machine) publishDue(now int64) (Look, step) { return m.publishIf(false, now) }

func (m *Machine) publishAll(now int64) (Look, step) { return m.publishIf(true, now) }

// publishIf publishes if a publication is due. idle reports whether nothing is left to try.
func (m *Machine) publishIf(idle bool, now int64) (Look, step) {
	if !m.publisher.due(m.view, idle, now) {
		return Look{}, nothing
	}
	return m.publish(now)
}

func (m *Machine) tryCandidates(now int64) (Look, step) {
	if !m.mayTry() {
		return Look{}, nothing
	}
	return m.try(now)
}

func (m *Machine) learnForms(now int64) (Look, step) {
	stage := m.view.NextStage(&m.book.Learned)
	if stage == 0 || m.rest != NoRest || !m.mayLearn(now) {
		return Look{}, nothing
	}
	m.learn(stage, now)
	return Look{}, changed
}

// learn mines the forms.
func (m *Machine) learn(stage int, now int64) {
	l := m.view.Learn(m.labels(), stage, now)
	m.do(book.Act{Learnt: &l})
}

// labels returns the labels of the documents that were requested.
func (m *Machine) labels() book.Labels {
	return m.book.Memory.Labels(m.book.Noise.Threshold(m.o.Tau))
}

// mayLearn reports whether the forms may be mined again.
func (m *Machine) mayLearn(now int64) bool {
	return !m.o.GivenOnly && now >= m.book.Learned.At+m.o.LevelEvery
}
