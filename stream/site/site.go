package site

import (
	"slices"
	"time"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/waste"
)

// Options are those of all sites of a host.
type Options struct {
	Miner      *miner.Options
	LookURLs   int  // of a larger window, learners look at a sample of so many URLs; 0: at any window
	NoWithhold bool // list also rules that look like secrets, or that come from a single client
}

// Site is one site. It belongs to one goroutine.
type Site struct {
	*miner.Machine // the window and its learners
	o              *Options

	list     []rule.Likely // the likely rules
	withheld Withheld      // of these
	touched  bool          // the window has changed since the last View
	found    last
	late     lateness
}

// New returns a site with this window.
func New(m *miner.Machine, o *Options) *Site {
	return &Site{Machine: m, o: o, found: last{changed: true}}
}

// Took notes what has become of an observation that the window was given.
func (s *Site) Took(outcome table.Outcome) {
	s.late.take(outcome == table.Late)
	if outcome != table.Late && outcome != table.Shed {
		s.touched = true
	}
}

// Touch says that the next refinement must find the likely rules.
func (s *Site) Touch() { s.touched = true }

// Touched reports whether the window has changed since the last View, or Touch was called.
func (s *Site) Touched() bool { return s.touched }

// List returns the likely rules as last refined, best first.
func (s *Site) List() []rule.Likely { return s.list }

// Withheld returns how many likely rules are not in the list.
func (s *Site) Withheld() Withheld { return s.withheld }

// Late returns how many of the newest 64 hits are older than the window, if most are, and else 0.
func (s *Site) Late() int { return s.late.count() }

// ForgetLate forgets which hits were late.
func (s *Site) ForgetLate() { s.late = lateness{} }

// Pane returns the start of the newest pane, as events name the pane.
func (s *Site) Pane() int64 {
	pane, _ := s.Newest()
	return pane
}

// Status describes the state of a site.
type Status struct {
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

// Status returns the state of the site, without the waste by day.
func (s *Site) Status() Status {
	urls, likely := s.Sizes()
	out := Status{Name: s.Site(), URLs: urls, Likely: likely, Rules: len(s.list), Shed: s.CutURLs(), Late: s.Late(), Withheld: s.withheld,
		Notes: s.found.Notes, Seen: s.found.Seen, Waste: s.found.Waste}
	if seconds, ok := s.Newest(); ok && seconds != 0 {
		out.Newest = time.Unix(seconds, 0).UTC()
	}
	return out
}

// Withheld counts the likely rules of a site that are neither told nor tried.
type Withheld struct {
	Secret    int `json:"secret,omitempty"`     // the rule's text looks like a secret
	OneClient int `json:"one_client,omitempty"` // all URLs that speak for the rule come from a single client
}

// Sum returns the number of rules.
func (w Withheld) Sum() int { return w.Secret + w.OneClient }

// online returns the listed rules that no look has found.
func (s *Site) online() []rule.Likely {
	list := slices.Clone(s.list) // whoever looks weighs them
	n := slices.IndexFunc(list, func(r rule.Likely) bool { return s.o.Miner.Looks(r.Learner) })
	if n < 0 {
		return list
	}
	return list[:n]
}
