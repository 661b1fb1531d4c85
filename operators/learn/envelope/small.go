package envelope

import (
	"math/bits"

	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// smallSet is the greatest number of URLs of a set that needs no cells.
const smallSet = 1 << 8

// small is a set of at most smallSet URLs that is known as a whole. Sets of its members are bits of words, as in
// a meeting, but without a lookup: the members of an envelope are those that share i tokens at the start and j
// at the end, and have enough tokens.
type small struct {
	members  []member
	grouped  bool    // the groups are known
	cuts     []int32 // of all members
	words    int
	most     int // tokens of the longest member
	prefixes groups
	suffixes groups
	enough   []uint64 // by i+j: members of at least so many tokens
	few      []uint64 // by i+j: members of at most S tokens more; the first are real in all cells

	depth    []int    // by row: the first j of a cell of the last subject that may count
	bucket   []uint64 // the last bucket
	partners []uint64 // of the last subject: those in a bucket of at most T members
	near     []uint64 // those in a bucket of at most T_low members
	before   []int    // those partners that are before the subject in the set
}

// member is a URL of a small set.
type member struct {
	text     []byte
	cuts     []int32 // dust.AppendCuts
	evidence evidence.Spans
}

func (m *member) tokens() int { return len(m.cuts) - 1 }

// read makes URLs the members.
func (s *small) read(urls *urllist.List, ids []uint32) {
	s.members, s.cuts, s.most, s.grouped = s.members[:0], s.cuts[:0], 0, false
	s.before = s.before[:0]
	s.words = (len(ids) + 63) / 64
	for _, id := range ids {
		m := member{text: urls.Text(id), evidence: urls.Evidence(id)}
		from := len(s.cuts)
		s.cuts = dust.AppendCuts(s.cuts, m.text)
		m.cuts = s.cuts[from:]
		s.members = append(s.members, m)
		s.most = max(s.most, m.tokens())
	}
}

// group finds the groups of the members.
func (s *small) group(maxTokens int) {
	s.grouped = true
	s.enough = emptySets(s.enough, s.most+1, s.words)
	s.few = emptySets(s.few, s.most+1, s.words)
	s.bucket = emptySets(s.bucket, 1, s.words)
	for k := range s.members {
		n := s.members[k].tokens()
		put(s.enough[n*s.words:], k)
		put(s.few[max(0, n-maxTokens)*s.words:], k)
	}
	fromAbove(s.enough, s.words)
	fromBelow(s.few, s.words)
	s.suffixes.last = true
	s.prefixes.find(s)
	s.suffixes.find(s)
}

// meet finds the partners of a member. Cells before the edge do not count: each has more than T members of at most S
// tokens. If all members of a cell are in its bucket, narrower cells have no others.
func (s *small) meet(u int, o *Options) {
	p, q := s.prefixes.groupsOf(u), s.suffixes.groupsOf(u)
	n, limit := s.members[u].tokens(), max(o.BucketLow, o.BucketHigh)
	s.partners, s.near = emptySets(s.partners, 1, s.words), emptySets(s.near, 1, s.words)
	s.depth = s.depth[:0]
	edge := len(q)
	for i := range p {
		for edge = min(edge, n-i+1); edge > 0; edge-- {
			if _, real := s.meets(p[i], q[edge-1], i+edge-1, 0); real > limit {
				break
			}
		}
		from := max(edge, n-o.MaxTokens-i)
		s.depth = append(s.depth, from)
		for j := from; j < min(len(q), n-i+1); j++ {
			form, real := s.meets(p[i], q[j], i+j, i+j)
			if form == 1 {
				break
			}
			if real <= limit {
				join(s.partners, s.bucket)
			}
			if real <= o.BucketLow {
				if join(s.near, s.bucket); real == form {
					break
				}
			}
		}
	}
	s.findBefore(u)
}

// meets stores in s.bucket those members of two groups, which have so many tokens, that have at most S tokens beyond
// a number of tokens. form is the number of all members, and real of those in s.bucket.
func (s *small) meets(prefix, suffix, tokens, beyond int) (form, real int) {
	w := s.words
	if w == 1 { // nearly always
		set := s.prefixes.sets[prefix] & s.suffixes.sets[suffix] & s.enough[tokens]
		s.bucket[0] = set & s.few[beyond]
		return bits.OnesCount64(set), bits.OnesCount64(s.bucket[0])
	}
	p, q := s.prefixes.sets[prefix*w:][:w], s.suffixes.sets[suffix*w:][:w]
	enough, few, bucket := s.enough[tokens*w:][:w], s.few[beyond*w:][:w], s.bucket[:w]
	for k := range w {
		set := p[k] & q[k] & enough[k]
		form += bits.OnesCount64(set)
		set &= few[k]
		real += bits.OnesCount64(set)
		bucket[k] = set
	}
	return form, real
}

func (s *small) findBefore(u int) {
	s.before = s.before[:0]
	for k, set := range s.partners[:u/64+1] {
		if k == u/64 {
			set &= 1<<(u%64) - 1
		}
		for ; set != 0; set &= set - 1 {
			s.before = append(s.before, k*64+bits.TrailingZeros64(set))
		}
	}
}

// partner returns a member as a partner of the subject.
func (s *small) partner(u *subject, of, k int) partner {
	m := &s.members[k]
	p := partner{n: m.tokens(), text: m.text, gain: 1}
	if s.grouped {
		p.a, p.b = s.prefixes.shared(of, k), s.suffixes.shared(of, k)
	} else {
		p.a, p.b = u.shared(m.text)
	}
	return p
}

// boundSmall is Bound of a small set.
func (b *Batch) boundSmall(ids []uint32) {
	x, s := b.x, &b.small
	s.read(x.urls, ids)
	if len(ids) > x.o.BucketLow { // otherwise all are near each other
		s.group(x.o.MaxTokens)
	}
	for u := range ids {
		head := len(b.found)
		b.found = append(b.found, 0)
		if x.u.take(&s.members[u]); s.grouped {
			s.meet(u, &x.o)
		}
		for _, v := range s.before {
			b.boundPair(u, v)
		}
		if b.found[head] = uint32(len(b.found) - head - 1); !s.grouped {
			s.before = append(s.before, u)
		}
	}
}

// boundPair notes the cores of the subject and a partner.
func (b *Batch) boundPair(u, v int) {
	x, s, from := b.x, &b.small, len(b.found)
	if !x.o.Similarity.Similar(s.members[u].evidence, s.members[v].evidence) {
		return
	}
	p := s.partner(&x.u, u, v)
	b.found = x.appendCores(b.found, &p)
	if s.grouped && !has(s.near, v) {
		for k := range b.found[from:] {
			b.found[from+k] |= far
		}
	}
}

// countSmall is Count of a small set.
func (b *Batch) countSmall(ids []uint32) {
	x, s, m := b.x, &b.small, &b.x.meet
	s.read(x.urls, ids)
	s.group(x.o.MaxTokens)
	clear(m.partners)
	m.partners = m.partners[:0]
	for k := range s.members {
		m.partners = append(m.partners, partner{text: s.members[k].text, gain: 1})
	}
	m.bucket = s.bucket
	rest := b.ofSet()
	for u := range ids {
		head, _, after := ofURL(rest)
		if rest = after; *head&wanted != 0 {
			x.u.take(&s.members[u])
			s.meet(u, &x.o)
			b.countBefore(u)
		}
	}
}

// countBefore counts the supports of the pairs of the subject with similar members before it.
func (b *Batch) countBefore(u int) {
	x, s, m := b.x, &b.small, &b.x.meet
	m.alike = emptySets(m.alike, 1, s.words)
	m.maxA, m.maxB = -1, -1
	for _, v := range s.before {
		if !x.o.Similarity.Similar(s.members[u].evidence, s.members[v].evidence) {
			continue
		}
		if p := s.partner(&x.u, u, v); b.wants(x.appendCores(x.ids[:0], &p)) {
			put(m.alike, v)
			m.maxA, m.maxB = max(m.maxA, p.a), max(m.maxB, p.b)
		}
	}
	p, q := s.prefixes.groupsOf(u), s.suffixes.groupsOf(u)
	for i := 0; i <= m.maxA; i++ {
		for j := s.depth[i]; j <= min(m.maxB, x.u.n-i); j++ {
			form, real := s.meets(p[i], q[j], i+j, i+j)
			if form == 1 {
				break
			}
			x.tally(i, j, real-1, enters)
		}
	}
	x.addAll()
}
