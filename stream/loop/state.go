package loop

import (
	"errors"
	"slices"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
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

// Knows reports whether a site has hits or rules. Until the loop has caught up, every site may have
// hits.
func (s *State) Knows(name string) bool {
	return !s.Status.CaughtUp || s.Published[name] != nil || slices.ContainsFunc(s.Status.Sites, func(known site.Status) bool { return known.Name == name })
}
