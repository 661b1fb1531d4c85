package trial

// Noise is the result of fetching pages of a site twice: how much the noisiest page differs
// from itself. For sites whose pages change by themselves, the threshold of similarity is
// lowered. The zero value is a site without noise.
type Noise struct {
	Lost float64 // greatest difference of a page from itself; 0 to 1
}

// Floor is the lowest possible threshold under noise.
const Floor = 0.7

// Observe takes in the resemblance of a page to itself in two fetches. Observe reports
// whether the resemblance is the least so far. Observe is a fold: order and repetition have
// no effect.
func (n *Noise) Observe(resemblance float64) bool {
	lost := min(max(1-resemblance, 0), 1)
	if lost <= n.Lost {
		return false
	}
	n.Lost = lost
	return true
}

// Threshold returns τ, or the least observed self-resemblance if smaller, but at least 0.7.
func (n Noise) Threshold(tau float64) float64 { return min(tau, max(Floor, 1-n.Lost)) }
