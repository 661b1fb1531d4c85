package trial

// Noise is what fetching pages twice says of a site: how like itself the noisiest
// is. For pages that change by themselves the threshold of similarity is lowered. The
// zero value is a site without noise.
type Noise struct {
	Lost float64 // how much a page differed from itself at most; 0 to 1
}

// Floor is the lowest threshold that noise can lead to.
const Floor = 0.7

// Observe takes in how much a page, fetched twice, resembled itself; it tells
// whether that is the least so far. A fold: order and repetition have no say.
func (n *Noise) Observe(resemblance float64) bool {
	lost := min(max(1-resemblance, 0), 1)
	if lost <= n.Lost {
		return false
	}
	n.Lost = lost
	return true
}

// Threshold is τ, or the self-resemblance that was seen below it, but never below
// 0.7.
func (n Noise) Threshold(tau float64) float64 { return min(tau, max(Floor, 1-n.Lost)) }
