package rule

import (
	"errors"
	"fmt"

	"dustbuster/operators/url/urlnorm"
)

// State is the state of a rule.
type State string

// The states. A rule that was never tried is likely, and has no entry.
const (
	SentBack  State = "likely" // sent back to trial: the old verdict no longer counts
	Valid     State = "valid"  // in L; the only state that is applied
	Refuted   State = "refuted"
	Undecided State = "undecided"
	Retired   State = "retired" // was valid, and was refuted in a later trial
)

// Verdict is the result of a trial. A Verdict never changes, except for the reason when the
// rule is sent back or left out.
type Verdict struct {
	Samples   int       `json:"samples"`             // outcomes
	Asked     int       `json:"asked,omitempty"`     // pairs of the rule that might be asked for
	StandIns  int       `json:"stand_ins,omitempty"` // outcomes for which an invented URL was asked for, since the URL of the log is private
	Positives int       `json:"positives"`
	Negatives int       `json:"negatives"`
	Skipped   int       `json:"skipped"`
	Bound     float64   `json:"bound"`     // upper bound of the share of negatives, with 95 % confidence
	Threshold float64   `json:"threshold"` // τ_R
	Control   Control   `json:"control"`
	Time      int64     `json:"time"` // Unix seconds
	Reason    string    `json:"reason"`
	Step      Step      `json:"step,omitempty"`     // of a valid rule: "" if the rule is proved
	Examples  []Example `json:"evidence,omitempty"` // at most five pairs; private
}

// Step says how far the trial of a valid rule is. Crawlers apply rules of both steps.
type Step string

// Provisional is the step of a rule of which no pair differed so far, and whose proof goes on.
const Provisional Step = "provisional"

// Example is one pair of URLs with its outcome.
type Example struct {
	U       string `json:"u"`
	V       string `json:"v"`
	Outcome string `json:"outcome"`
	StandIn bool   `json:"stand_in,omitempty"` // u is a URL with an invented piece, which was asked for in the place of a private one
}

// Record is a published rule as crawlers receive it. Support and rank are those of the
// verdict. Only the separators change before the next verdict.
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

	// Hosts are the hosts of a group, "*.example.org" for every host below example.org.
	// There are none if the site is a domain or one host.
	Hosts []string `json:"hosts,omitempty"`

	// Separators are the separators seen in the queries of all URLs of the site. No
	// separator is ever removed. nil: the separators are unknown.
	Separators *urlnorm.Separators `json:"separators,omitempty"`
}

// Schema is the version of all written rules, likely and published.
const Schema = 2

// errSchema returns the error of a rule of another version. 0: it names none.
func errSchema(schema int64) error {
	switch {
	case schema > Schema:
		return fmt.Errorf("schema %d, and this program knows %d: use a newer version", schema, Schema)
	case schema == Schema-1:
		return fmt.Errorf("schema %d is read no longer: make the list anew, from the logs", schema)
	case schema == 0:
		return errors.New("it has no schema, as rules before schema 2: make the list anew, from the logs")
	}
	return fmt.Errorf("schema %d is not a version", schema)
}

// Candidate is a rule to be tried exactly as given, with direction and scope.
type Candidate struct {
	Rule    Rule
	Support int

	Weighed bool    // the log says how well it supports the rule
	Weight  float64 // evidence beyond chance: see Likely
	Alike   float64 // share of alike pairs
}
