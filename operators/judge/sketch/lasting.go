package sketch

// Visits holds the bags of one page in two visits.
type Visits struct{ First, Last []uint32 }

// Lasting compares what lasts of two pages that never stand still: the words that both visits of a page have.
// alike is the share of these words that some visit of the other page has as well, the smaller of both
// shares. lackU are the lasting words of u that no visit of v has, ascending, and lackV those of v. ok is false if a
// bag is nil, or if less than half of the words of a page last. O(words).
func Lasting(u, v Visits) (alike float64, lackU, lackV []uint32, ok bool) {
	lastsU, ofU := u.lasting()
	lastsV, ofV := v.lasting()
	if !ofU || !ofV {
		return 0, nil, nil, false
	}
	lackU, _ = parted(lastsU, v.all(), anyCase)
	lackV, _ = parted(lastsV, u.all(), anyCase)
	alike = 1 - max(float64(len(lackU))/float64(len(lastsU)), float64(len(lackV))/float64(len(lastsV)))
	return alike, lackU, lackV, true
}

// lasting returns the words that both visits have. ok is false if these are less than half of the page.
func (v Visits) lasting() (both []uint32, ok bool) {
	if v.First == nil || v.Last == nil {
		return nil, false
	}
	passed, _ := parted(v.First, v.Last, anyCase)
	both, _ = parted(v.First, passed, anyCase)
	return both, len(both) > 0 && 2*len(both) >= max(len(v.First), len(v.Last))
}

// all returns the words of both visits, each as often as the visit that has it more often.
func (v Visits) all() []uint32 {
	more, _ := parted(v.Last, v.First, anyCase)
	all := make([]uint32, 0, len(v.First)+len(more))
	for i, j := 0, 0; i < len(v.First) || j < len(more); {
		if j == len(more) || i < len(v.First) && v.First[i] <= more[j] {
			all = append(all, v.First[i])
			i++
		} else {
			all = append(all, more[j])
			j++
		}
	}
	return all
}
