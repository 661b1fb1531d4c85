package loop

import (
	"errors"
	"maps"
	"slices"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/stream/job"
	"dustbuster/stream/records"
	"dustbuster/stream/site"
)

// Status describes the state of the loop.
type Status struct {
	Started    time.Time
	CaughtUp   bool           // the lines present at the start have been read
	Counts     records.Counts // of lines, since the start
	Late       int            // hits older than the window
	LateSites  int            // sites most of whose newest hits are
	Shed       int            // hits on URLs beyond MaxURLs, at least
	Beyond     int            // hits on sites beyond the MaxSites with the most URLs
	Ahead      int            // hits too far ahead of the clock
	Events     int            // emitted
	Errors     Errors         // after which the loop went on
	LastError  string
	Failing    Failing   // work that fails at present, and is tried again
	Saved      time.Time // start of the last checkpoint; zero before the first
	SaveTook   time.Duration
	StateBytes int64

	Forgotten *Forgotten // clients are missing, of observations of an earlier time; nil: none are

	MemoryBudget, MemoryUsed int64 // bytes; 0: there is no bound

	Sites []site.Status
}

// The words of a site that readers of a Status need.
type (
	Site     = site.Status
	Withheld = site.Withheld
)

// Restored counts what an earlier process has left in the store.
type Restored struct {
	Sites        int
	Observations int // of URLs, panes and classes
	Rules        int // published
}

// Failure is the work that failed in an error.
type Failure int

// The kinds of failures.
const (
	ReadFailed    Failure = iota // a log cannot be read
	EmitFailed                   // events were not taken
	PublishFailed                // the list of rules was not taken
	SaveFailed                   // a checkpoint failed
	RestoreFailed                // a part of the state cannot be used
	ClashFailed                  // rules of a site do not agree with those of another
	RefuseFailed                 // a part of a checkpoint was refused for good, and is left out
	failures
)

var failureNames = [failures]string{"read", "emit", "publish", "save", "restore", "clash", "refused"}

// Errors counts errors by what failed.
type Errors [failures]int

// Failing says in words which work fails at present, and why. Only work that is tried again can fail:
// events, the list and checkpoints.
type Failing [failures]string

// Err returns an error for the most important work that fails, or nil.
func (f *Failing) Err() error {
	for _, what := range [...]Failure{SaveFailed, PublishFailed, EmitFailed} {
		if f[what] != "" {
			return errors.New("cannot " + f[what])
		}
	}
	return nil
}

// All returns the number of all errors.
func (e *Errors) All() (n int) {
	for _, one := range e {
		n += one
	}
	return n
}

// State is the loop's public state. A State is immutable.
type State struct {
	Status   Status
	Revision int64       // changes whenever the rest does; of several loops, the sum
	Rules    []rule.List // likely, as last refined, in order of site; of each site best first

	Listed    bool                         // Rules has what the lines tell that were there at the first start; false: rules may be missing
	Validates bool                         // rules are tried
	Published map[string]*book.Publication // by site; immutable
}

// State returns the state as of the last checkpoint or refinement. Any goroutine may call
// State.
func (l *Loop) State() *State { return l.state.Load() }

// Stalled returns for how long the loop has not turned, or a checkpoint or a list has been written, as
// when a disk hangs; 0 if the loop is not running. Any goroutine may call Stalled.
func (l *Loop) Stalled() time.Duration {
	longest := l.jobs.Oldest(job.Save, job.Publish)
	if turned := l.turned.Load(); turned != 0 {
		longest = max(longest, time.Since(time.Unix(turned, 0)))
	}
	return longest
}

// share publishes the loop's state. While catching up, share leaves out the indexes, which
// need not be up to date yet.
func (l *Loop) share() {
	l.status.Beyond, l.status.Events = l.sites.Beyond(), l.events.emitted
	l.status.Forgotten, l.status.LateSites = l.clientsForgotten(), len(l.lateSites())
	if l.o.Memory != nil {
		l.status.MemoryBudget, l.status.MemoryUsed = l.o.Memory.total, l.used()
	}
	if l.in.live {
		l.status.Sites = make([]site.Status, 0, len(l.status.Sites)) // readers hold the last slice
		for m := range l.sites.All() {
			one := l.of(m).Status()
			one.Curve = l.curves.of[one.Name]
			l.status.Sites = append(l.status.Sites, one)
		}
	}
	l.revision++
	l.state.Store(&State{l.status, l.revision, l.lists.rules, l.lists.listed, l.o.Validate != nil, maps.Clone(l.lists.shown)})
}

// Knows reports whether a site has hits or rules. Until the loop has caught up, every site may have
// hits.
func (s *State) Knows(name string) bool {
	return !s.Status.CaughtUp || s.Published[name] != nil || slices.ContainsFunc(s.Status.Sites, func(known site.Status) bool { return known.Name == name })
}

// ended notes how work that is tried again ended.
func (l *Loop) ended(what Failure, doing string, err error) {
	if err == nil {
		l.status.Failing[what] = ""
		return
	}
	l.fail(what, doing, err)
	l.status.Failing[what] = l.status.LastError
}

// shareFailing shares the state if other work fails than in the shared state.
func (l *Loop) shareFailing() {
	if l.state.Load().Status.Failing != l.status.Failing {
		l.share()
	}
}

// fail notes an error after which the loop goes on.
func (l *Loop) fail(what Failure, doing string, err error) {
	l.status.Errors[what]++
	l.status.LastError = doing + ": " + err.Error()
	l.o.Failed(doing, err)
}
