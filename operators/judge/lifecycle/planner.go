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
func (tr *trier) mayTry() bool {
	begun := tr.attempts.rule != nil && tr.attempts.rule.IsNew
	return tr.rest == NoRest || tr.rest == LastRule && (begun || tr.book.Resumes())
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
			if look.Since = m.book.Memory.Since; m.Dialogue.mayFetch(&look) {
				m.present = Now{Why: Trying}
				return look, true
			}
		case changed:
		default:
			m.present = m.trier.idle(s == waiting, now)
			return Look{}, false
		}
	}
}

// states are what a site's machine can be doing, in order. A state without anything to do passes on to the
// next.
var states = [...]func(m *Machine, now int64) (Look, step){
	func(m *Machine, now int64) (Look, step) { return m.update(now) },                // waits for nothing: published records lack what is known now, or what operators wish
	func(m *Machine, now int64) (Look, step) { return m.sets.publishIf(false, now) }, // waits for the trial of the set, once a publication is due
	func(m *Machine, now int64) (Look, step) { return m.Reports.tryNamed(now) },      // waits for the pairs that crawlers reported
	func(m *Machine, now int64) (Look, step) { return m.rechecks.recheckAll(now) },   // waits for the pairs of published rules and of the published set
	func(m *Machine, now int64) (Look, step) { return m.trier.tryCandidates(now) },   // waits for the pairs of a candidate: see stages
	func(m *Machine, now int64) (Look, step) { return m.sets.publishIf(true, now) },  // waits for the trial of the set, since nothing is left to try
	func(m *Machine, now int64) (Look, step) { return m.learner.learnForms(now) },    // waits for nothing: the forms are mined once in LevelEvery
	func(m *Machine, now int64) (Look, step) { return m.sets.further(now) },          // waits for the pairs of the published set, until its limit is shown
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
	if m.renew(now) || m.Operator.obey(now) || m.prover.noteOverdue(now) {
		return Look{}, changed
	}
	return Look{}, nothing
}

// publishIf publishes if a publication is due. idle reports whether nothing is left to try.
func (se *sets) publishIf(idle bool, now int64) (Look, step) {
	if !se.publisher.due(se.view, idle, now) {
		return Look{}, nothing
	}
	return se.publish(now)
}

func (tr *trier) tryCandidates(now int64) (Look, step) {
	if !tr.mayTry() {
		return Look{}, nothing
	}
	return tr.try(now)
}

func (le *learner) learnForms(now int64) (Look, step) {
	stage := le.view.NextStage(&le.book.Learned)
	if stage == 0 || le.rest != NoRest || !le.mayLearn(now) {
		return Look{}, nothing
	}
	le.learn(stage, now)
	return Look{}, changed
}

// learner mines the forms.
type learner struct{ *life }

// learn mines the forms.
func (le *learner) learn(stage int, now int64) {
	l := le.view.Learn(le.labels(), stage, now)
	le.do(book.Act{Learnt: &l})
}

// labels returns the labels of the documents that were requested.
func (le *learner) labels() book.Labels {
	return le.book.Memory.Labels(le.book.Noise.Threshold(le.o.Tau))
}

// mayLearn reports whether the forms may be mined again.
func (le *learner) mayLearn(now int64) bool {
	return !le.o.GivenOnly && now >= le.book.Learned.At+le.o.LevelEvery
}
