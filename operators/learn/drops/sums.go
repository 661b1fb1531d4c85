package drops

// counts are pairs of URLs that can be compared, and those of them that are similar.
type counts struct{ similar, comparable int32 }

func (c *counts) add(d counts) {
	c.similar += d.similar
	c.comparable += d.comparable
}

// likely is the law for one sum.
func (c counts) likely(least int) bool {
	return int(c.similar) >= least && 5*int64(c.similar) >= 4*int64(c.comparable)
}

// sums are the counts of a target's groups. For a target of two names, of[i] are the
// pairs that differ in the pieces of the i-th name.
type sums struct {
	all counts
	of  [2]counts
}

func (s *sums) add(t *sums) {
	s.all.add(t.all)
	s.of[0].add(t.of[0])
	s.of[1].add(t.of[1])
}

// likely is the law of a scope.
func (s *sums) likely(pair bool, least int) bool {
	return s.all.likely(least) && (!pair || s.of[0].likely(least) && s.of[1].likely(least))
}

// enough reports whether a narrower scope could be likely.
func (s *sums) enough(pair bool, least int) bool {
	return int(s.all.similar) >= least && (!pair || int(s.of[0].similar) >= least && int(s.of[1].similar) >= least)
}
