package trial

import "math"

// Prospect is what may be expected of a trial: the chance that the rule holds, and
// how many outcomes more its verdict will take. The rule has so many pairs, of
// which some are known to be positive and none to be negative; prior is the chance
// that such rules hold. One that does not is taken to have any share of negatives,
// all as likely, and to be given up at the first: by Laplace's rule of succession
// the next outcome is then positive with a chance of (positives + 1)/(positives + 2).
func (o Options) Prospect(prior float64, positives, pairs int) (holds, outcomes float64) {
	known := float64(positives + 1)
	holds = prior / (prior + (1-prior)/known)
	for more := range max(1, min(pairs, o.enough())-positives) {
		outcomes += holds + (1-holds)*known/(known+float64(more))
	}
	return holds, outcomes
}

// enough is how many outcomes, none of them negative, bring the bound below ε.
func (o Options) enough() int {
	return int(math.Ceil(math.Log(1-confidence) / math.Log(1-o.Epsilon)))
}
