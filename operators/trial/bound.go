package trial

import "gonum.org/v1/gonum/mathext"

// confidence is that of each one-sided bound.
const confidence = 0.95

// Upper is the upper bound of a share of which a sample of n shows p: the 0.95
// quantile of Beta(np + 1, n - np), and 1 where all of the sample is negative or
// there is none.
func Upper(p, n float64) float64 {
	negative := p * n
	if n-negative < tiny {
		return 1
	}
	return mathext.InvRegIncBeta(negative+1, n-negative, confidence)
}

// Lower is the lower bound: the 0.05 quantile of Beta(np, n - np + 1), and 0
// where nothing of the sample is negative or there is none.
func Lower(p, n float64) float64 {
	negative := p * n
	if negative < tiny {
		return 0
	}
	return mathext.InvRegIncBeta(negative, n-negative+1, 1-confidence)
}

// tiny is what rounding leaves of no pair at all.
const tiny = 1e-9
