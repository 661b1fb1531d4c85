// Package pages makes up web pages with planted near-duplicates, whose resemblance is known
// exactly. It is for tests only.
//
// A world consists of families: a page and its variants. All pages have the same navigation
// before their text. A variant has some words of the page's text replaced, each at least
// eight words from the next and at other places than in the variants before, and some words
// added at the end. Let S be the number of shingles (of 8 words) of the page. A variant with
// c words replaced and k added shares S - 8c shingles with the page, of S + k in all, and
// two variants share S - 8(c1+c2). Words are drawn from a million, so all other shingles
// are different, but for a chance below 10^-20.
package pages

import (
	"iter"
	"math"
	"math/rand/v2"
	"strconv"
)

// World describes made-up pages. Equal Worlds have equal pages.
type World struct {
	Seed      uint64
	Documents int
	Threshold float64 // of the truth

	Navigation int // words that all pages begin with; 0: 60
	Least      int // words of a page's own text: from Least to three times as many; 0: 150
}

// Document is a page of a World.
type Document struct {
	Index       int     // in the order of All: 0, 1, 2, and so on
	Base        int     // Index of the family's first page
	Cluster     int     // least Index of the pages connected with this page by resemblances at or above the threshold
	Resemblance float64 // to the family's first page
	Body        []byte  // HTML; valid until the next page
}

// planted are the resemblances of variants to the first page of their family.
var planted = []float64{1, 1, .99, .97, .95, .93, .92, .91, .905, .895, .89, .88, .85, .8, .6, .3}

const width = 8 // words of a shingle

// variant is the difference of a variant from the first page.
type variant struct{ replaced, added int }

// All returns the pages. Families come one after the other.
func (w World) All() iter.Seq[Document] {
	if w.Navigation == 0 {
		w.Navigation = 60
	}
	if w.Least == 0 {
		w.Least = 150
	}
	return func(yield func(Document) bool) {
		g := &generator{World: w, rng: rand.New(rand.NewPCG(w.Seed, 1))}
		g.navigation = g.words(w.Navigation)
		for done := 0; done < w.Documents; {
			n := g.family(done, min(g.size(), w.Documents-done), yield)
			if n == 0 {
				return
			}
			done += n
		}
	}
}

type generator struct {
	World
	rng        *rand.Rand
	navigation []uint32
	body       []byte
}

// size returns the number of pages of the next family: half of the families have one page,
// and one in a thousand has hundreds.
func (g *generator) size() int {
	switch p := g.rng.IntN(1000); {
	case p == 0:
		return 100 + g.rng.IntN(400)
	case p < 500:
		return 1
	}
	return 2 + g.rng.IntN(6)
}

// family yields a family, and returns the number of its pages; 0 if no more are wanted.
func (g *generator) family(first, n int, yield func(Document) bool) int {
	text := g.words(g.Least + g.rng.IntN(2*g.Least))
	shingles := len(g.navigation) + len(text) - width + 1
	variants := make([]variant, n)
	places := 0 // of replaced words, used up
	for i := 1; i < n; i++ {
		variants[i] = g.variant(shingles, (len(text)-width)/width-places)
		places += variants[i].replaced
	}
	clusters := clustersOf(shingles, variants, g.Threshold)
	place := 0
	for i, v := range variants {
		g.page(text, v, place, i%2 == 1)
		place += v.replaced
		d := Document{Index: first + i, Base: first, Cluster: first + clusters[i], Resemblance: resemblance(shingles, variant{}, v), Body: g.body}
		if !yield(d) {
			return 0
		}
	}
	return n
}

// variant draws a variant near to one of the planted resemblances.
func (g *generator) variant(shingles, places int) (v variant) {
	want := planted[g.rng.IntN(len(planted))]
	s := float64(shingles)
	if g.rng.IntN(2) == 0 { // (S - 8c) / (S + 8c) = want
		v.replaced = min(int(s*(1-want)/(1+want)/width), max(0, places))
	}
	shared := s - float64(width*v.replaced)
	v.added = max(0, int(math.Round(shared/want-s-float64(width*v.replaced))))
	return v
}

// resemblance returns the Jaccard coefficient of two variants of a page with S shingles.
func resemblance(shingles int, a, b variant) float64 {
	shared := shingles - width*(a.replaced+b.replaced)
	union := shingles + a.added + shingles + b.added - shared
	return float64(shared) / float64(union)
}

// clustersOf returns the first variant that each variant is connected with.
func clustersOf(shingles int, variants []variant, threshold float64) []int {
	cluster := make([]int, len(variants))
	for i := range variants {
		cluster[i] = i
		for j := range i {
			same := variants[i] == variant{} && variants[j] == variant{}
			if !same && resemblance(shingles, variants[j], variants[i]) < threshold {
				continue
			}
			from, to := max(cluster[i], cluster[j]), min(cluster[i], cluster[j])
			for k := range i + 1 {
				if cluster[k] == from {
					cluster[k] = to
				}
			}
		}
	}
	return cluster
}

// page writes a variant. Pages of equal words may differ in their markup.
func (g *generator) page(text []uint32, v variant, place int, plain bool) {
	g.body = append(g.body[:0], "<!DOCTYPE html><html><body><nav>"...)
	g.write(g.navigation)
	if plain {
		g.body = append(g.body, "</nav><p>"...)
	} else {
		g.body = append(g.body, "</nav><div class=text>"...)
	}
	from := width * (place + 1)
	to := from + width*v.replaced
	for i, word := range text {
		if i >= from && i < to && (i-from)%width == 0 {
			word = g.word() + 1<<20 // no word of the text
		}
		g.writeWord(word)
	}
	g.write(g.words(v.added))
	g.body = append(g.body, "</body></html>\n"...)
}

func (g *generator) write(words []uint32) {
	for _, w := range words {
		g.writeWord(w)
	}
}

func (g *generator) writeWord(word uint32) {
	g.body = append(strconv.AppendUint(g.body, uint64(word), 36), ' ')
}

func (g *generator) words(n int) []uint32 {
	words := make([]uint32, n)
	for i := range words {
		words[i] = g.word()
	}
	return words
}

func (g *generator) word() uint32 { return g.rng.Uint32N(1 << 20) }
