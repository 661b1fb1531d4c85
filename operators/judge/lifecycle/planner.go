package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
)

// planner decides what comes next.
type planner struct {
	derived

	now      int64 // time of the current next
	coverage coverage
	rest     Rest   // see Machine.Rest
	closing  bool   // nothing more can be fetched: see Machine.Close
	named    named  // pairs reported by crawlers
	posted   posted // pages posted by crawlers
	open     int    // see Status.Open
	barred   int    // pairs left out of the trials that ended with a verdict

	present  Now        // as of the last next
	rejudged []Rejudged // not yet taken

	untried      int    // see Private.Rules
	firstUntried string // see Private.FirstRule
}

func newPlanner(b *book.Book) *planner {
	return &planner{derived: newDerived(b), present: Now{Why: FirstLook}}
}

// Rest says which rules may be tried.
type Rest uint8

// The degrees of rest.
const (
	NoRest   Rest = iota
	LastRule      // only the trial under way goes on, with an exception as well
	FullRest      // no rule is tried
)

// mayTry reports whether rules may be tried.
func (pl *planner) mayTry() bool {
	begun := pl.attempts.rule != nil && pl.attempts.rule.IsNew
	return pl.rest == NoRest || pl.rest == LastRule && (begun || pl.book.Resumes())
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
func (pl *planner) Next(now int64) (Look, bool) {
	if pl.window == nil {
		return Look{}, false
	}
	pl.now = now
	for {
		if pl.derive(now) {
			pl.coverage.add(Point{pl.book.Compared, book.Share(len(pl.window.Pages)-len(pl.view.Forms.Texts), len(pl.window.Pages))})
		}
		switch look, s := pl.step(now); s {
		case gave:
			if look.Since = pl.book.Memory.Since; pl.mayFetch(&look) {
				pl.present = Now{Why: Trying}
				return look, true
			}
		case changed:
		default:
			pl.present = pl.idle(s == waiting, now)
			return Look{}, false
		}
	}
}

// states are what a site's machine can be doing, in order. A state without anything to do passes on to the
// next.
var states = [...]func(pl *planner, now int64) (Look, step){
	(*planner).update,        // waits for nothing: published records lack what is known now, or what operators wish
	(*planner).publishDue,    // waits for the trial of the set, once a publication is due
	(*planner).tryNamed,      // waits for the pairs that crawlers reported
	(*planner).recheckAll,    // waits for the pairs of published rules and of the published set
	(*planner).tryCandidates, // waits for the pairs of a candidate: see stages
	(*planner).publishAll,    // waits for the trial of the set, since nothing is left to try
	(*planner).learnForms,    // waits for nothing: the forms are mined once in LevelEvery
	(*planner).further,       // waits for the pairs of the published set, until its limit is shown
}

// step takes the first possible step.
func (pl *planner) step(now int64) (Look, step) {
	for _, state := range states {
		if look, s := state(pl, now); s != nothing {
			return look, s
		}
	}
	return Look{}, nothing
}

func (pl *planner) update(now int64) (Look, step) {
	if pl.renew(now) || pl.obey(now) || pl.noteOverdue(now) {
		return Look{}, changed
	}
	return Look{}, nothing
}

func (pl *planner) publishDue(now int64) (Look, step) { return pl.publishIf(false, now) }

func (pl *planner) publishAll(now int64) (Look, step) { return pl.publishIf(true, now) }

// publishIf publishes if a publication is due. idle reports whether nothing is left to try.
func (pl *planner) publishIf(idle bool, now int64) (Look, step) {
	if !pl.publisher.due(pl.view, idle, now) {
		return Look{}, nothing
	}
	return pl.publish(now)
}

func (pl *planner) tryCandidates(now int64) (Look, step) {
	if !pl.mayTry() {
		return Look{}, nothing
	}
	return pl.try(now)
}

func (pl *planner) learnForms(now int64) (Look, step) {
	stage := pl.view.NextStage(&pl.book.Learned)
	if stage == 0 || pl.rest != NoRest || !pl.mayLearn(now) {
		return Look{}, nothing
	}
	pl.learn(stage, now)
	return Look{}, changed
}

// learn mines the forms.
func (pl *planner) learn(stage int, now int64) {
	l := pl.view.Learn(pl.labels(), stage, now)
	pl.do(book.Act{Learnt: &l})
}

// labels returns the labels of the documents that were requested.
func (pl *planner) labels() book.Labels {
	return pl.book.Memory.Labels(pl.book.Noise.Threshold(pl.o.Tau))
}

// mayLearn reports whether the forms may be mined again.
func (pl *planner) mayLearn(now int64) bool {
	return !pl.o.GivenOnly && now >= pl.book.Learned.At+pl.o.LevelEvery
}
