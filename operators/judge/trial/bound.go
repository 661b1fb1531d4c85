package trial

import "gonum.org/v1/gonum/mathext"

// confidence is the confidence level of each one-sided bound.
const confidence = 0.95

// Upper returns the upper bound of a share, given a sample of n with the share p: a quantile of
// Beta(np + 1, n - np), usually the 0.95 quantile. It is 1 if the sample is empty or all negative.
func Upper(p, n, quantile float64) float64 {
	negative := p * n
	if n-negative < tiny {
		return 1
	}
	return mathext.InvRegIncBeta(negative+1, n-negative, quantile)
}

// Lower returns the lower bound of a share: the 0.05 quantile of Beta(np, n - np + 1). It is 0 if the
// sample is empty or has no negative.
func Lower(p, n float64) float64 {
	negative := p * n
	if negative < tiny {
		return 0
	}
	return mathext.InvRegIncBeta(negative, n-negative+1, 1-confidence)
}

// tiny bounds the rounding error of a count of zero pairs.
const tiny = 1e-9
