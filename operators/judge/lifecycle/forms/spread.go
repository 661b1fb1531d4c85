package forms

import (
	"math"

	"dustbuster/operators/judge/trial"
)

// Spread tells how far the sizes of a rule's pages are apart: the logarithm of their ratio, without its sign. A page that
// becomes a URL which the log lacks is compared with the others that become the same.
type Spread struct {
	Of     map[string]float64 // by form, of the pairs that may be fetched
	Barred []Far              // of the others, those with unlike sizes
}

// Far is a pair that may not be fetched.
type Far struct {
	Form, V string
	By      float64
}

// Spread returns how far the sizes of the pairs of moves are apart, as far as the log tells. O(moves).
func (w *View) Spread(f *Forms, moves []Move, asks *Asks) *Spread {
	s, torn, all := &Spread{Of: map[string]float64{}}, w.torn(f, moves), f.distances(moves)
	for i, v := range moves {
		by, known := all[v.Form]
		switch {
		case !known:
		case asks.OfMove(i) == Public:
			s.Of[f.Texts[v.Form]] = by
		case torn[v.To], w.stratum(f, v) == trial.Apart:
			s.Barred = append(s.Barred, Far{f.Texts[v.Form], v.To, by})
		}
	}
	return s
}

// distances returns how far the sizes of moves are apart, by form.
func (f *Forms) distances(moves []Move) map[int32]float64 {
	all, first := map[int32]float64{}, map[string]int32{}
	for _, v := range moves {
		other := v.Known
		if one, seen := first[v.To]; other < 0 && seen {
			other = one
		} else if other < 0 && len(f.evidence(v.Form)) > 0 {
			first[v.To] = v.Form
		}
		if other < 0 {
			continue
		}
		by, ok := ratio(f.evidence(v.Form), f.evidence(other))
		if !ok {
			continue
		}
		by = math.Abs(by)
		if all[v.Form] = by; v.Known < 0 {
			all[other] = max(all[other], by)
		}
	}
	return all
}

// IsFew reports whether so few pairs are wrong that a rule may be published: see unlikeShare.
func (s *Spread) IsFew(pairs int) bool { return pairs*unlikeShare <= len(s.Of)+len(s.Barred) }
