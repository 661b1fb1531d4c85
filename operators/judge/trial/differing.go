package trial

import "slices"

// Differing holds words by which two pages of nearly one text differ, as hashes, ascending: those that
// the page of u has more often, and those of v. Of more than MostDiffering words on a side the least hashes
// are kept, so two looks at two pages keep the same words.
type Differing struct {
	U []uint32 `json:"u,omitempty"`
	V []uint32 `json:"v,omitempty"`
}

// MostDiffering is the number of words on one side that are kept.
const MostDiffering = 12

// NewDiffering returns what is kept of the words that differ, ascending.
func NewDiffering(ofU, ofV []uint32) *Differing {
	return &Differing{U: slices.Clone(ofU[:min(len(ofU), MostDiffering)]), V: slices.Clone(ofV[:min(len(ofV), MostDiffering)])}
}

// Words of two pages are compared if the pages are at least as alike as the lowest
// threshold. Names that URLs give to pages count only if the pages are less alike than the threshold and
// nearZone.
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

// Looked is what one look at the pages of a pair, or two, showed.
type Looked struct {
	First  *Compared
	Second *Compared // nil: there was none, or no page
	V      string
	OfU    []uint32 // words of the URL u; needed with a second look
	OfV    []uint32 // of V
}

// Differences tells what the pages of one rule's pairs differ in.
type Differences struct {
	steady map[uint32]bool   // words that differ in most pairs
	at     map[uint32]string // v of the pairs that differ in a word; several: of different v
	passed map[uint32]bool   // words that came to a page, or left it, between two looks
	pairs  int               // that differ in known words
	told   bool              // most of the rule's pages differ, and enough of them
	moving int               // pairs between whose looks words passed; staying of these have words that stayed
	most   int               // words that passed on one side of a pair

	staying int
	lasting map[uint32]bool // see lastingOf
}

// Limits of the pairs by which steady words are known.
const (
	leastDiffering = 3   // pairs
	steadyShare    = 0.6 // of the pairs differ in a steady word
	leastPairs     = 20  // pairs that show whether a word belongs to one page, where words pass
)

// several stands for different v: no URL begins with a space.
const several = " "

// NewDifferences returns what the pairs of a rule have in common. all are the pairs of
// which both documents were there. A few pages that differ among equal ones have changed in
// between: nothing is told then. O(words).
func NewDifferences(all []Looked) *Differences {
	d := &Differences{steady: map[uint32]bool{}, at: map[uint32]string{}, passed: map[uint32]bool{}, lasting: lastingOf(all)}
	in := map[uint32]int{}
	for i := range all {
		p := &all[i]
		if p.First.Differing == nil {
			continue
		}
		d.pairs++
		for _, h := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(p.First.Differing.U, p.First.Differing.V)))) {
			in[h]++
			if v, seen := d.at[h]; seen && v != p.V {
				d.at[h] = several
			} else {
				d.at[h] = p.V
			}
		}
		d.look(p)
	}
	for h, n := range in {
		d.steady[h] = float64(n) >= steadyShare*float64(d.pairs)
	}
	for i := range all {
		if stays, moved := d.stays(&all[i]); stays && moved {
			d.staying++
		}
	}
	d.told = d.pairs >= leastDiffering && 2*d.pairs >= len(all)
	return d
}

// look takes in the words that passed between two looks at a pair.
func (d *Differences) look(p *Looked) {
	ofU, ofV := p.passed()
	for _, h := range slices.Concat(ofU, ofV) {
		d.passed[h] = true
	}
	if most := max(len(ofU), len(ofV)); most > 0 {
		d.moving++
		d.most = max(d.most, most)
	}
}

// passed returns the words that were among those of u, and of v, that differ at one of two looks only.
func (p *Looked) passed() (ofU, ofV []uint32) {
	first, second := p.differing()
	if first == nil {
		return nil, nil
	}
	_, ofU = both(first.U, second.U)
	_, ofV = both(first.V, second.V)
	return ofU, ofV
}

// differing returns the words that differ at two looks, or nil if these are not known.
func (p *Looked) differing() (first, second *Differing) {
	switch {
	case p.Second == nil || p.First.Differing == nil:
		return nil, nil
	case p.Second.SameText:
		return p.First.Differing, &Differing{}
	case p.Second.Differing == nil:
		return nil, nil
	}
	return p.First.Differing, p.Second.Differing
}

// both returns the words of two looks, and those of one look only. A word that the other look had no
// room for is in neither.
func both(first, second []uint32) (two, one []uint32) {
	end := uint64(1 << 32) // above all words
	for _, words := range [][]uint32{first, second} {
		if len(words) == MostDiffering {
			end = min(end, uint64(words[MostDiffering-1])+1)
		}
	}
	for i, j := 0, 0; i < len(first) || j < len(second); {
		var h uint32
		switch {
		case j == len(second), i < len(first) && first[i] < second[j]:
			h, one = first[i], append(one, first[i])
			i++
		case i == len(first), second[j] < first[i]:
			h, one = second[j], append(one, second[j])
			j++
		default:
			h, two = first[i], append(two, first[i])
			i++
			j++
		}
		if uint64(h) >= end {
			break
		}
	}
	return two, one
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

// HasOwn reports whether two looks at a pair showed words of a page's own: words that one of the two pages had at
// both looks, and the other at none. Words of the URL, words of every pair, and words that came to a page of
// the rule, or left it, between two looks are not its own. If the pages of the pair moved, such words may
// have stayed by chance: they count if most pairs that moved have them.
func (d *Differences) HasOwn(p *Looked) bool {
	stays, moved := d.stays(p)
	return stays && (!moved || d.pairs >= leastPairs && 2*d.staying >= d.moving)
}

// stays reports whether words that may be a page's own stayed between two looks at a pair, and whether others
// passed. If others passed, only words of no other page of the rule may be a page's own.
func (d *Differences) stays(p *Looked) (stays, moved bool) {
	first, second := p.differing()
	if first == nil {
		return false, false
	}
	passedU, passedV := p.passed()
	moved = len(passedU)+len(passedV) > 0
	isOwn := func(url []uint32) func(h uint32) bool {
		return func(h uint32) bool {
			return !slices.Contains(url, h) && !d.steady[h] && !d.passed[h] && (!moved || d.at[h] != several)
		}
	}
	inU, _ := both(first.U, second.U)
	inV, _ := both(first.V, second.V)
	return slices.ContainsFunc(inU, isOwn(p.OfU)) || slices.ContainsFunc(inV, isOwn(p.OfV)), moved
}

// Limits of the second looks at pages that are clearly alike.
const (
	hardlyDiffer = 0.995 // pages more alike are not looked at twice for their words
	enoughMoving = 5     // pairs show what passes between two looks at the pages of a rule
)

// NeedsLook reports whether two pages that differ in words of their own must be looked at twice. They
// need not if they differ in no more words than pages of the rule differ from themselves.
func (d *Differences) NeedsLook(c *Compared) bool {
	return c.Alike < hardlyDiffer && (d.moving < enoughMoving || max(len(c.Differing.U), len(c.Differing.V)) > d.most)
}

// Near reports whether two pages are alike, but hardly more than a threshold asks for.
func (c *Compared) Near(threshold float64) bool {
	return !c.SameText && c.Alike >= threshold && c.Alike < threshold+nearZone
}
