package rule

// Control measures the similarity of pages that a rule does not join. Similar pages in a
// rule's pairs prove something only if other pages are not similar.
type Control struct {
	Mixed    int     `json:"mixed"`              // pairs (u_i, v_j), i ≠ j, or (u, decoy), whose documents were compared
	Equal    int     `json:"equal,omitempty"`    // pairs of equal text among these
	Quantile float64 `json:"quantile,omitempty"` // the 0.95 quantile of the resemblances of the other pairs
	Lasts    int     `json:"lasts,omitempty"`    // mixed pairs of pages that never stand still, compared by what lasts of them
	Lasting  float64 `json:"lasting,omitempty"`  // the 0.95 quantile of their resemblances
	Strict   bool    `json:"strict,omitempty"`   // positive only if the text is equal and the document is the page in the log
}

// mixedMargin is by how much the pairs of a rule must be more similar than mixed pairs.
const mixedMargin = 0.02

// Repeats reports whether pages that the rule does not join often show one text.
func (c *Control) Repeats(epsilon float64) bool { return float64(c.Equal) > epsilon*float64(c.Mixed) }

// LastingThreshold returns τ_R for pages that never stand still.
func (c *Control) LastingThreshold(tau float64) float64 { return max(tau, c.Lasting+mixedMargin) }

// Threshold returns τ_R, the resemblance from which on a pair is positive. τ is the
// threshold without a control.
func (c *Control) Threshold(tau float64) float64 {
	if c.Quantile == 0 {
		return tau
	}
	return max(tau, c.Quantile+mixedMargin)
}

// Join returns the control of rules that are judged together: the greater threshold, strict
// if one of the controls is strict.
func (c Control) Join(d Control) Control {
	return Control{max(c.Mixed, d.Mixed), max(c.Equal, d.Equal), max(c.Quantile, d.Quantile), max(c.Lasts, d.Lasts), max(c.Lasting, d.Lasting), c.Strict || d.Strict}
}

// Sample is the result of the trial of the set as a whole.
type Sample struct {
	URLs      int     `json:"urls"` // URLs changed by the set
	Samples   int     `json:"samples"`
	Negatives int     `json:"negatives"`
	Skipped   int     `json:"skipped"`
	Bound     float64 `json:"bound"` // upper bound of the share of negatives, with 95 % confidence
}
