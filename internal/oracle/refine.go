package oracle

import (
	"slices"
	"strings"
)

// The parameters of figure 2.
const (
	maxWindow             = 1100 // MW: how many following rules a rule is compared with
	maxRelativeDeficiency = 0.05 // MRD: the allowed deficiency of support between two rules, as a share
	maxAbsoluteDeficiency = 1    // MAD: the same in envelopes
)

// spelled is a pair as lists of tokens.
type spelled struct{ alpha, beta []string }

func spell(p Pair) spelled {
	return spelled{
		alpha: side{p.Alpha, p.AtStart, p.AtEnd}.tokens(),
		beta:  side{p.Beta, p.AtStart, p.AtEnd}.tokens(),
	}
}

// Refines reports whether every instance of a is an instance of b, as far as the sides
// show (lemma 5.3): whether for some γ and δ the sides of a are γαδ and γβδ, where α and
// β are the sides of b in any order. γ, α and δ are runs of tokens of the first side,
// including ^ and $. The second side is compared as bytes. Every pair refines itself.
func Refines(a, b Pair) bool { return spell(a).refines(spell(b)) }

func (a spelled) refines(b spelled) bool {
	return surrounds(a.alpha, a.beta, b.alpha, b.beta) || surrounds(a.alpha, a.beta, b.beta, b.alpha)
}

// surrounds reports whether whole1 = γ part1 δ and whole2 = γ part2 δ. It replaces part1 in
// whole1 by part2, at every occurrence, and compares the result with whole2, byte by byte.
func surrounds(whole1, whole2, part1, part2 []string) bool {
	for i := 0; i+len(part1) <= len(whole1); i++ {
		before, middle, after := whole1[:i], whole1[i:i+len(part1)], whole1[i+len(part1):]
		if slices.Equal(middle, part1) && bytesOf(before, part2, after) == bytesOf(whole2) {
			return true
		}
	}
	return false
}

func bytesOf(runs ...[]string) string { return strings.Join(slices.Concat(runs...), "") }

// Refine is figure 2. It reads the likely rules in the order of [Compare] and returns those
// that are not eliminated, in that of [CompareRefined]. The size of a rule is High.
func Refine(rules []Rule) []Rule {
	sides := make([]spelled, len(rules))
	for i, r := range rules {
		sides[i] = spell(r.Pair)
	}
	eliminated := eliminate(rules, sides)
	var left []Rule
	for i, r := range rules {
		if !eliminated[i] {
			left = append(left, r)
		}
	}
	slices.SortFunc(left, CompareRefined)
	return left
}

// eliminate is lines 2 to 10 of figure 2. An eliminated rule neither eliminates another
// rule nor is compared again.
func eliminate(rules []Rule, sides []spelled) []bool {
	eliminated := make([]bool, len(rules))
	for i := range rules {
		if eliminated[i] {
			continue
		}
		for k := i + 1; k <= min(i+maxWindow, len(rules)-1); k++ {
			if deficient(rules[i].High, rules[k].High) {
				break
			}
			if eliminated[k] {
				continue
			}
			if sides[i].refines(sides[k]) {
				eliminated[k] = true
			} else if sides[k].refines(sides[i]) {
				eliminated[i] = true
				break
			}
		}
	}
	return eliminated
}

// deficient is the condition of line 5 of figure 2.
func deficient(size, smaller int) bool {
	return float64(size-smaller) > max(maxRelativeDeficiency*float64(size), maxAbsoluteDeficiency)
}
