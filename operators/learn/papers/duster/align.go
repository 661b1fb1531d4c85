package duster

import "slices"

// whole is the score of two equal sets. Scores are multiples of 1/2520, the least common
// multiple of 1 to 10, so that the Jaccard coefficients of sets of ten tokens together are
// whole numbers, and equal scores are equal.
const whole = 2520

// apart is the score of columns that must not share a place.
const apart = -whole

// likeness is sf, equation 2 of the paper: the Jaccard coefficient of two columns of one
// kind, below 0 for columns of two kinds. Unlike delimiters are apart as well.
func likeness(x, y *column) int32 {
	if x.kind != y.kind {
		return apart
	}
	if len(x.set) == 1 && len(y.set) == 1 {
		switch {
		case x.set[0] == y.set[0]:
			return whole
		case x.kind == mark:
			return apart
		}
		return 0
	}
	both, i := 0, 0
	for _, n := range y.set {
		for i < len(x.set) && x.set[i] < n {
			i++
		}
		if i < len(x.set) && x.set[i] == n {
			both++
		}
	}
	return int32(whole / (len(x.set) + len(y.set) - both) * both)
}

// aligner aligns sequences of columns. An aligner belongs to one goroutine.
type aligner struct{ cells []int32 }

// score returns the score of the best alignment of two sequences, S[m][n] of equation 1.
// O(product of the lengths between what is common at the beginning and at the end).
//
// Columns that are equal at the beginning or at the end of both sequences are in the same
// place of some best alignment, because no other partner has a greater score.
func (a *aligner) score(x, y []column) int32 {
	head := 0
	for head < min(len(x), len(y)) && slices.Equal(x[head].set, y[head].set) {
		head++
	}
	x, y = x[head:], y[head:]
	tail := commonTail(x, y)
	x, y = x[:len(x)-tail], y[:len(y)-tail]
	a.cells = slices.Grow(a.cells[:0], len(y)+1)[:len(y)+1]
	row := a.cells
	clear(row)
	for i := range x {
		diagonal := row[0]
		for j := range y {
			above := row[j+1]
			row[j+1] = max(above, row[j], diagonal+likeness(&x[i], &y[j]))
			diagonal = above
		}
	}
	return row[len(y)] + int32(head+tail)*whole
}

// commonTail returns the number of equal columns at the end of two sequences.
func commonTail(x, y []column) int {
	n := 0
	for n < min(len(x), len(y)) && slices.Equal(x[len(x)-1-n].set, y[len(y)-1-n].set) {
		n++
	}
	return n
}

// consensus aligns two sequences and returns the unions of the columns in one place. Of
// several best alignments, the walk back from the ends prefers the diagonal, then a gap in
// x. So equal ends need no matrix. O(product of the other lengths).
func (a *aligner) consensus(x, y []column) []column {
	tail := commonTail(x, y)
	m, n := len(x)-tail, len(y)-tail
	s := a.matrix(x[:m], y[:n])
	w := n + 1
	var back []column
	for k := range tail {
		back = append(back, join(x[len(x)-1-k], y[len(y)-1-k]))
	}
	for i, j := m, n; i > 0 || j > 0; {
		switch at := s[i*w+j]; {
		case i > 0 && j > 0 && at == s[(i-1)*w+j-1]+likeness(&x[i-1], &y[j-1]):
			i, j = i-1, j-1
			back = append(back, join(x[i], y[j]))
		case j > 0 && at == s[i*w+j-1]:
			j--
			back = append(back, missing(y[j]))
		default:
			i--
			back = append(back, missing(x[i]))
		}
	}
	slices.Reverse(back)
	return back
}

// matrix returns S of equation 1, row by row. The matrix is valid until the next call of a
// method.
func (a *aligner) matrix(x, y []column) []int32 {
	w := len(y) + 1
	size := (len(x) + 1) * w
	a.cells = slices.Grow(a.cells[:0], size)[:size]
	s := a.cells
	clear(s[:w])
	for i := range x {
		s[(i+1)*w] = 0
		for j := range y {
			at := (i+1)*w + j + 1
			s[at] = max(s[at-w], s[at-1], s[at-w-1]+likeness(&x[i], &y[j]))
		}
	}
	return s
}

// merge aligns all sequences, the two most alike first, and returns their consensus: the
// progressive alignment of the paper. Of pairs of one score, the pair of the sequences that
// were there first comes first; a consensus comes after all earlier sequences. The result is
// nil if a consensus has more than maxColumns columns.
func (a *aligner) merge(rows [][]column) []column {
	n := len(rows)
	rows = slices.Clone(rows)
	scores := map[[2]int]int32{}
	alive := make([]int, n)
	for i := range n {
		alive[i] = i
		for j := range i {
			scores[[2]int{j, i}] = a.score(rows[j], rows[i])
		}
	}
	for len(alive) > 1 {
		best, most := [2]int{}, int32(-1)
		for i, p := range alive {
			for _, q := range alive[i+1:] {
				if s := scores[[2]int{p, q}]; s > most {
					best, most = [2]int{p, q}, s
				}
			}
		}
		both := a.consensus(rows[best[0]], rows[best[1]])
		if len(both) > maxColumns {
			return nil
		}
		alive = slices.DeleteFunc(alive, func(k int) bool { return k == best[0] || k == best[1] })
		for _, k := range alive {
			scores[[2]int{k, len(rows)}] = a.score(rows[k], both)
		}
		alive = append(alive, len(rows))
		rows = append(rows, both)
	}
	return rows[alive[0]]
}
