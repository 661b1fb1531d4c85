package validator

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
)

// State is where a rule stands.
type State string

// The states. A rule that nobody has tried is likely, and has no entry.
const (
	Likely    State = "likely" // sent back to trial: its verdict counts no more
	Valid     State = "valid"  // in L; the only state that is applied
	Refuted   State = "refuted"
	Undecided State = "undecided"
	Retired   State = "retired" // was valid, and was refuted when tried again
)

// Verdict is what a trial found. It never changes, but for its reason when the rule
// is sent back or left out.
type Verdict struct {
	Samples   int           `json:"samples"` // outcomes
	Positives int           `json:"positives"`
	Negatives int           `json:"negatives"`
	Skipped   int           `json:"skipped"`
	Bound     float64       `json:"bound"`     // upper bound of the share of negatives, 95 %
	Threshold float64       `json:"threshold"` // τ_R
	Control   trial.Control `json:"control"`
	Time      int64         `json:"time"` // Unix seconds
	Reason    string        `json:"reason"`
	Evidence  []Evidence    `json:"evidence,omitempty"` // at most five pairs; not for others' eyes
}

// Evidence is one pair with its outcome.
type Evidence struct {
	U       string `json:"u"`
	V       string `json:"v"`
	Outcome string `json:"outcome"`
}

// The reasons of verdicts.
const (
	byTrial  = "trial"
	byServer = "server_error" // the server fails at what the rule makes of URLs
	byReturn = "leads_back"
	byUnsafe = "unsafe" // some URL of the window does not settle
	bySet    = "set"    // what the rules make of a URL together was wrong, and this one was sent back
	byAgain  = "tested_again"
)

// Entry is what is remembered of a rule that was tried.
type Entry struct {
	ID          string       `json:"id"`
	Rule        rule.Rule    `json:"rule"`
	State       State        `json:"state"`
	Rank        int          `json:"rank,omitempty"` // place in L, from 1; given with the verdict, never to another rule
	Support     int          `json:"support"`        // when the verdict was given
	Verdict     Verdict      `json:"verdict"`
	FirstSeen   int64        `json:"first_seen"`
	ValidatedAt int64        `json:"validated_at,omitempty"`
	Followers   []rule.Rule  `json:"followers,omitempty"` // what is tried in its place, once refuted
	Change      trial.Change `json:"change"`
	Sizes       Sizes        `json:"sizes,omitzero"` // when it was found valid
	Sent        []Evidence   `json:"sent,omitempty"` // pairs of the whole set that sent it back; they are negatives of its
}

// Candidate is a rule that is to be tried, as it stands: with its direction and scope.
type Candidate struct {
	Rule    rule.Rule
	Support int
}

// candidate is a rule that may be tried.
type candidate struct {
	id      string
	rule    rule.Rule
	support int
	order   int  // place in the list that the candidates come in
	within  bool // it follows another, in a narrower scope: chosen for having had no negative
}
