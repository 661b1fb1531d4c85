package topics

import (
	"fmt"
	"slices"
	"strings"
)

// Severity is the severity of a finding.
type Severity string

// The severities, worst first.
const (
	Wrong    Severity = "error"     // rules would be wrong or lost: daemons do not start
	Unseen   Severity = "unchecked" // the user may not see whether there is an error
	Doubtful Severity = "warning"   // works, but badly, or not after the failure of a broker
)

// Finding is an incorrect setting, or another problem of a topic.
type Finding struct {
	Severity Severity `json:"severity"`
	Topic    string   `json:"topic,omitempty"`   // "": all topics, or the brokers
	Setting  string   `json:"setting,omitempty"` // name of the setting in Kafka; "": the finding concerns no setting
	What     string   `json:"what"`
	Why      string   `json:"why"`
	Remedy   string   `json:"remedy"`
	Set      *string  `json:"set,omitempty"` // the correct value of the setting
}

// Says returns the topic and the finding.
func (f Finding) Says() string {
	if f.Topic == "" {
		return f.What
	}
	return `topic "` + strings.ReplaceAll(f.Topic, between, `", "`) + `": ` + f.What
}

// String returns the whole finding in one line.
func (f Finding) String() string { return f.Says() + ": " + f.Why + "; " + f.Remedy }

// between separates the topics of a finding. No topic's name contains a comma.
const between = ", "

// Together merges findings that are the same for several topics, for people to read.
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

// Count returns a number with its noun: 1 partition, 2 partitions.
func Count(n int, of string) string {
	if n != 1 {
		of += "s"
	}
	return fmt.Sprintf("%d %s", n, of)
}
