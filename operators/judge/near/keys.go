package near

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"dustbuster/operators/judge/sketch"
)

// Options say which documents are near-duplicates, and how their pairs are found.
type Options struct {
	Threshold float64 // the least resemblance of near-duplicates; above 0, at most 1
	Exact     bool    // pairs are decided by all shingles of the documents, not by the sketches alone
	Counters  int     // of the frequencies of shingles, 4 bytes each; 0: a million
}

// Defaults of Options.
const (
	DefaultThreshold = 0.9 // as in trials of rules
	defaultCounters  = 1 << 20
)

// margin is how far below the threshold an estimate may be of a pair that is decided by
// all shingles.
const margin = 0.1

// Check returns the error of an option that is out of range.
func (o *Options) Check() error {
	if !(o.Threshold > 0 && o.Threshold <= 1) {
		return fmt.Errorf("the threshold must be above 0 and at most 1, got %v", o.Threshold)
	}
	return nil
}

// candidate returns the least estimate of a pair that may be a near-duplicate.
func (o *Options) candidate() float64 {
	if o.Exact {
		return max(o.Threshold-margin, math.SmallestNonzeroFloat64)
	}
	return o.Threshold
}

// Resemblance returns the resemblance of two documents, as estimated by their sketches or,
// with Exact, by all their shingles.
func (o *Options) Resemblance(a, b *sketch.Page) float64 {
	r := sketch.Resemblance(&a.Sketch, &b.Sketch)
	if o.Exact && r >= o.candidate() {
		return sketch.Exact(a, b)
	}
	return r
}

// Alike reports whether two documents are near-duplicates.
func (o *Options) Alike(a, b *sketch.Page) bool { return o.Resemblance(a, b) >= o.Threshold }

// NewKeys returns the keys of the options, which must be checked.
func (o *Options) NewKeys() *Keys {
	counters := o.Counters
	if counters <= 0 {
		counters = defaultCounters
	}
	return &Keys{threshold: o.candidate(), counts: make([]uint32, counters)}
}

// hashesOf returns the hashes of a sketch.
func hashesOf(s *sketch.Sketch) []uint64 {
	if !s.HTML || s.Words == 0 {
		return nil
	}
	n := len(s.MinHash)
	for n > 0 && s.MinHash[n-1] == math.MaxUint64 { // unused places
		n--
	}
	return s.MinHash[:n]
}

// Keys finds the keys of sketches: the rarest of their hashes. A Keys is not safe for concurrent use.
type Keys struct {
	threshold float64
	counts    []uint32 // sketches with a hash, by hash; other hashes may share a place
	order     []uint64
}

// Count counts the hashes of a sketch. All sketches are counted before the first call of Of.
func (k *Keys) Count(s *sketch.Sketch) {
	for _, h := range hashesOf(s) {
		if c := &k.counts[k.place(h)]; *c < math.MaxUint32 {
			*c++
		}
	}
}

// place spreads hashes over the table. The least hashes of long documents are small
// numbers, so the remainder is taken, which depends on the last bits.
func (k *Keys) place(h uint64) int { return int(h % uint64(len(k.counts))) }

// Of appends the keys of a sketch. A sketch without words has none.
func (k *Keys) Of(keys []uint64, s *sketch.Sketch) []uint64 {
	k.order = append(k.order[:0], hashesOf(s)...)
	slices.SortFunc(k.order, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(k.counts[k.place(a)], k.counts[k.place(b)]), cmp.Compare(a, b))
	})
	return append(keys, k.order[:prefix(len(k.order), k.threshold)]...)
}

// prefix returns how many of n hashes, in any order, hold one that is common with each sketch whose
// resemblance reaches the threshold. If u of the hashes of the union are looked at and c of these are
// common, then u >= n, so c/n >= c/u >= threshold.
func prefix(n int, threshold float64) int {
	common := int(math.Floor(threshold * float64(n))) // or one more, or, by rounding, one less
	for float64(common)/float64(n) < threshold {
		common++
	}
	return max(0, n-max(common, 1)+1)
}
