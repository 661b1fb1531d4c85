package lifecycle

import (
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// The reasons of verdicts.
const (
	byTrial      = "trial"
	byServer     = "server_error" // the server fails at URLs made by the rule
	byRefusal    = "refused"      // the server refuses most URLs made by the rule
	byReturn     = "leads_back"
	byUnsafe     = "unsafe"     // some URL of the window has no canonical form
	bySet        = "set"        // the rules together turned a URL into a wrong form, and this rule was sent back
	byReport     = "report"     // a reported pair was confirmed to be wrong, and the rule was sent back
	byVeto       = "veto"       // an operator vetoed the rule
	byCanonical  = "canonical"  // the rule holds, and the pages name the other direction's URLs as canonical
	byRedirects  = "redirects"  // the rule holds, and the URLs into which the rule leads redirect
	byClients    = "clients"    // the rule holds, and more clients ask for the other direction's URLs
	byPreference = "preference" // an operator prefers the other direction
	byPin        = "pin"        // the outcomes do not decide, and an operator pinned the rule
	byRecheck    = "tested_again"
	byNear       = "near_threshold" // pages are about as alike as the threshold: chance would decide
	byException  = "exception"      // the trial goes on: the rule was given an exception
)

// Entry is what the book holds about a rule that was tried.
type Entry struct {
	ID          string         `json:"id"`
	Rule        rule.Rule      `json:"rule"`
	State       rule.State     `json:"state"`
	Rank        int            `json:"rank,omitempty"` // place in L, from 1; assigned with the verdict and never reused
	Support     int            `json:"support"`        // at the time of the verdict
	Grounds     grounds        `json:"grounds,omitempty"`
	Verdict     rule.Verdict   `json:"verdict"`
	FirstSeen   int64          `json:"first_seen"`
	ValidatedAt int64          `json:"validated_at,omitempty"`
	Followers   []rule.Rule    `json:"followers,omitempty"` // rules tried in place of the refuted rule
	Late        []rule.Rule    `json:"late,omitempty"`      // the same, tried when nothing else has gain left
	Change      trial.Change   `json:"change"`
	Sizes       Sizes          `json:"sizes,omitzero"`   // at the time the rule was found valid
	Pinned      bool           `json:"pinned,omitempty"` // an operator pinned the rule
	Sent        []rule.Example `json:"sent,omitempty"`   // wrong pairs found outside the rule's trials; negatives of the rule
	Anew        int64          `json:"anew,omitempty"`   // only outcomes from then on count in the next trial

	Exceptions int   `json:"exceptions,omitempty"` // that trials gave the rule
	After      int64 `json:"after,omitempty"`      // pairs tried up to then suggested the last exception, and do not prove the rule: see Looks
	Last       int64 `json:"last,omitempty"`       // the number of the last pair tried before the rule was refuted
	Later      int   `json:"later,omitempty"`      // negatives excepted since the rule was found valid
}

// candidate is a rule that may be tried.
type candidate struct {
	id      string
	rule    rule.Rule
	support int
	grounds grounds
	order   int   // place in the list of candidates
	within  bool  // the rule follows another rule in a narrower scope, chosen because the scope had no negative
	late    bool  // the rule is tried when no other candidate has gain left
	since   int64 // only outcomes from then on count in the trial

	exceptions int   // as in Entry
	after      int64 // as in Entry

	chosen int64 // the scope was chosen for the outcomes of pairs tried up to then
}
