package compare

import (
	"iter"

	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/learn/papers/duster"
	"dustbuster/operators/rule"
)

// site is a clustering on which rules of both sorts are judged.
type site struct {
	*cluster.Site
	clusters [][]string
	shapes   shapes // of the URLs; nil until an expression is judged
}

func newSite(clusters [][]string) *site {
	return &site{Site: cluster.NewSite(clusters), clusters: clusters}
}

func (s *site) judge(all []Candidate, stop func() bool) error {
	var rules []rule.Rule
	var places []int
	for i := range all {
		if stop() {
			return ErrStopped
		}
		switch c := &all[i]; {
		case c.unproved: // as good as without support
		case c.Expression != nil:
			if s.shapes == nil {
				s.shapes = newShapes(len(s.URLs), func(n int32) string { return s.URLs[n] })
			}
			c.Learned = s.Judge(s.shapes.mayChange(c.Expression), c.rewrite)
		default:
			rules, places = append(rules, c.Rule), append(places, i)
		}
	}
	judged, ok := s.JudgeAll(rules, stop)
	if !ok {
		return ErrStopped
	}
	for i, l := range judged {
		all[places[i]].Learned = l
	}
	return nil
}

// direct gives each candidate the direction that is better: a learner finds pairs of
// substrings without direction. The other direction of a rule with false pairs is better if
// it is supported and its rate of false pairs is smaller.
func (s *site) direct(all []Candidate, stop func() bool) error {
	var others []Candidate
	var places []int
	for i := range all {
		if other, ok := all[i].reverse(); ok && !all[i].valid(0) {
			others, places = append(others, other), append(places, i)
		}
	}
	if err := s.judge(others, stop); err != nil {
		return err
	}
	for k, i := range places {
		if o := &others[k]; o.supported() && (!all[i].supported() || o.FPR() < all[i].FPR()) {
			all[i] = *o
		}
	}
	return nil
}

// shapes are the numbers of texts by the delimiters of the texts, so that an expression is
// applied only to texts that it may change.
type shapes map[string][]int32

// newShapes groups n texts, numbered from 0. O(bytes).
func newShapes(n int, text func(number int32) string) shapes {
	s := shapes{}
	for number := range int32(n) {
		marks := duster.Marks(text(number))
		s[marks] = append(s[marks], number)
	}
	return s
}

// mayChange yields the numbers of the texts that an expression may change, in any order.
func (s shapes) mayChange(r *duster.Rule) iter.Seq[int32] {
	return func(yield func(number int32) bool) {
		for marks, numbers := range s {
			if !r.Fits(marks) {
				continue
			}
			for _, number := range numbers {
				if !yield(number) {
					return
				}
			}
		}
	}
}
