package validator

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
)

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
	ID          string         `json:"id"`
	Rule        rule.Rule      `json:"rule"`
	State       rule.State     `json:"state"`
	Rank        int            `json:"rank,omitempty"` // place in L, from 1; given with the verdict, never to another rule
	Support     int            `json:"support"`        // when the verdict was given
	Verdict     rule.Verdict   `json:"verdict"`
	FirstSeen   int64          `json:"first_seen"`
	ValidatedAt int64          `json:"validated_at,omitempty"`
	Followers   []rule.Rule    `json:"followers,omitempty"` // what is tried in its place, once refuted
	Change      trial.Change   `json:"change"`
	Sizes       Sizes          `json:"sizes,omitzero"` // when it was found valid
	Sent        []rule.Example `json:"sent,omitempty"` // pairs of the whole set that sent it back; they are negatives of its
}

// candidate is a rule that may be tried.
type candidate struct {
	id      string
	rule    rule.Rule
	support int
	order   int  // place in the list that the candidates come in
	within  bool // it follows another, in a narrower scope: chosen for having had no negative
}
