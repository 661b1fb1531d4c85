package text

import (
	"cmp"
	"slices"

	"dustbuster/operators/learn/weight"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// Row is a rule, and the number of others that differ from it in their context only.
type Row struct {
	Rule   rule.Likely
	Others int
}

// Order returns the rules in the order for people: those with the greatest share of alike pairs
// first, then those of greatest weight. Rules without a weight keep their order. Unless all are
// wanted, rules of a weight below weight.Shown are hidden.
func Order(rules []rule.Likely, all bool) (shown []rule.Likely, hidden int) {
	for i := range rules {
		if r := &rules[i]; all || !r.Weighed || r.Weight >= weight.Shown {
			shown = append(shown, *r)
		}
	}
	slices.SortStableFunc(shown, compare)
	return shown, len(rules) - len(shown)
}

func compare(a, b rule.Likely) int {
	// The shares are compared as fractions.
	return cmp.Or(cmp.Compare(b.Alike*max(a.Pairs, 1), a.Alike*max(b.Pairs, 1)), cmp.Compare(b.Weight, a.Weight))
}

// Rows returns a row for each rule or, unless expand is set, for each edit: rules that make
// the same edit in different contexts share the row of the first rule.
func Rows(rules []rule.Likely, expand bool) (rows []Row) {
	places := map[rule.Rule]int{}
	for i := range rules {
		core := rules[i].Rule
		if !expand {
			core = coreOf(&core)
		}
		if place, seen := places[core]; seen {
			rows[place].Others++
			continue
		}
		places[core] = len(rows)
		rows = append(rows, Row{Rule: rules[i]})
	}
	return rows
}

// coreOf returns the edit of a rule without its context: a substring rule without the tokens that
// begin or end both sides, another rule without its scope.
func coreOf(r *rule.Rule) rule.Rule {
	core := *r
	core.Scope = rule.Scope{}
	if r.Kind != rule.Substring {
		return core
	}
	a, b := r.From, r.To
	for a != "" && b != "" {
		n := dust.TokenEnd(a, 0)
		if n != dust.TokenEnd(b, 0) || a[:n] != b[:n] {
			break
		}
		a, b = a[n:], b[n:]
	}
	for a != "" && b != "" {
		n := dust.TokenStart(a, len(a))
		if m := dust.TokenStart(b, len(b)); a[n:] != b[m:] {
			break
		}
		a, b = a[:n], b[:dust.TokenStart(b, len(b))]
	}
	return rule.Rule{Kind: rule.Substring, From: a, To: b}
}
