package weight

import (
	"encoding/binary"

	"dustbuster/operators/evidence"

	"github.com/dchest/siphash"
)

// list is the URLs of a site, by number.
type list struct {
	o       Options
	all     []evidence.Page
	numbers map[string]uint32
	hashes  []uint64 // keyed hash of each URL
}

func newList(pages []evidence.Page, o Options) *list {
	l := &list{o: o, all: pages, numbers: make(map[string]uint32, len(pages)), hashes: make([]uint64, len(pages))}
	for i := range pages {
		l.numbers[pages[i].URL] = uint32(i)
		l.hashes[i] = siphash.Hash(o.Key[0], o.Key[1], []byte(pages[i].URL))
	}
	return l
}

func (l *list) url(id uint32) string              { return l.all[id].URL }
func (l *list) evidence(id uint32) evidence.Spans { return l.all[id].Evidence }

// number returns the number of a URL.
func (l *list) number(url []byte) (uint32, bool) {
	id, ok := l.numbers[string(url)]
	return id, ok
}

func (l *list) similar(u, v uint32) bool {
	return l.o.Similarity.Similar(l.evidence(u), l.evidence(v))
}

// pair returns the pair of two URLs, and reports whether the URLs can be compared.
func (l *list) pair(u, v uint32) (pair, bool) {
	if _, ok := shared(l.evidence(u), l.evidence(v)); !ok {
		return pair{}, false
	}
	var both [16]byte
	binary.LittleEndian.PutUint64(both[:], l.hashes[u])
	binary.LittleEndian.PutUint64(both[8:], l.hashes[v])
	return pair{siphash.Hash(l.o.Key[0], l.o.Key[1], both[:]), u, v}, true
}

// known reports whether a page has a size or exactly one digest.
func known(e evidence.Spans) bool {
	_, digest := e.Digest()
	return digest || len(e.Sizes()) > 0
}

// shared returns the class in which two pages are compared: evidence.Digest if both have
// one digest, and otherwise the smallest class of sizes that both have.
func shared(e, f evidence.Spans) (class uint8, ok bool) {
	if _, ok := e.Digest(); ok {
		if _, ok := f.Digest(); ok {
			return evidence.Digest, true
		}
	}
	e, f = e.Sizes(), f.Sizes()
	for i, j := 0, 0; i < len(e) && j < len(f); {
		switch {
		case e[i].Class < f[j].Class:
			i++
		case e[i].Class > f[j].Class:
			j++
		default:
			return e[i].Class, true
		}
	}
	return 0, false
}
