package loop

import (
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
	"dustbuster/stream/records"
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

	Sites []Site
}

// Site describes the state of one site.
type Site struct {
	Name   string    `json:"site"`
	URLs   int       `json:"urls"`
	Likely int       `json:"likely_pairs"`         // pairs, the redundant ones too
	Rules  int       `json:"rules"`                // at the last refinement
	Newest time.Time `json:"newest_pane,omitzero"` // start of the newest pane; zero for the endless one
	Shed   int       `json:"urls_shed,omitempty"`  // URLs removed from the window, as the site exceeded its share of the memory

	Late int `json:"late_hits,omitempty"` // how many of the newest 64 hits are older than the window, if most are

	Withheld Withheld `json:"withheld,omitzero"`

	Notes []notes.Note `json:"notes,omitempty"` // what the log cannot tell, at the last look; immutable
	Seen  *notes.Seen  `json:"seen,omitempty"`  // what the log shows, if no rule was found at the last look; immutable
	Waste *waste.Told  `json:"-"`               // at the last look; immutable; nil: not known
	Curve waste.Curve  `json:"-"`               // the waste by day
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

// State returns the state as of the last checkpoint or refinement. Any goroutine may call
// State.
func (l *Loop) State() *State { return l.state.Load() }

// Stalled returns for how long the loop has not turned, or a checkpoint or a list has been written, as
// when a disk hangs; 0 if the loop is not running. Any goroutine may call Stalled.
func (l *Loop) Stalled() (longest time.Duration) {
	for _, since := range []*atomic.Int64{&l.turned, &l.saveBegan, &l.out.began} {
		if began := since.Load(); began != 0 {
			longest = max(longest, time.Since(time.Unix(began, 0)))
		}
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
	if l.live {
		l.status.Sites = make([]Site, 0, len(l.status.Sites)) // readers hold the last slice
		for m := range l.sites.All() {
			l.status.Sites = append(l.status.Sites, l.site(m))
		}
	}
	l.revision++
	l.state.Store(&State{l.status, l.revision, l.rules, l.listed, l.o.Validate != nil, maps.Clone(l.shown)})
}

func (l *Loop) site(m *miner.Machine) Site {
	urls, likely := m.Sizes()
	s := Site{Name: m.Site(), URLs: urls, Likely: likely, Rules: l.lists[m].Len(), Shed: m.CutURLs(), Withheld: l.withheld[m]}
	if seconds, ok := m.Newest(); ok && seconds != 0 {
		s.Newest = time.Unix(seconds, 0).UTC()
	}
	if late := l.lates[m]; late != nil {
		s.Late = late.count()
	}
	s.Curve = l.curves.of[m.Site()]
	if last := l.looks.last[m]; last != nil {
		s.Notes, s.Waste, s.Seen = last.notes, last.waste, last.seen
	}
	return s
}

// Knows reports whether a site has hits or rules. Until the loop has caught up, every site may have
// hits.
func (s *State) Knows(site string) bool {
	return !s.Status.CaughtUp || s.Published[site] != nil || slices.ContainsFunc(s.Status.Sites, func(known Site) bool { return known.Name == site })
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
