package lifecycle

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

func newPlanner(b *book) *planner {
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
	return pl.rest == NoRest || pl.rest == LastRule && (pl.trials.rule != nil || pl.book.resumes())
}

// step is the result of one part of the machine.
type step uint8

const (
	nothing step = iota // there is nothing to do
	gave                // a test
	changed             // something changed; the caller looks again
	waiting             // for outcomes
	ready               // the part is done
)

// next returns the pair to fetch next: see Machine.Next.
func (pl *planner) next(now int64) (Test, bool) {
	if pl.window == nil {
		return Test{}, false
	}
	pl.now = now
	for {
		if pl.derive(now) {
			pl.coverage.add(Point{pl.book.compared, share(len(pl.window.pages)-len(pl.view.forms.texts), len(pl.window.pages))})
		}
		switch test, s := pl.step(now); s {
		case gave:
			if test.Since = pl.book.memory.since; pl.mayFetch(&test) {
				pl.present = Now{Why: Trying}
				return test, true
			}
		case changed:
		default:
			pl.present = pl.idle(s == waiting, now)
			return Test{}, false
		}
	}
}

// step takes the first possible step.
func (pl *planner) step(now int64) (Test, step) {
	if pl.renew(now) || pl.obey(now) {
		return Test{}, changed
	}
	if pl.publisher.due(pl.view, false, now) {
		if test, s := pl.publish(now); s != nothing {
			return test, s
		}
	}
	if pl.rest == NoRest {
		if test, s := pl.tryNamed(now); s != nothing {
			return test, s
		}
	}
	if test, s := pl.recheckAll(now); s != nothing {
		return test, s
	}
	if pl.mayTry() {
		if test, s := pl.try(now); s != nothing {
			return test, s
		}
	}
	if pl.publisher.due(pl.view, true, now) {
		if test, s := pl.publish(now); s != nothing {
			return test, s
		}
	}
	if stage := pl.view.nextStage(&pl.book.learned); stage > 0 && pl.rest == NoRest && pl.mayLearn(now) {
		l := pl.view.learn(pl.labels(), stage, now)
		pl.do(Act{Learnt: &l})
		return Test{}, changed
	}
	return pl.further(now)
}

// labels returns the labels of the documents that were requested.
func (pl *planner) labels() labels {
	return pl.book.memory.labels(pl.book.noise.Threshold(pl.o.Tau))
}

// mayLearn reports whether the forms may be mined again.
func (pl *planner) mayLearn(now int64) bool {
	return !pl.o.GivenOnly && now >= pl.book.learned.At+pl.o.LevelEvery
}
