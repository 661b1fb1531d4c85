package text

import (
	"fmt"

	"dustbuster/operators/miner"
	"dustbuster/operators/rule"
)

// grounds formats what the log says for a rule.
func grounds(r *rule.Likely) string {
	return fmt.Sprintf("weight %.1f: %d of %s alike, %.1f by chance", r.Weight, r.Alike, count(r.Pairs, "pair"), r.Expected)
}

// effect formats the effect of a rule.
func effect(e *miner.Effect) string {
	s := "merges " + count(e.URLs, "URL")
	if e.Hits > 0 {
		s += fmt.Sprintf("; tally: %s, %s", count(int(e.Hits), "hit"), Size(e.Bytes))
	}
	return s
}

// Size formats a number of bytes.
func Size(bytes int64) string {
	const units = "kMGTPE"
	if bytes < 1000 {
		return count(int(bytes), "byte")
	}
	x, unit := float64(bytes)/1000, 0
	for x >= 999.5 && unit < len(units)-1 {
		x, unit = x/1000, unit+1
	}
	return fmt.Sprintf("%.3g %cB", x, units[unit])
}

// clear is how many times as many hits one form of the pages must have for the hits to
// propose a direction.
const clear = 2

// propose returns the effect of a rule in the direction that the log proposes, and the
// proposal: toward the form with far more hits, and otherwise toward the shorter form. The
// proposal is empty if the log tells nothing, or if the rule has but one direction.
func propose(reach *miner.Reach, r rule.Rule) (e miner.Effect, proposal string) {
	e = reach.Effect(&r)
	switch {
	case r.Kind != rule.Substring:
	case e.Hits > clear*e.Stayed && r.To != "":
		proposal = fmt.Sprintf("proposed: right to left, to the form with %d hits instead of %d", e.Hits, e.Stayed)
		r.From, r.To = r.To, r.From
		e = reach.Effect(&r)
	case e.Stayed > clear*e.Hits && e.Hits > 0:
		proposal = fmt.Sprintf("proposed: left to right, to the form with %d hits instead of %d", e.Stayed, e.Hits)
	case len(r.From) > len(r.To):
		proposal = "proposed: left to right, to the shorter form"
	}
	return e, proposal
}
