package label

import (
	"cmp"
	"container/heap"
	"slices"

	"dustbuster/operators/judge/near"
	"dustbuster/operators/judge/sketch"
)

// Options say which texts are the same page.
type Options struct {
	near.Options       // Exact should be set: sketches alone misjudge pairs near the threshold
	Memory       int64 // bytes of the texts; 0: DefaultMemory
	Most         int   // leaders that a text is compared with; 0: DefaultMost
}

// Defaults of Options.
const (
	DefaultMemory = 1 << 30
	DefaultMost   = 16
)

// LeastWords is the number of words that a text needs for a label: short texts, such as messages of errors, are the
// same on different pages.
const LeastWords = 16

// Counts say what became of the answers that were added.
type Counts struct {
	Texts   int // contents with a text that may get a label
	Other   int // answers that are no HTML
	Short   int // of fewer words than LeastWords
	Long    int // of too many words
	Walls   int // that ask for a proof that the reader is human
	Over    int // texts left out for want of memory, at least
	Crowded int // texts that met more leaders than they were compared with
}

// Texts collects the texts of contents within a bound of memory. It is not safe for concurrent use.
type Texts struct {
	o     Options
	by    map[uint64]*content
	queue queue
	bytes int64
	limit *rank // contents of this rank and behind it are left out; nil: none
	Counts
}

// content is a content, with its text.
type content struct {
	rank
	text  *sketch.Steady
	place int   // in the queue
	group int32 // by resemblance alone
}

// rank is the place of a content in the order in which contents are left out, the last first.
type rank struct{ key, digest uint64 }

func (r rank) compare(s rank) int {
	return cmp.Or(cmp.Compare(r.key, s.key), cmp.Compare(r.digest, s.digest))
}

// NewTexts returns an empty collection. The options must be checked.
func NewTexts(o Options) *Texts {
	o.Memory, o.Most = cmp.Or(max(o.Memory, 0), DefaultMemory), cmp.Or(max(o.Most, 0), DefaultMost)
	return &Texts{o: o, by: map[uint64]*content{}}
}

// Add takes in the text of a content, found at a URL of a rank (table.Options.Rank). Of a digest that comes
// several times, the least rank counts. O(log contents).
func (t *Texts) Add(digest, key uint64, text *sketch.Steady) {
	if !t.fits(text) {
		return
	}
	c := t.by[digest]
	if c == nil {
		c = &content{rank: rank{key, digest}, text: text, place: -1}
		if t.limit != nil && c.compare(*t.limit) >= 0 {
			t.Over++
			return
		}
		t.by[digest] = c
		t.bytes += sizeOf(text)
		heap.Push(&t.queue, c)
	}
	if isBefore(text, c.text) {
		t.bytes += sizeOf(text) - sizeOf(c.text)
		c.text = text
	}
	c.key = min(c.key, key)
	heap.Fix(&t.queue, c.place)
	for t.bytes > t.o.Memory {
		last := heap.Pop(&t.queue).(*content)
		limit := last.rank
		t.limit = &limit
		delete(t.by, last.digest)
		t.bytes -= sizeOf(last.text)
		t.Over++
	}
}

// fits reports whether a text may get a label.
func (t *Texts) fits(text *sketch.Steady) bool {
	why := (*int)(nil)
	switch {
	case !text.HTML:
		why = &t.Other
	case text.Wall:
		why = &t.Walls
	case text.Words < LeastWords:
		why = &t.Short
	case text.Order == nil || text.Marks == nil:
		why = &t.Long
	default:
		return true
	}
	*why++
	return false
}

// isBefore orders the texts of one digest: servers may give bytes several types, and crawlers may err.
func isBefore(a, b *sketch.Steady) bool {
	return cmp.Or(cmp.Compare(a.Text, b.Text), slices.Compare(a.Order, b.Order), slices.Compare(a.Marks, b.Marks), slices.Compare(a.Media, b.Media)) < 0
}

// sizeOf returns about how many bytes a content takes.
func sizeOf(t *sketch.Steady) int64 {
	const fixed = 1<<10 + 500
	return fixed + 4*int64(len(t.Order)+len(t.Shingles)+len(t.Marks)+len(t.Media))
}

// queue is a heap of the contents, the one of greatest rank first.
type queue []*content

// Len, Less, Swap, Push and Pop are for container/heap.

// Len returns the number of contents.
func (q queue) Len() int { return len(q) }

// Less orders the greatest rank first.
func (q queue) Less(i, k int) bool { return q[i].compare(q[k].rank) > 0 }

// Swap swaps two contents.
func (q queue) Swap(i, k int) {
	q[i], q[k] = q[k], q[i]
	q[i].place, q[k].place = i, k
}

// Push appends a content.
func (q *queue) Push(c any) {
	c.(*content).place = len(*q)
	*q = append(*q, c.(*content))
}

// Pop removes the last content.
func (q *queue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return c
}
