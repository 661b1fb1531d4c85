package trial

import "slices"

// A stand-in is asked for in the place of a URL that looks private: its private pieces are invented. Its page
// proves something only if it is the page that the log has of the URL itself.

// Bytes by which the page of a stand-in may differ from the size in the log.
const (
	standInSlack  = 8
	packedSlack   = 64  // of a compressed answer
	mostOfSpread  = 256 // of the spread of the sizes of v, if that is more
	shareOfSpread = 100 // and at most so little of the size: one part in a hundred
)

// standsIn reports whether the page of u has the size, or the digest, that the log has of the URL that u
// stands in for.
func (c *Case) standsIn(s *Shown) bool {
	if c.U.Digest != 0 && c.U.Digest == s.Digest {
		return true
	}
	for _, z := range c.U.Sizes {
		for _, n := range s.lengths() {
			if max(z.Min-n, n-z.Max) <= c.V.slackOf(z.Class, z.Max, s.Sent != s.Length) {
				return true
			}
		}
	}
	return false
}

// slackOf returns the bytes by which a size in a class may differ from that of a page that shows the same as
// the page with the sizes of l.
func (l *Logged) slackOf(class uint8, size int64, packed bool) int64 {
	slack := int64(standInSlack)
	if packed {
		slack = packedSlack
	}
	for _, z := range l.Sizes {
		if z.Class == class {
			slack = max(slack, min(z.Max-z.Min, size/shareOfSpread, mostOfSpread))
		}
	}
	return slack
}

// lean returns 0 if the page of a stand-in has exactly a size that the log has of u, or else -1 if it is
// smaller than the nearest, or 1. known is false if the log has no size.
func (c *Case) lean(s *Shown) (way int, known bool) {
	nearest := int64(-1)
	for _, z := range c.U.Sizes {
		for _, n := range s.lengths() {
			d := max(z.Min-n, n-z.Max, 0)
			if nearest >= 0 && d >= nearest {
				continue
			}
			nearest, way = d, 1
			switch {
			case d == 0:
				return 0, true
			case n < z.Min:
				way = -1
			}
		}
	}
	return way, nearest >= 0
}

// Lean counts the pages of stand-ins that are not exactly as large as the log says.
type Lean struct{ smaller, larger int }

// Add takes in the pages of a pair.
func (l *Lean) Add(c *Case, p *Compared) {
	if !p.StandIn {
		return
	}
	switch way, _ := c.lean(&p.U); way {
	case -1:
		l.smaller++
	case 1:
		l.larger++
	}
}

// Constants of IsClear.
const (
	leastLeaning = 5
	leaningShare = 0.9
)

// IsClear reports whether nearly all of these pages are smaller, or larger: who has the true link sees
// something more, or less, than a stranger.
func (l *Lean) IsClear() bool {
	n := l.smaller + l.larger
	return n >= leastLeaning && float64(max(l.smaller, l.larger)) >= leaningShare*float64(n)
}

// Agree reports whether the log says by itself that u and v show the same: in some class their sizes differ by
// no more than their pages may, or by a whole multiple of the bytes that u has more than v, as on pages that
// repeat their address. Of two doubles both sizes of the class must say so. known is false if they have no size in one
// class.
func Agree(u, v *Logged, more int) (agree, known bool) {
	for i, a := range u.Sizes {
		ofV := v.in(a.Class)
		double := len(ofV) == 2 && len(u.in(a.Class)) == 2
		switch known = known || len(ofV) > 0; {
		case !double:
			agree = agree || slices.ContainsFunc(ofV, func(b Size) bool { return v.agrees(a, b, more) })
		case i > 0 && u.Sizes[i-1].Class == a.Class:
			agree = agree || v.agrees(a, ofV[1], more) && v.agrees(u.Sizes[i-1], ofV[0], more)
		}
	}
	return agree, known
}

// in returns the sizes of a class: none, one, or of a double two.
func (l *Logged) in(class uint8) (all []Size) {
	for _, z := range l.Sizes {
		if z.Class == class {
			all = append(all, z)
		}
	}
	return all
}

// agrees reports whether a size a of u may be that of the page with the size b, which is of l.
func (l *Logged) agrees(a, b Size, more int) bool {
	d, slack := apart(a, b), l.slackOf(b.Class, b.Max, isPacked(b.Class))
	for times := range int64(mostRepeats + 1) {
		if rest := d - times*int64(more); -slack <= rest && rest <= slack {
			return true
		}
	}
	return false
}

// mostRepeats is the number of times that a page may repeat its address.
const mostRepeats = 8

// apart returns the bytes by which sizes a are above sizes b; 0 if they overlap.
func apart(a, b Size) int64 {
	switch {
	case a.Min > b.Max:
		return a.Min - b.Max
	case b.Min > a.Max:
		return a.Max - b.Min
	}
	return 0
}

// isPacked reports whether the sizes of a class are those of compressed answers: see the classes of package
// weblog. The lowest three bits are those of the encoding; 0 is unknown, and 1 is none.
func isPacked(class uint8) bool { return class&7 >= 2 }
