package trial

import (
	"encoding/binary"
	"hash/fnv"
	"iter"
	"slices"
)

// Differing holds words and marks by which two pages of nearly one text differ, as hashes, ascending: those that
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
	OfU    []uint32 // words of the URL u
	OfV    []uint32 // of V
}

// value returns a hash of the words that only one of the two URLs has: what the rule changes in the pair.
func (p *Looked) value() uint64 {
	h := fnv.New64a()
	for side, words := range [2][]uint32{p.OfU, p.OfV} {
		other := [2][]uint32{p.OfV, p.OfU}[side]
		for _, w := range words {
			if !slices.Contains(other, w) {
				_, _ = h.Write(binary.LittleEndian.AppendUint32([]byte{byte(side)}, w)) // never fails
			}
		}
	}
	return h.Sum64()
}

// Differences tells what the pages of one rule's pairs differ in.
type Differences struct {
	steady [2]map[uint32]bool // words that u, or v, has more often in most pairs of unlike values
	at     map[uint32]string  // v of the pairs that differ in a word; several: of different v
	passed map[uint32]string  // words that came to a page, or left it, between two looks: v, as in at
	pairs  int                // that differ in known words
	told   bool               // enough pages of the rule are known
	moving int                // pairs between whose looks words passed; staying of these have words that stayed
	most   int                // words that passed on one side of a pair

	staying int
	fresh   bool            // see isFresh
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
// which both documents were there. O(words).
func NewDifferences(all []Looked) *Differences {
	d := &Differences{at: map[uint32]string{}, passed: map[uint32]string{}, lasting: lastingOf(all)}
	known := 0
	for i := range all {
		p := &all[i]
		if p.First.Equal() {
			known++
		}
		if p.First.Differing == nil {
			continue
		}
		known++
		d.pairs++
		for h := range p.First.Differing.words() {
			note(d.at, h, p.V)
		}
		d.look(p)
	}
	d.told = known >= leastDiffering
	d.steady, d.fresh = steadyOf(all), d.isFresh()
	for i := range all {
		if stays, moved := d.stays(&all[i]); stays && moved {
			d.staying++
		}
	}
	return d
}

// note notes that a word is one of a pair with a v.
func note(at map[uint32]string, h uint32, v string) {
	if was, seen := at[h]; seen && was != v {
		v = several
	}
	at[h] = v
}

// words yields the words of both sides.
func (d *Differing) words() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for _, h := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(d.U, d.V)))) {
			if !yield(h) {
				return
			}
		}
	}
}

// place is a word on one side of the pairs of one value.
type place struct {
	side  int // 0: u; 1: v
	word  uint32
	value uint64
}

// steadyOf returns the words that u, and that v, has more often in most pairs of the rule: as in a menu, and not on one
// page. Pairs of one value count as one, so that a word of the value is none of the rule. A rule of a single value may add
// words, or take some away; if it puts words in the place of others, they are those of the value.
func steadyOf(all []Looked) (steady [2]map[uint32]bool) {
	pairs, in := map[uint64]float64{}, map[place]float64{}
	var urls [2][]uint32 // words of the URLs of some pair that differs
	for i := range all {
		p := &all[i]
		if !p.First.Equal() && p.First.Differing == nil {
			continue
		}
		value := p.value()
		pairs[value]++
		if p.First.Differing == nil {
			continue
		}
		urls = [2][]uint32{p.OfU, p.OfV}
		for side, words := range [2][]uint32{p.First.Differing.U, p.First.Differing.V} {
			for _, h := range slices.Compact(slices.Clone(words)) {
				in[place{side, h, value}]++
			}
		}
	}
	share := [2]map[uint32]float64{{}, {}}
	for at, n := range in {
		share[at.side][at.word] += n / pairs[at.value] / float64(len(pairs))
	}
	steady = [2]map[uint32]bool{{}, {}}
	replaces := [2]bool{}
	for side := range share {
		for h, s := range share[side] {
			if s >= steadyShare-tiny {
				steady[side][h] = true
				replaces[side] = replaces[side] || !slices.Contains(urls[side], h)
			}
		}
	}
	if len(pairs) == 1 && replaces[0] && replaces[1] {
		return [2]map[uint32]bool{}
	}
	return steady
}

// look takes in the words that passed between two looks at a pair.
func (d *Differences) look(p *Looked) {
	ofU, ofV := p.passed()
	for _, h := range slices.Concat(ofU, ofV) {
		note(d.passed, h, p.V)
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
	case p.Second.Equal():
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
	case c.Equal():
		return Equal
	case c.Differing == nil || !d.told:
		return Untold
	}
	namesU, ownU := d.split(0, c.Differing.U, ofU)
	namesV, ownV := d.split(1, c.Differing.V, ofV)
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
func (d *Differences) split(side int, words, url []uint32) (names, own bool) {
	for _, h := range words {
		switch {
		case slices.Contains(url, h):
			names = true
		case !d.steady[side][h]:
			own = true
		}
	}
	return names, own
}

// HasOwn reports whether two looks at a pair showed words of a page's own: words that one of the two pages had at
// both looks, and the other at none. Words of the URL, words of every pair, and words that came to a page of
// the rule, or left it, between two looks are not its own. If the pages of the pair moved, such words may
// have stayed by chance: they count if most pairs that moved have them, or if what passes is new with each visit.
func (d *Differences) HasOwn(p *Looked) bool {
	stays, moved := d.stays(p)
	return stays && (!moved || d.pairs >= leastPairs && 2*d.staying >= d.moving || d.staying >= leastStaying && d.fresh)
}

// Words that pass are fresh if enough of them were seen, and none of them twice.
const (
	leastFresh   = 20 // words
	leastStaying = 2  // pairs with words that stayed, so that chance explains none
)

// isFresh reports whether the words that pass are new with each visit, as a number of visitors is. Then no word stays by
// chance, as one of a list of teasers does.
func (d *Differences) isFresh() bool {
	for h, v := range d.passed {
		if at, differs := d.at[h]; v == several || differs && at != v {
			return false
		}
	}
	return len(d.passed) >= leastFresh
}

// stays reports whether words that may be a page's own stayed between two looks at a pair, and whether others
// passed. If others passed that are not fresh, only words of no other page of the rule may be a page's own.
func (d *Differences) stays(p *Looked) (stays, moved bool) {
	first, second := p.differing()
	if first == nil {
		return false, false
	}
	passedU, passedV := p.passed()
	moved = len(passedU)+len(passedV) > 0
	isOwn := func(side int, url []uint32) func(h uint32) bool {
		return func(h uint32) bool {
			return !slices.Contains(url, h) && !d.steady[side][h] && d.passed[h] == "" && (!moved || d.fresh || d.at[h] != several)
		}
	}
	inU, _ := both(first.U, second.U)
	inV, _ := both(first.V, second.V)
	return slices.ContainsFunc(inU, isOwn(0, p.OfU)) || slices.ContainsFunc(inV, isOwn(1, p.OfV)), moved
}

// enoughMoving is the number of pairs that show what passes between two looks at the pages of a rule.
const enoughMoving = 5

// NeedsLook reports whether two pages that differ in words of their own must be looked at twice. They
// need not if they differ in no more words than pages of the rule differ from themselves.
func (d *Differences) NeedsLook(c *Compared) bool {
	return d.moving < enoughMoving || max(len(c.Differing.U), len(c.Differing.V)) > d.most
}

// Near reports whether two pages are alike, but hardly more than a threshold asks for.
func (c *Compared) Near(threshold float64) bool {
	return !c.SameText && c.Alike >= threshold && c.Alike < threshold+nearZone
}
