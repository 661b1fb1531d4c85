// Package urllist holds the URLs of one site under small, dense numbers, with the known
// sizes of each page.
//
// State derived from a site's table (the envelope index, the parameter rules) refers to a
// URL by number: 4 bytes instead of the string, and an index into arrays instead of a map.
// The text is stored once, in an arena without pointers, so that a million URLs are a
// handful of objects to the garbage collector. A number is assigned when a URL is added,
// and reused only after [List.Release]. The holder of numbers therefore decides when
// numbers are reused.
//
// A List belongs to one goroutine.
package urllist

import (
	"bytes"
	"hash/maphash"
	"iter"
	"slices"
	"unsafe"

	"dustbuster/operators/window/evidence"
)

// List interns the URLs of one site.
type List struct {
	seed  maphash.Seed
	slots []slot // open addressing with linear probing; a power of two long
	urls  []url
	free  []uint32                   // released numbers
	more  map[uint32][]evidence.Span // evidence of the URLs whose number of spans is not one

	chunks  [][]byte // the arena: each URL lies within one chunk
	garbage int      // bytes of released URLs in chunks
	used    int      // bytes of URLs in chunks, garbage included
	room    int      // bytes of all chunks
}

// slot is a place of the hash table: id+1 with the hash's upper half, which tells where the search for
// the URL begins, or zero.
type slot struct {
	tag uint32
	id  uint32 // 0: free place; otherwise number + 1
}

type url struct {
	chunk, off uint32
	size       uint32 // bytes of text
	live       bool
	spans      uint16 // number of spans of evidence; a single span is stored here, others in List.more
	only       [1]evidence.Span
}

const chunkSize = 1 << 18 // bytes; small beside a large site, and a small site has one chunk of its own length

// New returns an empty list. The hash is keyed anew for each list, so no log can be written
// to collide. No output of the list depends on the key.
func New() *List {
	return &List{seed: maphash.MakeSeed(), slots: make([]slot, 16), more: map[uint32][]evidence.Span{}}
}

// Len returns the number of URLs in the list.
func (l *List) Len() int { return len(l.urls) - len(l.free) }

// Cap returns a number greater than every number assigned so far.
func (l *List) Cap() int { return len(l.urls) }

// moreBytes is the memory of an entry of List.more with two or three spans.
const moreBytes = 192

// Bytes returns the memory of the list. O(1).
func (l *List) Bytes() int64 {
	return int64(len(l.slots))*int64(unsafe.Sizeof(slot{})) + int64(cap(l.urls))*int64(unsafe.Sizeof(url{})) +
		int64(cap(l.free))*4 + int64(len(l.more))*moreBytes + int64(l.room)
}

// Intern returns the number of a URL. A new URL gets one. O(bytes).
func (l *List) Intern(text []byte) (id uint32, added bool) { return l.InternHash(l.Hash(text), text) }

// InternHash is Intern for a text whose hash is known.
func (l *List) InternHash(h uint64, text []byte) (id uint32, added bool) {
	at, found := l.find(h, text)
	if found {
		return l.slots[at].id - 1, false
	}
	if (l.Len()+1)*4 > len(l.slots)*3 {
		l.grow()
		at, _ = l.find(h, text)
	}
	id = l.number()
	l.store(id, text)
	l.slots[at] = slot{tag: tag(h), id: id + 1}
	return id, true
}

// Append adds a URL to a list of which Clear has removed all others. Neither Lookup nor Intern finds the URL, and Release
// must not be called. Append takes a third of the time of Intern.
func (l *List) Append(url string) (id uint32) {
	id = l.number()
	l.store(id, unsafe.Slice(unsafe.StringData(url), len(url)))
	return id
}

// Clear removes all URLs that were added by Append.
func (l *List) Clear() {
	clear(l.more)
	l.urls, l.used, l.room = l.urls[:0], 0, 0
	if n := len(l.chunks); n > 0 { // the last is the largest
		l.chunks = append(l.chunks[:0], l.chunks[n-1][:0])
		l.room = cap(l.chunks[0])
	}
}

// Lookup returns the number of a URL that is in the list.
func (l *List) Lookup(text []byte) (id uint32, ok bool) { return l.LookupHash(l.Hash(text), text) }

// LookupHash is Lookup for a text whose hash is known.
func (l *List) LookupHash(hash uint64, text []byte) (id uint32, ok bool) {
	at, ok := l.find(hash, text)
	return l.slots[at].id - 1, ok
}

// Hash returns the hash of a text in this list.
func (l *List) Hash(text []byte) uint64 { return maphash.Bytes(l.seed, text) }

// TouchHash reads the memory where LookupHash begins to search, as Touch does.
func (l *List) TouchHash(hash uint64) byte {
	return byte(l.slots[tag(hash)&uint32(len(l.slots)-1)].tag)
}

// Text returns the URL of a number in the list. The text is valid until the next Release
// and must not be modified.
func (l *List) Text(id uint32) []byte {
	u := &l.urls[id]
	return l.chunks[u.chunk][u.off : u.off+u.size : u.off+u.size]
}

// Touch reads the memory of a URL, so that a later method need not wait for it. The result has no meaning.
func (l *List) Touch(id uint32) byte {
	text := l.Text(id)
	if len(text) == 0 {
		return 0
	}
	return text[len(text)-1]
}

// All yields the numbers in the list in ascending order.
func (l *List) All() iter.Seq[uint32] {
	return l.Range(0, uint32(len(l.urls)))
}

// Range yields the numbers in the list from one number to before another, which is at most Cap.
func (l *List) Range(from, to uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for id := from; id < to; id++ {
			if l.urls[id].live && !yield(id) {
				return
			}
		}
	}
}

// Evidence returns the spans of the last [List.SetEvidence] of the URL, or no spans. The
// result is valid until the URL's next SetEvidence or Release and must not be modified.
func (l *List) Evidence(id uint32) evidence.Spans {
	u := &l.urls[id]
	if u.spans == 1 {
		return u.only[:]
	}
	return l.more[id]
}

// SetEvidence replaces the evidence of a URL's page. The spans are copied.
func (l *List) SetEvidence(id uint32, e evidence.Spans) {
	u := &l.urls[id]
	if u.spans > 1 {
		delete(l.more, id)
	}
	u.spans = uint16(len(e))
	switch len(e) {
	case 0:
	case 1:
		u.only[0] = e[0]
	default:
		l.more[id] = append([]evidence.Span(nil), e...)
	}
}

// Release removes a URL from the list. The URL's number may be reused. Amortized O(bytes).
func (l *List) Release(id uint32) {
	l.unslot(id)
	l.SetEvidence(id, nil)
	l.garbage += int(l.urls[id].size)
	l.urls[id] = url{}
	l.free = append(l.free, id)
	if l.garbage > l.used/2 && l.garbage > chunkSize {
		l.compact()
	}
}

// Clip gives back the room in which the list would grow, apart from that for texts. O(URLs).
func (l *List) Clip() { l.urls, l.free = Clip(l.urls), Clip(l.free) }

// Clip returns a slice, or a copy of the slice if more than a 32nd of its memory is room to grow.
func Clip[T any](s []T) []T {
	if cap(s)-len(s) > cap(s)/32 {
		return slices.Clone(s)
	}
	return s
}

// Room returns a slice with room for one more element. A slice doubles up to doublingLength, and then grows by
// half. By append alone, which adds a quarter, the arrays of 50,000 URLs leave 32 MB behind, and fresh memory took a
// sixth of the time of mine. Room copies by pieces: the collector, which cannot stop a copy, would wait and burn a processor.
func Room[T any](s []T) []T {
	n := len(s)
	if n < cap(s) {
		return s
	}
	more := n / 2
	if n < doublingLength {
		more = max(n, 1)
	}
	grown := make([]T, n, n+more)
	for at := 0; at < n; at += pieceLength {
		copy(grown[at:], s[at:min(at+pieceLength, n)])
	}
	return grown
}

const (
	doublingLength = 1 << 16
	pieceLength    = 1 << 12 // elements that are copied between two places at which the collector can stop a goroutine
)

func (l *List) number() uint32 {
	if n := len(l.free); n > 0 {
		id := l.free[n-1]
		l.free = l.free[:n-1]
		return id
	}
	l.urls = append(Room(l.urls), url{})
	return uint32(len(l.urls) - 1)
}

func (l *List) store(id uint32, text []byte) {
	last := len(l.chunks) - 1
	if last < 0 || cap(l.chunks[last])-len(l.chunks[last]) < len(text) {
		size := l.nextChunk(len(text))
		l.chunks = append(l.chunks, make([]byte, 0, size))
		l.room += size
		last++
	}
	c := l.chunks[last]
	l.chunks[last] = append(c, text...)
	l.urls[id] = url{chunk: uint32(last), off: uint32(len(c)), size: uint32(len(text)), live: true}
	l.used += len(text)
}

// nextChunk returns the size of the next chunk. Chunks grow with the site, since many hosts
// have only a handful of URLs.
func (l *List) nextChunk(need int) int {
	return max(need, min(chunkSize, max(256, l.used)))
}

// compact copies the remaining URLs into new chunks. The numbers stay.
func (l *List) compact() {
	old := l.chunks
	l.chunks, l.used, l.garbage, l.room = nil, 0, 0, 0
	for id := range l.urls {
		if u := &l.urls[id]; u.live {
			l.move(uint32(id), old[u.chunk][u.off:u.off+u.size])
		}
	}
}

// move stores the text of a URL in the current chunks.
func (l *List) move(id uint32, text []byte) {
	u := l.urls[id]
	l.store(id, text)
	l.urls[id].spans, l.urls[id].only = u.spans, u.only
}

// find returns the place of a URL, or the free place where the URL belongs.
func (l *List) find(h uint64, text []byte) (at uint32, found bool) {
	mask := uint32(len(l.slots) - 1)
	for at = tag(h) & mask; ; at = (at + 1) & mask {
		s := l.slots[at]
		if s.id == 0 {
			return at, false
		}
		if s.tag == tag(h) && bytes.Equal(l.Text(s.id-1), text) {
			return at, true
		}
	}
}

func tag(h uint64) uint32 { return uint32(h >> 32) }

func (l *List) grow() {
	old := l.slots
	l.slots = make([]slot, 2*len(old))
	mask := uint32(len(l.slots) - 1)
	for _, s := range old {
		if s.id != 0 {
			at := s.tag & mask
			for l.slots[at].id != 0 {
				at = (at + 1) & mask
			}
			l.slots[at] = s
		}
	}
}

// unslot empties a URL's place and moves back later URLs that can come closer to their own
// place (Knuth, volume 3, 6.4, algorithm R).
func (l *List) unslot(id uint32) {
	mask := uint32(len(l.slots) - 1)
	hole, _ := l.find(maphash.Bytes(l.seed, l.Text(id)), l.Text(id))
	for at := (hole + 1) & mask; l.slots[at].id != 0; at = (at + 1) & mask {
		home := l.slots[at].tag & mask
		if (at-home)&mask >= (at-hole)&mask {
			l.slots[hole] = l.slots[at]
			hole = at
		}
	}
	l.slots[hole] = slot{}
}
