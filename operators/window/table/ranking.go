package table

import (
	"cmp"
	"container/heap"
)

// FamilyURLs is the number of URLs of a family, and of a word, that come before the surplus.
// A page seldom has more forms, and a family of more is often one page with any value.
const FamilyURLs = 64

// ranking orders the URLs of a pane for shedding.
//
// The surplus of families is last: a URL's number in its family, by place, if that is more
// than FamilyURLs, is its tier, so the families with the most URLs are cut down first, to a
// common number. The others are ordered in the same way by tiers within their best word.
// URLs of one tier are ordered by place (ranked.compare).
//
// To keep the first n URLs is a fold, since a family has one best word. With further URLs,
// the tier of a URL and the number of URLs before a URL can only grow, so what a part
// leaves out, the whole leaves out.
type ranking struct {
	families map[uint64]*family
	words    map[uint64]*word
	largest  indexed[*family] // by tier and last URL
	last     indexed[*word]   // by tier and last URL
}

// family is the URLs of a family, a heap with the last URL first.
type family struct {
	id              uint64
	urls            []ranked
	inLargest, inOf int // places in ranking.largest and word.families
}

// word is the families with one best word, the family with the last URL first.
type word struct {
	families indexed[*family]
	urls     int
	inLast   int
}

func newRanking() *ranking {
	r := &ranking{families: map[uint64]*family{}, words: map[uint64]*word{}}
	r.largest = indexed[*family]{place: func(f *family) *int { return &f.inLargest }, compare: func(a, b *family) int {
		return cmp.Or(cmp.Compare(tier(len(a.urls)), tier(len(b.urls))), a.last().compare(b.last()))
	}}
	r.last = indexed[*word]{place: func(w *word) *int { return &w.inLast }, compare: func(a, b *word) int {
		return cmp.Or(cmp.Compare(tier(a.urls), tier(b.urls)), a.last().compare(b.last()))
	}}
	return r
}

// tier returns the tier of the last of so many URLs.
func tier(urls int) int { return max(urls, FamilyURLs) }

func (f *family) last() ranked { return f.urls[0] }
func (w *word) last() ranked   { return w.families.items[0].last() }

// wordOf returns the best word of a family: the draw that begins the family's hash.
func wordOf(family uint64) uint64 { return family >> 40 }

func (r *ranking) add(id uint64, u ranked) {
	w := r.words[wordOf(id)]
	if w == nil {
		w = &word{families: indexed[*family]{place: func(f *family) *int { return &f.inOf }, compare: func(a, b *family) int {
			return a.last().compare(b.last())
		}}}
		r.words[wordOf(id)] = w
	}
	f := r.families[id]
	if f == nil {
		f = &family{id: id, urls: []ranked{u}}
		r.families[id] = f
		heap.Push(&r.largest, f)
		heap.Push(&w.families, f)
	} else {
		heap.Push(f, u)
		heap.Fix(&r.largest, f.inLargest)
		heap.Fix(&w.families, f.inOf)
	}
	if w.urls++; w.urls == 1 {
		heap.Push(&r.last, w)
	} else {
		heap.Fix(&r.last, w.inLast)
	}
}

// removeLast removes the last URL of a ranking that is not empty. O(log n).
func (r *ranking) removeLast() ranked {
	f := r.last.items[0].families.items[0]
	if r.surplus() {
		f = r.largest.items[0]
	}
	w := r.words[wordOf(f.id)]
	u := f.last()
	w.urls--
	if len(f.urls) > 1 {
		heap.Pop(f)
		heap.Fix(&r.largest, f.inLargest)
		heap.Fix(&w.families, f.inOf)
		heap.Fix(&r.last, w.inLast)
		return u
	}
	heap.Remove(&r.largest, f.inLargest)
	delete(r.families, f.id)
	if w.urls == 0 {
		heap.Remove(&r.last, w.inLast)
		delete(r.words, wordOf(f.id))
		return u
	}
	heap.Remove(&w.families, f.inOf)
	heap.Fix(&r.last, w.inLast)
	return u
}

// before reports whether a URL that is not in the ranking would come before the last URL.
func (r *ranking) before(id uint64, u ranked) bool {
	if len(r.families) == 0 {
		return false
	}
	size := 1
	if f := r.families[id]; f != nil {
		if u.compare(f.last()) < 0 {
			return true
		}
		size += len(f.urls)
	}
	if most := r.largest.items[0]; size > FamilyURLs || r.surplus() {
		return cmp.Or(cmp.Compare(tier(size), tier(len(most.urls))), u.compare(most.last())) < 0
	}
	size = 1
	if w := r.words[wordOf(id)]; w != nil {
		if u.compare(w.last()) < 0 {
			return true
		}
		size += w.urls
	}
	last := r.last.items[0]
	return cmp.Or(cmp.Compare(tier(size), tier(last.urls)), u.compare(last.last())) < 0
}

func (r *ranking) surplus() bool {
	return len(r.families) > 0 && len(r.largest.items[0].urls) > FamilyURLs
}

// surplusIn reports whether a URL would be surplus in a ranking without surplus.
func (r *ranking) surplusIn(id uint64, u ranked) bool {
	f := r.families[id]
	return f != nil && len(f.urls) >= FamilyURLs && u.compare(f.last()) > 0
}

// Memory of a ranking in bytes, with the slack of growing arrays and maps.
const (
	familyBytes = 320 // with its word
	rankedBytes = 2 * 24
)

// bytes returns the memory of a ranking of so many URLs. O(1).
func (r *ranking) bytes(urls int) int64 {
	return int64(len(r.families))*familyBytes + int64(urls)*rankedBytes
}

func (f *family) Len() int           { return len(f.urls) }
func (f *family) Less(i, j int) bool { return f.urls[i].compare(f.urls[j]) > 0 }
func (f *family) Swap(i, j int)      { f.urls[i], f.urls[j] = f.urls[j], f.urls[i] }
func (f *family) Push(x any)         { f.urls = append(f.urls, x.(ranked)) }
func (f *family) Pop() any {
	n := len(f.urls) - 1
	u := f.urls[n]
	f.urls = f.urls[:n]
	return u
}

// indexed is a heap, the greatest item first, whose items know their places.
type indexed[T any] struct {
	items   []T
	compare func(a, b T) int
	place   func(T) *int
}

func (h *indexed[T]) Len() int           { return len(h.items) }
func (h *indexed[T]) Less(i, j int) bool { return h.compare(h.items[i], h.items[j]) > 0 }
func (h *indexed[T]) Swap(i, j int) {
	h.items[i], h.items[j] = h.items[j], h.items[i]
	*h.place(h.items[i]), *h.place(h.items[j]) = i, j
}
func (h *indexed[T]) Push(x any) {
	*h.place(x.(T)) = len(h.items)
	h.items = append(h.items, x.(T))
}
func (h *indexed[T]) Pop() any {
	n := len(h.items) - 1
	x := h.items[n]
	clear(h.items[n:])
	h.items = h.items[:n]
	return x
}
