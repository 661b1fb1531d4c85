package lifecycle

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"dustbuster/operators/window/evidence"
)

// A rule that holds for most of its pages changes their sizes in the same way: not at all, by
// the length of the URL, or by some share. The pairs whose sizes differ in another way are where the
// rule is wrong, if it is wrong anywhere. These pairs are odd. A trial tries all of them, so a
// few wrong pages among many are found that a random sample of all pairs would miss.

// oddShare is the least number of pairs with known sizes for one odd pair.
const oddShare = 8

// odd returns the forms of the odd pairs of a rule: at most as many as a stratum needs
// outcomes. O(moves · log).
func (w *view) odd(f *forms, moves []move) map[int32]bool {
	type pair struct {
		form int32
		by   float64 // logarithm of the ratio of the sizes; then the distance from the median
	}
	var pairs []pair
	for _, v := range moves {
		if v.known < 0 {
			continue
		}
		if by, ok := ratio(f.evidence(v.form), f.evidence(v.known)); ok {
			pairs = append(pairs, pair{v.form, by})
		}
	}
	n := min(w.o.Trial.Stratum, len(pairs)/oddShare)
	if n == 0 || w.o.Off.OddPairs {
		return nil
	}
	slices.SortFunc(pairs, func(p, q pair) int { return cmp.Compare(p.by, q.by) })
	median := pairs[len(pairs)/2].by
	for i := range pairs {
		pairs[i].by = math.Abs(pairs[i].by - median)
	}
	slices.SortFunc(pairs, func(p, q pair) int {
		return cmp.Or(cmp.Compare(q.by, p.by), strings.Compare(f.texts[p.form], f.texts[q.form]))
	})
	odd := map[int32]bool{}
	for _, p := range pairs[:n] {
		if p.by > 0 {
			odd[p.form] = true
		}
	}
	return odd
}

// ratio returns the logarithm of the ratio of two pages' sizes in the first class common to
// both. ok is false if there is none, or if both pages have a digest.
func ratio(u, v evidence.Spans) (by float64, ok bool) {
	if u.HasDigest() && v.HasDigest() {
		return 0, false
	}
	for _, s := range u.Sizes() {
		for _, t := range v.Sizes() {
			if s.Class == t.Class && s.Max > 0 && t.Max > 0 {
				return math.Log(float64(s.Max) / float64(t.Max)), true
			}
		}
	}
	return 0, false
}
