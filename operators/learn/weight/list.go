package weight

import (
	"encoding/binary"
	"hash/maphash"

	"dustbuster/operators/rule/search"
	"dustbuster/operators/window/evidence"

	"github.com/dchest/siphash"
)

// list is the URLs of a site, by number.
type list struct {
	o       Options
	all     []evidence.Page
	numbers *search.Numbers
	hashes  []uint64         // keyed hash of each URL
	split   []evidence.Spans // of the pages that are double in a class; nil: none is
	seed    maphash.Seed
}

func newList(pages []evidence.Page, numbers *search.Numbers, o Options) *list {
	l := &list{o: o, all: pages, numbers: numbers, hashes: make([]uint64, len(pages)), seed: maphash.MakeSeed()}
	var url []byte
	for i := range pages {
		url = append(url[:0], pages[i].URL...)
		l.hashes[i] = siphash.Hash(o.Key[0], o.Key[1], url)
	}
	l.splitAll()
	return l
}

// splitAll finds the pages that are double in a class.
func (l *list) splitAll() {
	for i := range l.all {
		if split, is := l.o.Similarity.Split(&l.all[i], l.o.Days); is {
			if l.split == nil {
				l.split = make([]evidence.Spans, len(l.all))
			}
			l.split[i] = split
		}
	}
}

func (l *list) url(id uint32) string { return l.all[id].URL }

// evidence returns the evidence of a page, split if the page is double.
func (l *list) evidence(id uint32) evidence.Spans {
	if l.isDouble(id) {
		return l.split[id]
	}
	return l.all[id].Evidence
}

func (l *list) isDouble(id uint32) bool { return l.split != nil && l.split[id] != nil }

func (l *list) similar(u, v uint32) bool {
	return l.o.Similarity.Similar(l.evidence(u), l.evidence(v))
}

func (l *list) comparable(u, v uint32) bool {
	return l.o.Similarity.Comparable(l.evidence(u), l.evidence(v))
}

// add adds the pair of two URLs to the sample, if they can be compared.
func (w *Weigher) add(u, v uint32) {
	if _, ok := w.evidence(u).Common(w.evidence(v)); !ok {
		return
	}
	var both [16]byte
	binary.LittleEndian.PutUint64(both[:], w.hashes[u])
	binary.LittleEndian.PutUint64(both[8:], w.hashes[v])
	w.sample.add(pair{siphash.Hash(w.o.Key[0], w.o.Key[1], both[:]), u, v})
}
