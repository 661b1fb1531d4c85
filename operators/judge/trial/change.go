package trial

import "math"

// Change counts the outcomes of a rule's pairs that were tried again.
type Change struct {
	Again   int // n: pairs tried again in the rule's life
	Changed int // x: pairs among these whose outcome changed
}

// Rate returns λ, the rate of change per interval between tests, by the estimate of the
// crawling slides: -log((n - x + 0.5)/(n + 0.5)). The rate of a rule that was never tried
// again is 0.
func (c Change) Rate() float64 {
	n, x := float64(c.Again), float64(c.Changed)
	return -math.Log((n - x + 0.5) / (n + 0.5))
}

// Share divides a budget of pairs among rules in proportion to the square root of their rates. Each
// rule receives at least the floor. If all rates are zero, all shares are equal. Their sum is at most
// the budget, or that of the floors if larger.
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
