package params

import "dustbuster/operators/window/evidence"

// tally folds the evidence of a group's members for the tests of comparable and similar.
// A tally is reused for the next group.
type tally struct {
	members int
	digests int   // members with one digest
	digest  int64 // the first digest
	differ  bool  // not all digests are equal
	classes []class
}

// class summarizes the sizes of the members in one class. A plain member has no digest
// and is compared with all members by size. Members with digests are compared with each
// other by digest alone.
type class struct {
	id      uint8
	members int
	plain   int

	largestMax             int64
	largestMin             int64
	smallestMax            int64
	plainMin, plainMostMax int64 // largest min and smallest max of the plain members
}

func (t *tally) reset() { *t = tally{classes: t.classes[:0]} }

func (t *tally) add(e evidence.Spans) {
	t.members++
	d, digested := e.Digest()
	if digested {
		if t.digests++; t.digests == 1 {
			t.digest = d
		}
		t.differ = t.differ || d != t.digest
	}
	for _, s := range e.Sizes() {
		t.class(s).add(s, !digested)
	}
}

// class returns the tally of a span's class. A new tally begins with the span.
func (t *tally) class(s evidence.Span) *class {
	for i := range t.classes {
		if t.classes[i].id == s.Class {
			return &t.classes[i]
		}
	}
	t.classes = append(t.classes, class{id: s.Class, largestMax: s.Max, largestMin: s.Min, smallestMax: s.Max})
	return &t.classes[len(t.classes)-1]
}

func (c *class) add(s evidence.Span, plain bool) {
	c.members++
	c.largestMax = max(c.largestMax, s.Max)
	c.largestMin = max(c.largestMin, s.Min)
	c.smallestMax = min(c.smallestMax, s.Max)
	if !plain {
		return
	}
	if c.plain++; c.plain == 1 {
		c.plainMin, c.plainMostMax = s.Min, s.Max
	}
	c.plainMin = max(c.plainMin, s.Min)
	c.plainMostMax = min(c.plainMostMax, s.Max)
}

// near is the test of one class: the widest gap between two members, at least one of them
// plain, against the largest size of all members.
func (c *class) near(tolerance float64) bool {
	if c.plain == 0 {
		return true
	}
	gap := max(c.plainMin-c.smallestMax, c.largestMin-c.plainMostMax, 0)
	return float64(gap) <= tolerance*float64(c.largestMax)
}

// state returns the bits countable and similar of the group.
func (t *tally) state(s evidence.Similarity) uint32 {
	switch {
	case t.members < 2:
		return 0
	case s.Off:
		return countable | similar
	case !t.comparable():
		return 0
	case t.differ:
		return countable
	}
	for i := range t.classes {
		if !t.classes[i].near(s.Tolerance) {
			return countable
		}
	}
	return countable | similar
}

func (t *tally) comparable() bool {
	if t.digests >= 2 {
		return true
	}
	for i := range t.classes {
		if t.classes[i].members >= 2 {
			return true
		}
	}
	return false
}
