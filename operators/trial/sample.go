package trial

// Sample is the result of the trial of the set as a whole.
type Sample struct {
	URLs      int     `json:"urls"` // URLs changed by the set
	Samples   int     `json:"samples"`
	Negatives int     `json:"negatives"`
	Skipped   int     `json:"skipped"`
	Bound     float64 `json:"bound"` // upper bound of the share of negatives, with 95 % confidence
}
