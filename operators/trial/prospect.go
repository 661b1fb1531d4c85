package trial

import "math"

// Prospect returns the probability that the rule holds and the expected number of further
// outcomes until the verdict. The rule has the given number of pairs, of which some are
// known to be positive and none to be negative. prior is the probability that such rules
// hold. For a rule that does not hold, every share of negatives is taken as equally likely,
// and the rule is given up at the first negative. By Laplace's rule of succession the next
// outcome is then positive with probability (positives + 1)/(positives + 2).
func (o Options) Prospect(prior float64, positives, pairs int) (holds, outcomes float64) {
	known := float64(positives + 1)
	holds = prior / (prior + (1-prior)/known)
	for more := range max(1, o.enoughOf(pairs, confidence)-positives) {
		outcomes += holds + (1-holds)*known/(known+float64(more))
	}
	return holds, outcomes
}

// enoughOf returns the number of outcomes without a negative that bring the bound of a rule
// with some pairs below ε, if the bound holds with some confidence: see precision.
func (o Options) enoughOf(pairs int, confidence float64) int {
	precise, all := math.Log(1-confidence)/math.Log(1-o.Epsilon), float64(max(1, pairs))
	return int(math.Ceil(-all * math.Expm1(-precise/all)))
}

// manyPairs is a number of pairs of which a sample is a negligible part.
const manyPairs = 1 << 40
