package rules

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"dustbuster/operators/validator"
)

// ReadCandidates reads rules of any state as rules to be tried, by site in the
// order of the list: what was published, each with its direction and scope; or what
// mine prints as JSON, which has no direction, so that the shrinking one is tried.
func ReadCandidates(r io.Reader) (map[string][]validator.Candidate, error) {
	in := bufio.NewScanner(io.LimitReader(r, maxBytes))
	in.Buffer(nil, maxLine)
	all := map[string][]validator.Candidate{}
	for n := 1; in.Scan(); n++ {
		if len(in.Bytes()) == 0 {
			continue
		}
		var line validator.Record
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("read rules: line %d is no rule in JSON, as mine --output json and the file of rules have them: %w", n, err)
		}
		rule, err := line.Rule()
		if err != nil {
			return nil, fmt.Errorf("read rules: line %d: %w", n, err)
		}
		if line.Direction == "" {
			rule = validator.Shrinking(rule)
		}
		all[line.Site] = append(all[line.Site], validator.Candidate{Rule: rule, Support: line.Support})
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	return all, nil
}
