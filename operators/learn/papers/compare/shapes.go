package compare

import "dustbuster/operators/learn/papers/duster"

// shapes are texts by their delimiters, so that an expression is applied only to texts that
// it may change.
type shapes struct {
	of    []string  // the different delimiters
	texts [][]int32 // numbers of the texts with these delimiters
}

// newShapes groups n texts, numbered from 0. O(bytes).
func newShapes(n int, text func(number int32) string) *shapes {
	s := &shapes{}
	place := map[string]int{}
	for number := range int32(n) {
		marks := duster.Marks(text(number))
		at, known := place[marks]
		if !known {
			at = len(s.of)
			place[marks] = at
			s.of, s.texts = append(s.of, marks), append(s.texts, nil)
		}
		s.texts[at] = append(s.texts[at], number)
	}
	return s
}

// mayChange calls a function with the numbers of the texts that an expression may change.
func (s *shapes) mayChange(r *duster.Rule, do func(number int32)) {
	for i, marks := range s.of {
		if r.Fits(marks) {
			for _, number := range s.texts[i] {
				do(number)
			}
		}
	}
}
