package equal

import (
	"cmp"
	"math/bits"
	"slices"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// Name is the name of the learner.
const Name = "equal"

// About is what the learner finds, for people.
const About = "pairs of texts among equal pages"

// Options of the learner.
type Options struct {
	Envelope envelope.Options // of phase 1; without similarity there are no sets, and no rules
	NoRefine bool             // phase 2 is left out: all likely pairs are rules
}

// Learn returns the likely rules of the pages, in the order of [rule.Compare]. The URLs of
// the pages must differ.
//
// Learn calls stop now and then. If stop returns true, Learn returns false without result.
func Learn(o Options, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
	if o.Envelope.Similarity.Off {
		return nil, true
	}
	o.Envelope.Similarity = evidence.Similarity{Off: true}
	urls := urllist.New()
	l := learning{pages: pages, urls: urls, batch: envelope.NewBatch(o.Envelope, urls), stop: stop}
	sets := setsOf(pages)
	for _, set := range sets {
		if !l.look(set, l.batch.Bound) {
			return nil, false
		}
	}
	l.batch.Bounded()
	for _, set := range sets {
		if l.batch.Wanted() && !l.look(set, l.batch.Count) {
			return nil, false
		}
	}
	return envelope.RulesOf(Name, l.batch.Likely(), o.NoRefine), true
}

// member is a page of a set.
type member struct {
	value int64
	page  uint32 // place in the list
	class uint8
}

// set returns the set of a member.
func (m *member) set() Set { return Set{m.value, m.class} }

// manyBuckets is the greatest number of buckets in setsOf: more of them would not fit into the cache.
const manyBuckets = 1 << 16

// setsOf returns the sets of at least two pages, the pages in the order of the list. The members of a set are in
// one bucket, with few others, so that there is hardly anything to sort.
func setsOf(pages []evidence.Page) (sets [][]member) {
	f := Count(pages)
	shift := 64 - bits.Len(uint(min(len(pages), manyBuckets-1)))
	bucket := func(s Set) uint64 { return (uint64(s.Value) ^ uint64(s.Class)<<56) * 0x9e3779b97f4a7c15 >> shift }
	ends := make([]uint32, 1<<(64-shift)+1)
	for i := range pages {
		if s, ok := f.SetOf(pages[i].Evidence); ok {
			ends[bucket(s)+1]++
		}
	}
	for k := range ends[1:] {
		ends[k+1] += ends[k]
	}
	all := make([]member, ends[len(ends)-1])
	for i := range pages {
		if s, ok := f.SetOf(pages[i].Evidence); ok {
			at := &ends[bucket(s)]
			all[*at] = member{s.Value, uint32(i), s.Class}
			*at++
		}
	}
	from := uint32(0)
	for _, end := range ends[:len(ends)-1] {
		sets = appendSets(sets, all[from:end])
		from = end
	}
	return sets
}

// appendSets appends the sets of at least two members of a bucket.
func appendSets(sets [][]member, of []member) [][]member {
	slices.SortFunc(of, func(a, b member) int {
		if a.value != b.value {
			return cmp.Compare(a.value, b.value)
		}
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.page, b.page))
	})
	for len(of) > 0 {
		n := 1
		for n < len(of) && of[n].set() == of[0].set() {
			n++
		}
		if n > 1 {
			sets = append(sets, of[:n])
		}
		of = of[n:]
	}
	return sets
}

// learning is one run of Learn.
type learning struct {
	pages []evidence.Page
	urls  *urllist.List // of the current set
	batch *envelope.Batch
	ids   []uint32 // of the current set
	done  int      // URLs that were looked at
	stop  func() bool

	touched byte // without meaning
}

// stopEvery is the number of URLs between two calls of stop, about a millisecond.
const stopEvery = 256

// look makes a set the current one and looks at it.
func (l *learning) look(set []member, at func(ids []uint32)) bool {
	l.urls.Clear() // so that each set has small numbers
	l.ids = l.ids[:0]
	for _, m := range set { // the texts are scattered over the memory, so they are read together
		if url := l.pages[m.page].URL; url != "" {
			l.touched ^= url[0]
		}
	}
	for _, m := range set {
		if l.done++; l.done%stopEvery == 0 && l.stop() {
			return false
		}
		l.ids = append(l.ids, l.urls.Append(l.pages[m.page].URL))
	}
	at(l.ids)
	return true
}

// Set identifies the URLs of one size in one class, or of one digest.
type Set struct {
	Value int64
	Class uint8 // evidence.Digest: Value is a digest
}

// Frequencies counts the URLs of a list that have sizes of a class.
type Frequencies [evidence.Digest]int

// Count counts the URLs of a list.
func Count(pages []evidence.Page) (f Frequencies) {
	for i := range pages {
		for _, s := range pages[i].Evidence.Sizes() {
			f[s.Class]++
		}
	}
	return f
}

// SetOf returns the set of a URL, or false if the URL is in no set.
func (f *Frequencies) SetOf(e evidence.Spans) (Set, bool) {
	if d, ok := e.Digest(); ok {
		return Set{d, evidence.Digest}, true
	}
	sizes := e.Sizes()
	if len(sizes) == 0 {
		return Set{}, false
	}
	s := sizes[0]
	for _, other := range sizes[1:] {
		if f[other.Class] > f[s.Class] {
			s = other
		}
	}
	return Set{s.Min, s.Class}, s.Min == s.Max && s.Min > 0
}
