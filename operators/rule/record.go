package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
		return fmt.Errorf("schema %d is no longer supported: create the list again from the logs", schema)
	case schema == 0:
		return errors.New("it has no schema, like rules before schema 2: create the list again from the logs")
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
	Listed  bool    // a list of others says that it holds
}

// Control measures the similarity of pages that a rule does not join. Similar pages in a
// rule's pairs prove something only if other pages are not similar.
type Control struct {
	Mixed    int     `json:"mixed"`              // pairs (u_i, v_j), i ≠ j, or (u, decoy), whose documents were compared
	Equal    int     `json:"equal,omitempty"`    // pairs of equal text among these
	Quantile float64 `json:"quantile,omitempty"` // the 0.95 quantile of the resemblances of the other pairs
	Lasts    int     `json:"lasts,omitempty"`    // mixed pairs of pages that never stand still, compared by what lasts of them
	Lasting  float64 `json:"lasting,omitempty"`  // the 0.95 quantile of their resemblances
	Strict   bool    `json:"strict,omitempty"`   // positive only if the text is equal and the document is the page in the log
}

// mixedMargin is by how much the pairs of a rule must be more similar than mixed pairs.
const mixedMargin = 0.02

// Repeats reports whether pages that the rule does not join often show one text.
func (c *Control) Repeats(epsilon float64) bool { return float64(c.Equal) > epsilon*float64(c.Mixed) }

// LastingThreshold returns τ_R for pages that never stand still.
func (c *Control) LastingThreshold(tau float64) float64 { return max(tau, c.Lasting+mixedMargin) }

// Threshold returns τ_R, the resemblance from which on a pair is positive. τ is the
// threshold without a control.
func (c *Control) Threshold(tau float64) float64 {
	if c.Quantile == 0 {
		return tau
	}
	return max(tau, c.Quantile+mixedMargin)
}

// Join returns the control of rules that are judged together: the greater threshold, strict
// if one of the controls is strict.
func (c Control) Join(d Control) Control {
	return Control{max(c.Mixed, d.Mixed), max(c.Equal, d.Equal), max(c.Quantile, d.Quantile), max(c.Lasts, d.Lasts), max(c.Lasting, d.Lasting), c.Strict || d.Strict}
}

// Sample is the result of the trial of the set as a whole.
type Sample struct {
	URLs      int     `json:"urls"` // URLs changed by the set
	Samples   int     `json:"samples"`
	Negatives int     `json:"negatives"`
	Skipped   int     `json:"skipped"`
	Bound     float64 `json:"bound"` // upper bound of the share of negatives, with 95 % confidence
}

// Mark returns an id of a rule on a site, as a file of another tool names the rule. If the id does not tell all
// of the rule, since it has exceptions or an id of another origin, a hash of the whole rule follows behind a dot. So
// two rules with one mark edit the same URLs alike.
func Mark(site, id string, r *Rule) string {
	if r.Except == (Except{}) && id == ID(site, r) {
		return id
	}
	text, err := json.Marshal(NewWire(r))
	if err != nil {
		panic(err) // as in ID
	}
	sum := sha256.Sum256(text)
	return id + "." + hex.EncodeToString(sum[:4])
}

// Unmark returns the id in a mark.
func Unmark(mark string) string {
	at := len(mark) - 9
	if at > 0 && mark[at] == '.' {
		return mark[:at]
	}
	return mark
}

// Marks are the marks of the rules that are published for a site, by id.
type Marks map[string]string

// MarksOf returns the marks of the published rules of a site.
func MarksOf(records []Record) Marks {
	all := make(Marks, len(records))
	for i := range records {
		if r, err := records[i].Rule(); err == nil {
			all[records[i].ID] = Mark(records[i].Site, records[i].ID, &r)
		}
	}
	return all
}

// Outdated returns the ids of those of some marks whose rules are no longer published, and of those whose rules
// are published in another form.
func (m Marks) Outdated(marks []string) (retired, changed []string) {
	for _, mark := range marks {
		switch now, published := m[Unmark(mark)]; {
		case !published:
			retired = append(retired, Unmark(mark))
		case now != mark:
			changed = append(changed, Unmark(mark))
		}
	}
	return retired, changed
}
