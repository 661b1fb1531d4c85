package topics

import (
	"fmt"
	"slices"
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

// String is the finding in a line.
func (f Finding) String() string {
	text := f.What + ": " + f.Why + "; " + f.Remedy
	if f.Topic != "" {
		text = fmt.Sprintf("topic %q: %s", f.Topic, text)
	}
	return text
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
