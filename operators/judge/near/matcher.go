package near

import "dustbuster/operators/judge/sketch"

// Matcher compares the documents that share a key, and joins near-duplicates. The zero
// values of the other fields are ready. A Matcher is not safe for concurrent use.
type Matcher struct {
	Forest *Forest
	Load   func(doc uint32) (*sketch.Page, error) // the page stays valid
	Alike  func(a, b *sketch.Page) bool
	Most   int // documents of a bucket that a further document is compared with; 0: DefaultMost

	Counts
	key    uint64
	seen   int // documents of the bucket
	bucket []held
	twins  bool // two documents of the bucket may be of one cluster
	unlike unlike
}

// DefaultMost is the default of Matcher.Most.
const DefaultMost = 64

// Counts are what a Matcher did.
type Counts struct {
	Buckets  int64 // keys of at least two documents
	Compared int64 // comparisons of two documents; few pairs are compared twice
	Joined   int64 // comparisons that joined two clusters
	Crowded  int64 // documents that were in none of the clusters of a bucket that they were compared with, while the bucket had more
	LeftOut  int64 // comparisons of these documents that were not made
}

// held is a document of the bucket. Its page is loaded when needed.
type held struct {
	doc  uint32
	page *sketch.Page
}

// Add adds a document with one of its keys. Calls must come in the order of keys. A document
// is compared with the documents of the same key that are of other clusters, at most Most.
// O(Most) comparisons.
func (m *Matcher) Add(key uint64, doc uint32) error {
	if m.seen == 0 || key != m.key {
		m.key, m.seen, m.twins = key, 0, false
		clear(m.bucket)
		m.bucket = m.bucket[:0]
	}
	if m.seen == 1 {
		m.Buckets++
	}
	next := held{doc: doc}
	joined, err := m.compare(&next)
	if err != nil {
		return err
	}
	if most := m.most(); len(m.bucket) == most {
		if joined || m.twins {
			m.thin()
		}
		if !joined {
			m.Crowded++
			m.LeftOut += int64(m.seen - most)
		}
	}
	if len(m.bucket) < m.most() {
		m.bucket = append(m.bucket, next)
		m.twins = m.twins || joined
	}
	m.seen++
	return nil
}

func (m *Matcher) most() int {
	if m.Most <= 0 {
		return DefaultMost
	}
	return m.Most
}

// compare compares a document with the bucket, and reports whether one of its cluster is
// there.
func (m *Matcher) compare(next *held) (joined bool, err error) {
	for i := range m.bucket {
		other := &m.bucket[i]
		if m.Forest.Find(other.doc) == m.Forest.Find(next.doc) {
			joined = true
			continue
		}
		if m.unlike.has(other.doc, next.doc) {
			continue
		}
		if err := m.load(other); err != nil {
			return false, err
		}
		if err := m.load(next); err != nil {
			return false, err
		}
		m.Compared++
		if m.Alike(other.page, next.page) {
			m.Forest.Join(other.doc, next.doc)
			m.Joined++
			joined = true
		} else {
			m.unlike.add(other.doc, next.doc, m.Forest.Len())
		}
	}
	return joined, nil
}

func (m *Matcher) load(h *held) (err error) {
	if h.page == nil {
		h.page, err = m.Load(h.doc)
	}
	return err
}

// thin keeps one document of each cluster in the bucket.
func (m *Matcher) thin() {
	kept := m.bucket[:0]
	for _, h := range m.bucket {
		known := false
		for _, k := range kept {
			known = known || m.Forest.Find(k.doc) == m.Forest.Find(h.doc)
		}
		if !known {
			kept = append(kept, h)
		}
	}
	clear(m.bucket[len(kept):])
	m.bucket, m.twins = kept, false
}

// unlike remembers pairs of documents that are not alike, since such a pair may share many
// keys. A pair may be forgotten in favor of another.
type unlike []uint64 // pairs by their hash; 0: none

// A table has some places for each document, and at most 8 MiB.
const (
	unlikePlaces = 64
	mostUnlike   = 1 << 20
)

func (u *unlike) add(a, b uint32, documents int) {
	if *u == nil {
		*u = make(unlike, min(unlikePlaces*documents, mostUnlike))
	}
	pair := pairOf(a, b)
	(*u)[mix(pair)%uint64(len(*u))] = pair
}

func (u unlike) has(a, b uint32) bool {
	pair := pairOf(a, b)
	return len(u) > 0 && u[mix(pair)%uint64(len(u))] == pair
}

// pairOf returns a number for a pair, which is not 0.
func pairOf(a, b uint32) uint64 { return uint64(min(a, b))<<32 | uint64(max(a, b)) }

// mix is the finalizer of MurmurHash3, a permutation of 64 bits.
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
