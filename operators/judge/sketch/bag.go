package sketch

import "slices"

// MaxBag is the greatest number of words of which a Page keeps a hash each.
const MaxBag = 4096

// BagOf returns the hashes of the words and signs of a text, ascending. The hashes are those that Apart returns.
func BagOf(text []byte) []uint32 {
	sh := newShingler()
	sh.bag = &bag{}
	sh.marks = sh.bag
	sh.read(text)
	for i := range sh.bag.hashes {
		sh.bag.hashes[i] &= anyCase
	}
	return sh.bag.sorted()
}

// bag collects the hashes of words, with repetition.
type bag struct {
	hashes []uint32
	full   bool // there were more words
}

// Where what stands beside a word stands: there, around it, or in an attribute after it.
const after, before, within, attached = 1, 2, 3, 4

// bind adds a word and what stands beside it, 16 bits of the one and 14 of the other. A word is 0 if there is none.
func (b *bag) bind(word, where, what uint64) {
	if b != nil && word != 0 && what != 0 {
		b.add((word+where<<48)>>48<<48|what>>48<<32, 0)
	}
}

// add adds a word that is written in a way.
func (b *bag) add(h uint64, way uint32) {
	if len(b.hashes) == MaxBag {
		b.full = true
		return
	}
	b.hashes = append(b.hashes, uint32(h>>32)&anyCase|way)
}

func (b *bag) sorted() []uint32 {
	if b.full {
		return nil
	}
	slices.Sort(b.hashes)
	return slices.Clip(b.hashes)
}

// Differing returns the words that one bag has more often than the other, ascending: those
// of a, and those of b. A word is returned as often as the counts differ. ok is false if one
// bag is nil. O(words).
func Differing(a, b []uint32) (onlyA, onlyB []uint32, ok bool) {
	if a == nil || b == nil {
		return nil, nil, false
	}
	onlyA, onlyB = parted(a, b, anyCase)
	return onlyA, onlyB, true
}

// Apart returns the words and marks that one page has more often than the other, ascending: those of a, and those
// of b. A word with other capitals is another word. Of more than most on a side, marks are left out first. ok is false if
// the pages are not both HTML, or too little is known of them. O(words).
func Apart(a, b *Page, most int) (onlyA, onlyB []uint32, ok bool) {
	if ok = a.Bag != nil && b.Bag != nil; ok {
		onlyA, onlyB = parted(a.Bag, b.Bag, ^uint32(0))
	}
	if a.Marks != nil && b.Marks != nil {
		marksA, marksB := parted(a.Marks, b.Marks, anyCase)
		boundA, boundB := rebound(a.Bound, b.Bound, slices.Concat(marksA, marksB))
		var dataA, dataB []uint32
		if len(a.Data) > 0 && len(b.Data) > 0 && a.Data[0] == b.Data[0] {
			dataA, dataB = parted(a.Data[1:], b.Data[1:], anyCase)
		}
		onlyA, onlyB = filled(onlyA, most, marksA, boundA, dataA), filled(onlyB, most, marksB, boundB, dataB)
	}
	return onlyA, onlyB, a.HTML && b.HTML && (ok || len(onlyA)+len(onlyB) > 0)
}

// filled adds marks to words, as long as they are no more than most. Attributes may be new with each request, and must
// not take the place of words. The result is ascending.
func filled(words []uint32, most int, marks ...[]uint32) []uint32 {
	for _, some := range marks {
		words = append(words, some[:max(0, min(len(some), most-len(words)))]...)
	}
	slices.Sort(words)
	return words
}

// rebound returns what stands beside words of two pages, if beside each word another thing stands on the other page.
// Then these changed places. Marks that differ are not new.
func rebound(a, b, differ []uint32) (onlyA, onlyB []uint32) {
	onlyA, onlyB = parted(a, b, anyCase)
	known, at := map[uint32]bool{}, [2]map[uint32]bool{{}, {}}
	for _, h := range differ {
		known[h>>18] = true
	}
	for side, only := range []*[]uint32{&onlyA, &onlyB} {
		*only = slices.DeleteFunc(*only, func(h uint32) bool {
			at[side][h>>16] = at[side][h>>16] || !known[h&0xffff>>2]
			return known[h&0xffff>>2]
		})
	}
	elsewhere := func(h uint32) bool { return !at[0][h>>16] || !at[1][h>>16] }
	return slices.DeleteFunc(onlyA, elsewhere), slices.DeleteFunc(onlyB, elsewhere)
}

// parted returns the words that one of two lists has more often than the other. Only some bits are compared. Words are
// returned without the way in which they are written.
func parted(a, b []uint32, bits uint32) (onlyA, onlyB []uint32) {
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case j == len(b), i < len(a) && a[i]&bits < b[j]&bits:
			onlyA = append(onlyA, a[i]&anyCase)
			i++
		case i == len(a), b[j]&bits < a[i]&bits:
			onlyB = append(onlyB, b[j]&anyCase)
			j++
		default:
			i++
			j++
		}
	}
	return onlyA, onlyB
}

// Common returns the share of the larger bag that the other has, or 0 if a bag is nil. O(words).
func Common(a, b []uint32) float64 {
	onlyA, onlyB, ok := Differing(a, b)
	if !ok {
		return 0
	}
	return 1 - float64(max(len(onlyA), len(onlyB)))/float64(max(len(a), len(b)))
}

// DifferInMany reports whether two pages of a known resemblance differ in more than most words on one
// side. If the words of a page are not kept, the number is estimated: each word that differs is in
// Width shingles. O(words).
func DifferInMany(a, b *Page, alike float64, most int) bool {
	if a.Bag != nil && b.Bag != nil {
		onlyA, onlyB, _ := Differing(a.Bag, b.Bag)
		return max(len(onlyA), len(onlyB)) > most
	}
	words := float64(max(a.Words, b.Words))
	return words*(1-alike)/(1+alike) > float64(most*Width)
}
