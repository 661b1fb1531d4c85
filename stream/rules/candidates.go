package rules

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"dustbuster/operators/rule"
)

// ReadCandidates reads rules of any state as candidates to be tried, by site, in the
// order of the list. The input is a published list, whose rules have a direction and a
// scope, or the JSON printed by mine, where they have no direction. A rule without a
// direction is tried in the shrinking direction. A rule whose meaning this version does
// not know is left out.
//
// In the list of mine, the rules of the learner params have exact paths, and no rule can say
// that a segment is the character *. Such a rule is left out too, and leftOut gets the reason.
func ReadCandidates(r io.Reader, leftOut func(error)) (map[string][]rule.Candidate, error) {
	in := bufio.NewScanner(io.LimitReader(r, maxBytes))
	in.Buffer(nil, maxLine)
	all := map[string][]rule.Candidate{}
	for n := 1; in.Scan(); n++ {
		if len(in.Bytes()) == 0 {
			continue
		}
		line, err := rule.ReadRecord(in.Bytes())
		if err != nil && !isUnknown(err) {
			return nil, fmt.Errorf("read rules: line %d is not a rule in JSON, as in a list of likely rules or in the file of published rules: %w", n, err)
		}
		edit, err := line.Rule()
		if isUnknown(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read rules: line %d: %w", n, err)
		}
		if edit.Scope.IsWild() && isExact(in.Bytes()) {
			leftOut(fmt.Errorf("line %d is not tested: its path %q has a segment *, which in a list of mine is that character, and in a published rule any segment", n, edit.Scope.Path))
			continue
		}
		if isMasked(in.Bytes()) {
			leftOut(fmt.Errorf("line %d is not tested: its text is hidden in the list", n))
			continue
		}
		if line.Direction == "" {
			edit = edit.Shrinking()
		}
		all[line.Site] = append(all[line.Site], rule.Candidate{Rule: edit, Support: line.Support})
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	return all, nil
}

// isExact reports whether the path of a rule is that very path: the rule stands in a list of
// mine, and names no learner, as those of params do not.
func isExact(line []byte) bool {
	var l struct{ State, Learner string }
	return json.Unmarshal(line, &l) == nil && l.State == "" && l.Learner == ""
}

// isMasked reports whether a rule of a list of mine has stars in the place of its text.
func isMasked(line []byte) bool {
	var l struct{ Secret bool }
	return json.Unmarshal(line, &l) == nil && l.Secret && bytes.Contains(line, []byte("***"))
}
