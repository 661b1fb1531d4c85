package rule

import (
	"dustbuster/operators/mined"
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
	Evidence  []Example     `json:"evidence,omitempty"` // at most five pairs; not for others' eyes
}

// Example is one pair of URLs with its outcome.
type Example struct {
	U       string `json:"u"`
	V       string `json:"v"`
	Outcome string `json:"outcome"`
}

// Record is a published rule: what a crawler is told of it. Support and rank are
// those of the verdict, and nothing but the separators changes until the next verdict.
type Record struct {
	Schema int    `json:"schema"`
	Site   string `json:"site"`
	ID     string `json:"id"`
	Wire
	Rank        int     `json:"rank"`
	State       State   `json:"state"`
	Support     int     `json:"support"`
	Verdict     Verdict `json:"verdict"`
	FirstSeen   int64   `json:"first_seen"`
	ValidatedAt int64   `json:"validated_at"`
	ByDomain    bool    `json:"by_domain,omitempty"` // mined strings begin with their host

	// Hosts are those of a group, "*.example.org" for every one below example.org;
	// none if the site is a domain, or one host.
	Hosts []string `json:"hosts,omitempty"`

	// Separators are those in the queries of all URLs of the site that were seen. None is
	// ever taken out. nil: they are not known.
	Separators *mined.Separators `json:"separators,omitempty"`
}

// Schema is the version of Record.
const Schema = 1

// Candidate is a rule that is to be tried, as it stands: with its direction and scope.
type Candidate struct {
	Rule    Rule
	Support int
}
