package trial

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Prospect returns the probability that the rule holds and the expected number of further outcomes
// until the verdict, or until it holds provisionally. The rule has the given number of pairs, of which some are known to be positive
// and none to be negative. prior is the probability that such rules hold. For one that does not hold,
// every share of negatives is taken as equally likely, and it is given up at its first negative. By
// Laplace's rule of succession the next outcome is then positive with probability (positives +
// 1)/(positives + 2).
func (o Options) Prospect(prior float64, positives, pairs int) (holds, outcomes float64) {
	return o.Price(prior, positives, o.More(pairs, positives), func(int) float64 { return 1 })
}

// More returns the number of outcomes, at least 1, after which a rule with some pairs is decided or
// holds provisionally, given that some pairs are positive and none is negative.
func (o Options) More(pairs, positives int) int {
	more := o.Missing(pairs, positives)
	if o.First > 0 {
		more = min(more, o.First)
	}
	return more
}

// Price returns the probability that the rule holds and the expected cost of the further
// outcomes until the verdict, of which there are at most more. cost is the cost of an
// outcome, from 0.
func (o Options) Price(prior float64, positives, more int, cost func(int) float64) (holds, sum float64) {
	known := float64(positives + 1)
	holds = prior / (prior + (1-prior)/known)
	for i := range more {
		sum += cost(i) * (holds + (1-holds)*known/(known+float64(i)))
	}
	return holds, sum
}

// Given returns the probability that a rule holds of which some pairs are seen to be alike and some
// to differ. prior is the probability without these pairs. The share of negatives of a rule that
// holds has any value below ε with equal probability, and that of another rule any value at all.
func (o Options) Given(prior, alike, differ float64) float64 {
	below := mathext.RegIncBeta(differ+1, alike+1, o.Epsilon) // the share is below ε, if it could have any value
	return prior * below / (prior*below + (1-prior)*o.Epsilon)
}

// Missing returns the number of further outcomes, at least 1, that prove a rule with some pairs, given that some are
// positive and none is negative.
func (o Options) Missing(pairs, positives int) int { return max(1, o.Enough(pairs)-positives) }

// Enough returns the number of outcomes without a negative that prove a rule with some pairs.
func (o Options) Enough(pairs int) int { return o.enoughOf(pairs, confidence) }

// enoughOf returns the number of outcomes without a negative that bring the bound of a rule with some
// pairs below ε, if it holds with some confidence: see precision.
func (o Options) enoughOf(pairs int, confidence float64) int {
	precise, all := math.Log(1-confidence)/math.Log(1-o.Epsilon), float64(max(1, pairs))
	return int(math.Ceil(-all * math.Expm1(-precise/all)))
}

// manyPairs is a number of pairs of which a sample is a negligible part.
const manyPairs = 1 << 40
