package rules

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"dustbuster/operators/canon"
	"dustbuster/operators/dust"
	"dustbuster/operators/miner"
	"dustbuster/operators/params"
	"dustbuster/operators/validator"
)

// ReadCandidates reads rules of any state as rules to be tried, by site in the
// order of the list: what mine prints as JSON, or what was published. A rule that
// sets a parameter is passed over: it is tried when its drop is refuted.
func ReadCandidates(r io.Reader) (map[string][]miner.Rule, error) {
	in := bufio.NewScanner(io.LimitReader(r, maxBytes))
	in.Buffer(nil, maxLine)
	all := map[string][]miner.Rule{}
	for n := 1; in.Scan(); n++ {
		if len(in.Bytes()) == 0 {
			continue
		}
		var line struct {
			validator.Record
			SupportHigh int `json:"support_high"`
			Comparable  int `json:"comparable"`
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("read rules: line %d: %w", n, err)
		}
		rule, err := line.Rule()
		if err != nil {
			return nil, fmt.Errorf("read rules: line %d: %w", n, err)
		}
		c := miner.Rule{Site: line.Site}
		switch rule.Kind {
		case canon.Substring:
			c.Kind = miner.Substring
			c.Pair = dust.Candidate{Pair: dust.NewPair(rule.From, rule.To, rule.AtStart, rule.AtEnd), Support: line.Support, SupportHigh: line.SupportHigh}
		case canon.Drop:
			c.Kind = miner.Parameter
			c.Drop = params.Rule{Param: rule.Param, Scope: rule.Scope.Scope, Support: line.Support, Comparable: line.Comparable}
		default:
			continue
		}
		all[line.Site] = append(all[line.Site], c)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	return all, nil
}
