package trial

import "slices"

// Differing holds the words by which two pages of nearly one text differ, as hashes,
// ascending: those that the page of u has more often, and those of v.
type Differing struct {
	U []uint32 `json:"u,omitempty"`
	V []uint32 `json:"v,omitempty"`
}

// MostDiffering is the number of words on one side that are kept.
const MostDiffering = 12

// Words of two pages are compared if the pages are at least as alike as the lowest
// threshold. Only pages less alike than the threshold and nearZone are judged by their words.
const nearZone = 0.05

// Kind is what two nearly equal pages differ in.
type Kind uint8

// The kinds of differences.
const (
	Untold  Kind = iota // too little is known
	Equal               // the texts are equal
	Steady              // the words that differ are those of every pair, or the URL's own
	Name                // each page shows the words that only its own URL has
	Content             // words of the page's own
)

// Differences tells what the pages of one rule's pairs differ in.
type Differences struct {
	steady map[uint32]bool // words that differ in most pairs
	told   bool            // most of the rule's pages differ, and enough of them
}

// Limits of the pairs by which steady words are known.
const (
	leastDiffering = 3   // pairs
	steadyShare    = 0.6 // of the pairs differ in a steady word
)

// NewDifferences returns what the pairs of a rule have in common. compared are the pairs of
// which both documents were there. A few pages that differ among equal ones have changed in
// between: nothing is told then. O(words).
func NewDifferences(compared []*Compared) *Differences {
	d := &Differences{steady: map[uint32]bool{}}
	pairs, in := 0, map[uint32]int{}
	for _, c := range compared {
		if c.Differing == nil {
			continue
		}
		pairs++
		for _, h := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.Differing.U, c.Differing.V)))) {
			in[h]++
		}
	}
	for h, n := range in {
		d.steady[h] = float64(n) >= steadyShare*float64(pairs)
	}
	d.told = pairs >= leastDiffering && 2*pairs >= len(compared)
	return d
}

// KindOf returns what two pages differ in. ofU and ofV are the words that only the URL u, and
// only the URL v, has.
func (d *Differences) KindOf(c *Compared, ofU, ofV []uint32) Kind {
	switch {
	case c.SameText:
		return Equal
	case c.Differing == nil || !d.told:
		return Untold
	}
	namesU, ownU := d.split(c.Differing.U, ofU)
	namesV, ownV := d.split(c.Differing.V, ofV)
	switch {
	case ownU || ownV:
		return Content
	case namesU && namesV:
		return Name
	}
	return Steady
}

// split reports whether words that only one page has are words of the page's URL, and
// whether they are neither such words nor steady.
func (d *Differences) split(words, url []uint32) (names, own bool) {
	for _, h := range words {
		switch {
		case slices.Contains(url, h):
			names = true
		case !d.steady[h]:
			own = true
		}
	}
	return names, own
}

// Near reports whether two pages are alike, but hardly more than a threshold asks for.
func (c *Compared) Near(threshold float64) bool {
	return !c.SameText && c.Alike >= threshold && c.Alike < threshold+nearZone
}
