package envelope

import (
	"math/bits"
	"slices"

	"dustbuster/operators/window/evidence"
)

// meeting is the subject among the URLs that share with it a bucket that counts.
type meeting struct {
	evidence evidence.Spans // of the subject, after the change
	was      evidence.Spans // of the subject, before the change
	partners []partner
	number   uint32
	maxA     int
	maxB     int
	touched  byte // result of early reads of memory; without meaning
	words    int  // length of a set

	// Sets of partners, words numbers each. A bucket is the intersection of four sets: the
	// partners that share i tokens at the start, that share j at the end, that have enough
	// tokens, and that have at most S tokens beyond.
	byPrefix, bySuffix, enough, few []uint64
	alike                           []uint64 // partners whose pair with the subject gains or loses
	bucket                          []uint64

	// The members of the last listed bucket whose own pairs are counted.
	listed  []uint64
	members []int    // partners
	similar []two    // of members
	sides   []uint64 // by member: hash of its middle
	found   []uint64 // by similar two: key of their pair
}

// two is a pair of members of a bucket.
type two struct{ first, second int }

// partner is another URL in the meeting.
type partner struct {
	id       uint32
	n        int // tokens
	a, b     int // tokens common to the partner and the subject, at the start and at the end
	text     []byte
	evidence evidence.Spans
	gain     int // +1, -1 or 0: contribution of a bucket to the support of the pair
}

func (x *Index) begin() {
	m := &x.meet
	m.evidence = x.urls.Evidence(x.u.id)
	clear(m.partners) // evidence would keep the memory that the list had before it grew
	m.partners, m.listed = m.partners[:0], m.listed[:0]
	x.walk.small = x.walk.small[:0]
	if m.number++; m.number == 0 {
		for id := range x.marks {
			x.marks[id].met = 0
		}
		m.number = 1
	}
	x.note(x.u.id)
}

// note reports whether a URL is met for the first time.
func (x *Index) note(id uint32) bool {
	k := &x.marks[id]
	fresh := k.met != x.meet.number
	k.met = x.meet.number
	return fresh
}

// meetMembers notes the members of a cell, if its bucket can count with the subject inside:
// the cell is outside the crowd, or crowded by URLs whose middles are too long. others is the
// size of the bucket without the subject.
func (x *Index) meetMembers(c *cell, of at, crowded bool, others int) {
	if crowded {
		if others > x.max || c.know == nobody || !x.real(x.u.n, of) {
			return
		}
		x.walk.small = append(x.walk.small, of)
	}
	x.ids = x.lists.appendTo(x.ids[:0], c.list, c.listed())
	for _, v := range x.ids {
		if x.note(v) {
			x.meet.partners = append(x.meet.partners, partner{id: v})
		}
	}
}

// change is the change of the subject.
type change int

const (
	leaves  change = -1
	changes change = 0
	enters  change = +1
)

// reckon updates the supports for the change of the subject.
func (x *Index) reckon(what change) {
	if len(x.meet.partners) == 0 {
		return
	}
	changed := x.compare(what)
	if what == changes && !changed {
		return
	}
	x.gather()
	x.eachBucket(what)
}

// compare examines every partner, and reports whether the pair with any partner gains or
// loses. The partners are scattered over the memory. Their data is read in rounds, so that
// the processor can wait for many reads at once.
func (x *Index) compare(what change) (changed bool) {
	m := &x.meet
	for k := range m.partners {
		p := &m.partners[k]
		p.n, p.text, p.evidence = int(x.marks[p.id].tokens), x.urls.Text(p.id), x.urls.Evidence(p.id)
	}
	for k := range m.partners {
		if text := m.partners[k].text; len(text) > 0 {
			m.touched ^= text[len(text)-1]
		}
	}
	m.maxA, m.maxB = 0, 0
	for k := range m.partners {
		p := &m.partners[k]
		p.a, p.b = x.u.shared(p.text)
		p.gain = x.gain(p, what)
		changed = changed || p.gain != 0
		m.maxA, m.maxB = max(m.maxA, p.a), max(m.maxB, p.b)
	}
	return changed
}

func (x *Index) gain(p *partner, what change) int {
	similar := x.o.Similarity.Similar
	now := 0
	if similar(x.meet.evidence, p.evidence) {
		now = 1
	}
	if what != changes {
		return now * int(what)
	}
	if similar(x.meet.was, p.evidence) {
		now--
	}
	return now
}

func (x *Index) gather() {
	m := &x.meet
	m.words = (len(m.partners) + 63) / 64
	long := m.maxA + m.maxB
	m.byPrefix = m.empty(m.byPrefix, m.maxA)
	m.bySuffix = m.empty(m.bySuffix, m.maxB)
	m.enough = m.empty(m.enough, long)
	m.few = m.empty(m.few, long)
	m.alike = m.empty(m.alike, 0)
	m.bucket = m.empty(m.bucket, 0)
	for k := range m.partners {
		p := &m.partners[k]
		m.put(m.byPrefix, p.a, k)
		m.put(m.bySuffix, p.b, k)
		m.put(m.enough, min(p.n, long), k)
		if least := max(0, p.n-x.o.MaxTokens); least <= long {
			m.put(m.few, least, k)
		}
		if p.gain != 0 {
			m.put(m.alike, 0, k)
		}
	}
	fromAbove(m.byPrefix, m.words)
	fromAbove(m.bySuffix, m.words)
	fromAbove(m.enough, m.words)
	fromBelow(m.few, m.words)
}

// empty returns last+1 empty sets.
func (m *meeting) empty(sets []uint64, last int) []uint64 { return emptySets(sets, last+1, m.words) }

func (m *meeting) put(sets []uint64, set, k int) { put(sets[set*m.words:], k) }

// emptySets returns so many empty sets of so many words.
func emptySets(sets []uint64, count, words int) []uint64 {
	n := count * words
	sets = slices.Grow(sets[:0], n)[:n]
	clear(sets)
	return sets
}

func put(set []uint64, k int) { set[k/64] |= 1 << (k % 64) }

func has(set []uint64, k int) bool { return set[k/64]>>(k%64)&1 != 0 }

// join joins a set to another, fromAbove all later sets to each set, and fromBelow all earlier sets.
func join(to, set []uint64) {
	for k := range set {
		to[k] |= set[k]
	}
}

func fromAbove(sets []uint64, words int) {
	for i := len(sets) - words - 1; i >= 0; i-- {
		sets[i] |= sets[i+words]
	}
}

func fromBelow(sets []uint64, words int) {
	for i := words; i < len(sets); i++ {
		sets[i] |= sets[i-words]
	}
}

// meets stores in m.bucket the partners in the bucket (i, j). form is the number of
// partners of the form, whatever the length of their middle. real is the number of partners
// in the bucket.
func (m *meeting) meets(i, j int) (form, real int) {
	w := m.words
	for k := range w {
		set := m.byPrefix[i*w+k] & m.bySuffix[j*w+k] & m.enough[(i+j)*w+k]
		form += bits.OnesCount64(set)
		set &= m.few[(i+j)*w+k]
		real += bits.OnesCount64(set)
		m.bucket[k] = set
	}
	return form, real
}
