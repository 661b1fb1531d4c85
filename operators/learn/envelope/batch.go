package envelope

import (
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/urllist"
)

// Batch finds the likely pairs of sets of URLs that are known as a whole. URLs of different sets share
// no envelope, and the supports of a pair add up over the sets. The result is that of an Index for each
// set, for a fraction of the additions: most pairs are found once and never become likely, so a Batch
// first bounds the supports.
//
// The core of a pair is what is left of its sides without the tokens that both begin with and then
// without those that both end with. Two URLs with a tokens in common at the start and b at the end
// form (a+1)(b+1) pairs, and in general one core, so a pair is found in no more envelopes than its
// core. The first look at the sets counts cores by their hashes, once for each two similar URLs that
// meet in a bucket of at most T_low members. The second look counts the pairs around the cores that were
// found MS times, also for URLs that meet in larger buckets only. All URLs have entered then, so no
// bucket overflows, and no pair loses.
//
// URLs of a set of more than smallSet enter an index. In a smaller set the members of every envelope are
// few words of bits, which follow from the orders of the URLs by their first and by their last bytes
// (groups.go), so that nothing is held from one set to the next.
//
// The caller calls Bound for each set, then Bounded, then Wanted for each set in the same order, and
// Count if the set is wanted. Memory: four bytes for each URL and for each core of two URLs, the cells
// of the largest set, and the supports of the pairs around wanted cores.
type Batch struct {
	x      *Index
	found  []uint32 // for each URL, in the order of Bound: the number of its cores, and their hashes
	ends   []int    // of the sets in found
	next   int      // set of the second look
	counts sieve    // of the cores, after Bounded
	small  small    // the current set, if it is small
	limit  int      // URLs of the largest small set
	most   int64    // bytes; 0: any number
	full   bool
}

// NewBatch returns a Batch of URLs of a list. The texts and the evidence of a set must be in the list
// during Bound and Count, and be the same.
func NewBatch(o Options, urls *urllist.List) *Batch {
	x := New(o, urls)
	x.whole, x.crossed = true, nil
	return &Batch{x: x, limit: smallSet}
}

// Limit bounds the memory of the batch, in bytes. A batch that needs more gives up: see Full.
func (b *Batch) Limit(bytes int64) { b.most = bytes }

// Full reports whether the batch has given up for want of memory. Its caller must then drop it.
func (b *Batch) Full() bool {
	if b.most > 0 && !b.full {
		b.full = b.x.Bytes()+int64(4*cap(b.found)+len(b.counts.counts)) > b.most
	}
	return b.full
}

// Bound looks at a set for the first time. The URLs must differ.
func (b *Batch) Bound(ids []uint32) {
	switch {
	case len(ids) > b.limit:
		b.enter(ids, b.bound)
	case !b.Full():
		b.boundSmall(ids)
	}
	b.ends = append(b.ends, len(b.found))
}

// enter makes the URLs the members of the current set. It calls see with each of them as the subject,
// and those that entered before as the partners.
func (b *Batch) enter(ids []uint32, see func()) {
	x := b.x
	x.nextSet(len(ids))
	for k, id := range ids {
		if k%fullEvery == 0 && b.Full() {
			return
		}
		x.read(id)
		x.marks[id].counted = false
		x.begin()
		x.insert()
		see()
	}
}

// fullEvery is the number of URLs after which Full is asked.
const fullEvery = 16

// bound notes the cores of the subject with the similar partners.
func (b *Batch) bound() {
	x, m := b.x, &b.x.meet
	head := len(b.found)
	b.found = append(b.found, 0)
	similar := m.partners[:0]
	for k := range m.partners {
		id := m.partners[k].id
		if p := (partner{id: id, evidence: x.urls.Evidence(id)}); x.o.Similarity.Similar(m.evidence, p.evidence) {
			similar = append(similar, p)
		}
	}
	m.partners = similar
	x.compare(enters)
	for k := range m.partners {
		b.found = x.appendCores(b.found, &m.partners[k])
	}
	b.found[head] = uint32(len(b.found) - head - 1)
}

// far marks the core of two URLs that meet only in buckets of more than T_low members, which add nothing to the
// support that makes a pair likely. Large sets do without the mark.
const far = 1

// appendCores appends the hashes of the cores of the subject and a partner: of the middles between
// all common tokens. If these overlap in the shorter URL, as in /a/a and /a/a/a, there are several.
func (x *Index) appendCores(to []uint32, p *partner) []uint32 {
	least := min(x.u.n, p.n)
	for i := max(0, min(p.a, least-p.b)); i <= p.a; i++ {
		j := min(p.b, least-i)
		own := x.keys.side(x.middle(x.u.text, i, j), i == 0, j == 0)
		other := x.keys.side(x.middle(p.text, i, j), i == 0, j == 0)
		to = append(to, uint32(x.keys.pairOf(own, other)>>32)&^far)
	}
	return to
}

// Bounded ends the first look.
func (b *Batch) Bounded() {
	b.counts = newSieve(len(b.found))
	for rest := b.found; len(rest) > 0; {
		var cores []uint32
		_, cores, rest = ofURL(rest)
		for _, core := range cores {
			if core&far == 0 {
				b.counts.count(core)
			}
		}
	}
	for rest := b.found; len(rest) > 0; {
		head, cores, after := ofURL(rest)
		if b.wants(cores) {
			*head |= wanted
		}
		rest = after
	}
}

// wanted marks the number of the cores of a URL, after Bounded, if a pair around one of them may be likely.
const wanted = 1 << 31

// ofURL returns the number of the cores of the first URL, the cores, and those of the rest.
func ofURL(found []uint32) (head *uint32, cores, rest []uint32) {
	end := 1 + found[0]&^wanted
	return &found[0], found[1:end], found[end:]
}

// Wanted reports whether pairs of the next set may be likely. If so, the caller calls Count.
// Otherwise the set is done.
func (b *Batch) Wanted() bool {
	for rest := b.ofSet(); len(rest) > 0; {
		head, _, after := ofURL(rest)
		if *head&wanted != 0 {
			return true
		}
		rest = after
	}
	b.next++
	return false
}

// ofSet returns the cores of the next set.
func (b *Batch) ofSet() []uint32 {
	from := 0
	if b.next > 0 {
		from = b.ends[b.next-1]
	}
	return b.found[from:b.ends[b.next]]
}

// wants reports whether a pair around one of the cores may be likely.
func (b *Batch) wants(cores []uint32) bool {
	least := uint8(min(b.x.o.MinSupport, mostCounted))
	for _, core := range cores {
		if b.counts.of(core) >= least {
			return true
		}
	}
	return false
}

// Count counts the supports of the pairs of the next set: the same URLs in the same order as for Bound.
func (b *Batch) Count(ids []uint32) {
	switch {
	case len(ids) > b.limit:
		b.countLarge(ids)
	case !b.Full():
		b.countSmall(ids)
	}
	b.next++
}

func (b *Batch) countLarge(ids []uint32) {
	if len(b.ends) > 1 { // otherwise they are in the index
		b.enter(ids, func() {})
	}
	rest := b.ofSet()
	for k, id := range ids {
		if k%fullEvery == 0 && b.Full() {
			return
		}
		head, _, after := ofURL(rest)
		if rest = after; *head&wanted != 0 {
			b.count(id)
		}
		b.x.marks[id].counted = true
	}
}

// count counts the supports of the pairs of a URL with similar URLs that Count has come to before.
func (b *Batch) count(id uint32) {
	x := b.x
	x.read(id)
	x.begin()
	x.look()
	x.compare(enters)
	some := false
	for k := range x.meet.partners {
		p := &x.meet.partners[k]
		if p.gain != 0 && (!x.marks[p.id].counted || !b.wants(x.appendCores(x.ids[:0], p))) {
			p.gain = 0
		}
		some = some || p.gain != 0
	}
	if some {
		x.gather()
		x.eachBucket(enters)
		x.addAll()
	}
}

// addition is what a bucket of a Batch adds to the support of a pair: of the subject and a partner.
type addition struct {
	key       uint64
	partner   int
	i, j      int
	low, high bool
}

// addAll makes the additions of the subject. The pairs are scattered over the memory, so they are read together.
func (x *Index) addAll() {
	m := &x.meet
	for k := range x.later {
		m.touched ^= x.pairs.touch(x.later[k].key)
	}
	for _, a := range x.later {
		p := &m.partners[a.partner]
		x.add(a.key, p.gain, a.low, a.high, a.i, a.j, x.u.text, p.text)
	}
	x.later = x.later[:0]
}

// Likely returns the pairs whose support is at least MS, in no order. O(likely).
func (b *Batch) Likely() []dust.Candidate { return b.x.Likely() }
