package dust

import (
	"cmp"
	"slices"
)

// Parameters of phase 2 (figure 2 and section 6.1 of the paper).
const (
	window             = 1100 // MW: how many places down the list a refinement is sought
	relativeDeficiency = 0.05 // MRD: how much smaller, as a share, a support may be and still count as equal
	absoluteDeficiency = 1    // MAD: the same in envelopes
)

// Refine returns the candidates that are not redundant, in the order of [CompareSupport]: a
// candidate is redundant if another with nearly the same support refines it (figure 2, with
// T_high's support as the size). O(n log n + n·MW) comparisons, nearly all of two numbers.
func Refine(list []Candidate) []Candidate {
	list = ranked(list)
	r := refinement{list, make([]brief, len(list))}
	for i := range list {
		r.briefs[i] = briefOf(&list[i])
	}
	for i := range list {
		if !r.briefs[i].eliminated {
			r.briefs[i].eliminated = r.eliminateAfter(i)
		}
	}
	kept := list[:0]
	for i, c := range list {
		if !r.briefs[i].eliminated {
			kept = append(kept, c)
		}
	}
	slices.SortFunc(kept, CompareSupport)
	return kept
}

// ranked returns the candidates in the order of [CompareRank]. Numbers without pointers are sorted
// in half the time of candidates, and nearly always suffice.
func ranked(list []Candidate) []Candidate {
	type rank struct {
		supports uint64
		length   int32
		place    int32
	}
	ranks := make([]rank, len(list))
	for i := range list {
		c := &list[i]
		ranks[i] = rank{uint64(c.SupportHigh)<<32 | uint64(c.Support), int32(c.length()), int32(i)}
	}
	slices.SortFunc(ranks, func(a, b rank) int {
		if a.supports != b.supports {
			return cmp.Compare(b.supports, a.supports)
		}
		if a.length != b.length {
			return cmp.Compare(b.length, a.length)
		}
		return compareTexts(&list[a.place].Pair, &list[b.place].Pair)
	})
	sorted := make([]Candidate, len(list))
	for i, r := range ranks {
		sorted[i] = list[r.place]
	}
	return sorted
}

// refinement is a run of figure 2.
type refinement struct {
	list   []Candidate
	briefs []brief // contiguous, since each is visited up to 1,100 times
}

// brief summarizes a pair. Two briefs usually suffice to see that a pair does not refine
// another.
type brief struct {
	size       int32 // support over buckets up to T_high
	length     int32 // of both sides with anchors: greater in the refining pair than in the refined pair
	grown      int32 // bytes of Alpha beyond Beta: equal in both
	common     common
	eliminated bool
}

// common is the number of bytes shared by the two sides of a pair at their ends.
type common struct{ prefix, suffix int32 }

func commonOf(p *Pair) common {
	return common{int32(commonPrefix(p.Alpha, p.Beta)), int32(commonSuffix(p.Alpha, p.Beta))}
}

func briefOf(c *Candidate) brief {
	return brief{
		size: int32(c.SupportHigh), length: int32(c.length()), grown: int32(len(c.Alpha) - len(c.Beta)),
		common: commonOf(&c.Pair),
	}
}

// eliminateAfter marks the redundant candidates after the i-th and reports whether one of
// them makes the i-th redundant.
func (r *refinement) eliminateAfter(i int) bool {
	own := r.briefs[i]
	deficiency := max(relativeDeficiency*float64(own.size), absoluteDeficiency)
	least := own.size - int32(deficiency) // sizes are whole numbers
	after := r.briefs[i+1 : min(len(r.briefs), i+1+window)]
	for k := range after {
		b := &after[k]
		switch {
		case b.size < least:
			return false
		case b.grown != own.grown || b.eliminated:
		case b.length < own.length:
			b.eliminated = r.list[i].refines(&r.list[i+1+k].Pair, own.common)
		case b.length > own.length && r.list[i+1+k].refines(&r.list[i].Pair, b.common):
			return true
		}
	}
	return false
}

// refines reports whether every instance of p is an instance of q: the sides of p are γαδ and
// γβδ, where α and β are those of q (lemma 5.3). The occurrence of α in p.Alpha lies on token
// boundaries, and anchors are tokens. In p.Beta, γ and δ may join a token. Framing keeps the
// difference in length and the byte order of two sides, so q's larger side can only be in
// that of p. γ and δ are a common prefix and suffix of the sides of p, so few places remain.
// O(bytes of p).
func (p *Pair) refines(q *Pair, c common) bool {
	outside := len(p.Alpha) - len(q.Alpha) // bytes of γ and δ
	if outside != len(p.Beta)-len(q.Beta) || q.AtStart && !p.AtStart || q.AtEnd && !p.AtEnd {
		return false
	}
	first, last := max(0, outside-int(c.suffix)), min(outside, int(c.prefix))
	if q.AtStart {
		last = min(last, 0)
	}
	if q.AtEnd {
		first = max(first, outside)
	}
	for at := first; at <= last; at++ {
		if p.Alpha[at:at+len(q.Alpha)] == q.Alpha && p.Beta[at:at+len(q.Beta)] == q.Beta &&
			Boundary(p.Alpha, at) && Boundary(p.Alpha, at+len(q.Alpha)) {
			return true
		}
	}
	return false
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
