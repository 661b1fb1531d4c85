package trial

import "math"

// Change counts how a rule's pairs fared when they were tried again.
type Change struct {
	Again   int // n: pairs tried again in the rule's life
	Changed int // x: those whose outcome was another
}

// Rate is λ, the rate of change per interval between tests, by the estimate of
// the crawling slides: -log((n - x + 0.5)/(n + 0.5)). 0 for a rule never tried
// again: nothing is known.
func (c Change) Rate() float64 {
	n, x := float64(c.Again), float64(c.Changed)
	return -math.Log((n - x + 0.5) / (n + 0.5))
}

// Share divides a budget of pairs among rules, in proportion to the square root
// of their rates, after each has had the floor. If all rates are zero, all have
// the same. The sum is at most the budget, or the floors if they are more.
func Share(budget, floor int, rules []Change) []int {
	shares := make([]int, len(rules))
	sum := 0.0
	for _, c := range rules {
		sum += math.Sqrt(c.Rate())
	}
	rest := float64(max(0, budget-floor*len(rules)))
	for i, c := range rules {
		part := 1 / float64(len(rules))
		if sum > 0 {
			part = math.Sqrt(c.Rate()) / sum
		}
		shares[i] = floor + int(rest*part)
	}
	return shares
}
