package topics

import (
	"fmt"
	"slices"
	"strings"
)

// Severity is how bad a finding is.
type Severity string

// The severities, worst first.
const (
	Wrong    Severity = "error"     // rules would be wrong or lost: daemons do not start
	Unseen   Severity = "unchecked" // the user may not see whether something is wrong
	Doubtful Severity = "warning"   // works, but not well, or not when a broker fails
)

// Finding is something that is not as it should be.
type Finding struct {
	Severity Severity `json:"severity"`
	Topic    string   `json:"topic,omitempty"`   // "": all, or the brokers
	Setting  string   `json:"setting,omitempty"` // as Kafka calls it; "": the finding is about no setting
	What     string   `json:"what"`
	Why      string   `json:"why"`
	Remedy   string   `json:"remedy"`
	Set      *string  `json:"set,omitempty"` // the value of the setting with which it would be right
}

// Says is what was found, and of which topic.
func (f Finding) Says() string {
	if f.Topic == "" {
		return f.What
	}
	return `topic "` + strings.ReplaceAll(f.Topic, between, `", "`) + `": ` + f.What
}

// String is the finding in a line.
func (f Finding) String() string { return f.Says() + ": " + f.Why + "; " + f.Remedy }

// between stands between several topics of a finding: no name has it.
const between = ", "

// Together makes one of the findings that say the same of several topics, for
// people to read.
func Together(found []Finding) (all []Finding) {
	for _, f := range found {
		i := slices.IndexFunc(all, func(a Finding) bool {
			return a.Topic != "" && a.Severity == f.Severity && a.What == f.What && a.Why == f.Why && a.Remedy == f.Remedy
		})
		if i < 0 {
			all = append(all, f)
		} else {
			all[i].Topic += between + f.Topic
		}
	}
	return all
}

// only returns the findings of a severity.
func only(findings []Finding, s Severity) []Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return f.Severity != s })
}

// Count is a number of things: 1 partition, 2 partitions.
func Count(n int, of string) string {
	if n != 1 {
		of += "s"
	}
	return fmt.Sprintf("%d %s", n, of)
}
