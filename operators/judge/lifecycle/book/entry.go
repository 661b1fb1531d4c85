package book

import (
	"slices"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// The reasons of verdicts.
const (
	ByTrial      = "trial"
	ByServer     = "server_error" // the server fails at URLs made by the rule
	ByStandIns   = "stand_ins"    // the server refuses or redirects invented URLs, or enough were asked for today
	ByRefusal    = "refused"      // the server refuses most URLs made by the rule
	ByReturn     = "leads_back"
	ByUnsafe     = "unsafe"     // some URL of the window has no canonical form
	BySet        = "set"        // the rules together turned a URL into a wrong form, and this rule was sent back
	ByReport     = "report"     // a reported pair was confirmed to be wrong, and the rule was sent back
	ByVeto       = "veto"       // an operator vetoed the rule
	ByCanonical  = "canonical"  // the rule holds, and the pages name the other direction's URLs as canonical
	ByRedirects  = "redirects"  // the rule holds, and the URLs into which the rule leads redirect
	ByClients    = "clients"    // the rule holds, and more clients ask for the other direction's URLs
	ByPreference = "preference" // an operator prefers the other direction
	ByPin        = "pin"        // the outcomes do not decide, and an operator pinned the rule
	ByRecheck    = "tested_again"
	ByNear       = "near_threshold" // pages are about as alike as the threshold: chance would decide
	ByElsewhere  = "elsewhere"      // the rule holds where its pairs lie, but would edit in more folders without an outcome than it may except
	ByNames      = "names"          // the rule holds, but no pair can be had of some of the names that it drops
	ByException  = "exception"      // the trial goes on: the rule was given an exception
)

// Entry is what the book holds about a rule that was tried.
type Entry struct {
	ID          string         `json:"id"`
	Rule        rule.Rule      `json:"rule"`
	State       rule.State     `json:"state"`
	Rank        int            `json:"rank,omitempty"` // place in L, from 1; assigned with the verdict and never reused
	Support     int            `json:"support"`        // at the time of the verdict
	Grounds     Grounds        `json:"grounds,omitempty"`
	Verdict     rule.Verdict   `json:"verdict"`
	FirstSeen   int64          `json:"first_seen"`
	ValidatedAt int64          `json:"validated_at,omitempty"`
	Followers   []rule.Rule    `json:"followers,omitempty"` // rules tried in place of the refuted rule, or beside an undecided one
	Late        []rule.Rule    `json:"late,omitempty"`      // the same, tried when nothing else has gain left
	Change      trial.Change   `json:"change"`
	Sizes       Sizes          `json:"sizes,omitzero"`   // at the time the rule was found valid
	Pinned      bool           `json:"pinned,omitempty"` // an operator pinned the rule
	Sent        []rule.Example `json:"sent,omitempty"`   // wrong pairs found outside the rule's trials; negatives of the rule
	Anew        int64          `json:"anew,omitempty"`   // only outcomes from then on count in the next trial

	Exceptions int   `json:"exceptions,omitempty"` // that trials gave the rule
	After      int64 `json:"after,omitempty"`      // the Looks.Number up to which pairs suggested the last exception, and do not prove the rule
	Last       int64 `json:"last,omitempty"`       // the number of the last pair tried before the rule was refuted
	Later      int   `json:"later,omitempty"`      // negatives excepted since the rule was found valid

	Joined // of a rule that joined L provisionally
}

// Candidate is a rule that may be tried.
type Candidate struct {
	ID      string
	Rule    rule.Rule
	Support int
	Grounds Grounds
	Order   int   // place in the list of candidates
	Within  bool  // the rule follows another rule in a narrower scope, chosen because the scope had no negative
	Late    bool  // the rule is tried when no other candidate has gain left
	Doubted bool  // the same, at a tenth of the chance: see Book.Doubts
	Since   int64 // only outcomes from then on count in the trial

	Exceptions int   // as in Entry
	After      int64 // as in Entry

	Chosen int64 // the scope was chosen for the outcomes of pairs tried up to then
}

// Told returns a copy of the entry without what is for the machine alone.
func (e *Entry) Told() Entry {
	copied := *e
	copied.Followers, copied.Late, copied.Sent = nil, nil, nil
	return copied
}

// TrialOf returns a copy of the entry of a likely rule, or nil. A pair is valid if one of its
// directions is; else the direction of the likely rule is told if it was tried.
func (b *Book) TrialOf(r *rule.Rule) *Entry {
	found := b.Entries[rule.ID(b.Site, r)]
	if r.Kind() == rule.KindSubstring {
		back := r.Opposite()
		if other := b.Entries[rule.ID(b.Site, &back)]; other != nil && (found == nil || other.State == rule.Valid && found.State != rule.Valid) {
			found = other
		}
	}
	if found == nil {
		return nil
	}
	e := found.Told()
	return &e
}

// VeilExamples replaces the examples of a verdict by masked copies.
func (o *Options) VeilExamples(v *rule.Verdict) {
	v.Examples = slices.Clone(v.Examples)
	for i := range v.Examples {
		e := &v.Examples[i]
		e.U, e.V = o.Veil.Mask(e.U), o.Veil.Mask(e.V)
	}
}

// isTurned reports whether a rule holds and gave way to its other direction, because of the evidence.
func (e *Entry) isTurned() bool {
	by := e.Verdict.Reason
	return e.State == rule.Retired && (by == ByCanonical || by == ByRedirects || by == ByClients) && len(e.Followers) == 1
}

// IsResumed reports whether the trial of a rule goes on with an exception.
func (e *Entry) IsResumed() bool { return e.State == rule.SentBack && e.Verdict.Reason == ByException }

// IsResumed reports whether the trial of the rule with an id goes on with an exception.
func (b *Book) IsResumed(id string) bool {
	e := b.Entries[id]
	return e != nil && e.IsResumed()
}

// Resumes reports whether the trial of a rule goes on with an exception.
func (b *Book) Resumes() bool {
	for id := range b.Entries {
		if b.IsResumed(id) {
			return true
		}
	}
	return false
}

// WithExceptions returns a candidate with the exceptions that the rule was given. The next
// trial of a refuted rule begins without exceptions.
func (c Candidate) WithExceptions(e *Entry) Candidate {
	if e == nil || e.State == rule.Refuted {
		return c
	}
	c.Rule.Except, c.Exceptions, c.After = e.Rule.Except, e.Exceptions, e.After
	return c
}

// IsNarrowed reports whether a rule has a scope that only narrowing produces.
func IsNarrowed(r *rule.Rule) bool {
	return r.Scope.Prefix != "" || !r.EditsParams() && r.Scope.HasPath
}

// GainKey identifies a rule with its exceptions.
type GainKey struct {
	ID     string
	except rule.Except
}

// Key returns the key by which a view keeps what it computed for a candidate.
func (c *Candidate) Key() GainKey { return GainKey{c.ID, c.Rule.Except} }

// Learnt is the result of the last mining of the forms.
type Learnt struct {
	At     int64        `json:"at"`
	Stage  int          `json:"stage"`  // 1: with the tolerance t; 2: with ten times that
	List   string       `json:"list"`   // the ids of L at that time
	Window uint64       `json:"window"` // mark of the URLs at that time
	Rules  []LearntRule `json:"rules,omitempty"`
	Forms  int          `json:"forms,omitempty"` // their number at that time
}

// LearntRule is a candidate with its support.
type LearntRule struct {
	Rule    rule.Rule `json:"rule"`
	Support int       `json:"support"`
	Grounds Grounds   `json:"grounds,omitempty"`
}
