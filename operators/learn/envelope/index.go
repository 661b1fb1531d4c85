package envelope

import (
	"math/rand/v2"
	"unsafe"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// Name is the learner's name in lists.
const Name = "envelope"

// About is what the learner finds, for people.
const About = "pairs of texts that replace each other"

// Options are the parameters of phase 1. The zero value of a field is not its
// default; start from [Defaults].
type Options struct {
	MaxTokens  int // S: the longest substring, in tokens
	BucketLow  int // T_low: the largest bucket that counts for the support
	BucketHigh int // T_high: the largest bucket that counts for the second support, which phase 2 compares
	MinSupport int // MS: a pair with this support is likely
	Similarity evidence.Similarity
}

// Defaults returns the paper's settings (section 6.1), with a size tolerance of 1 %.
func Defaults() Options {
	return Options{MaxTokens: 35, BucketLow: 6, BucketHigh: 11, MinSupport: 3,
		Similarity: evidence.Similarity{Tolerance: 0.01}}
}

// Index is the online form of figure 1 over the URLs of one site. An Index belongs to one
// goroutine.
type Index struct {
	o    Options
	max  int // T: the larger of the two bucket limits
	keep int // longest member list that a crowded cell keeps: at least the T+1 of a cell that has just become crowded
	grid grid

	urls  *urllist.List
	marks []mark // by number
	count int    // URLs in the index

	keys  keys
	cells table[cell]
	lists lists
	pairs table[supports]
	whole bool // all URLs have entered before supports are counted
	likely

	u        subject // scratch, like all fields below
	walk     walk
	meet     meeting
	ids      []uint32
	ids2     []uint32
	together []uint32 // members of a cell that continue with the tokens of the subject
	apart    []apart  // other members of the cell
	later    []addition
	scans    int // cells recovered in this batch of departures
	most     int // scans in a batch; more of them cost more than to build the index again

	waiting int    // URLs that Resume is to enter
	next    uint32 // the first of them that may wait, by number
}

// mark is the index's record of a URL, by number.
type mark struct {
	met     uint32 // the meeting that last noted the URL
	tokens  uint16 // of a URL in the index; 0 for other URLs
	counted bool   // Batch.Count has come to the URL
	waits   bool   // Resume is to enter the URL
}

// New returns an empty index over a list of URLs.
//
// The index reads texts and evidence from the list. The list must be up to date before
// Enter and Change. Leave must come before the list releases a URL.
func New(o Options, urls *urllist.List) *Index {
	x := &Index{o: o, urls: urls, max: max(o.BucketLow, o.BucketHigh), grid: theGrid}
	x.keep = max(1, 2*x.max)
	x.keys = keys{rand.Uint64(), rand.Uint64(), rand.Uint64(), rand.Uint64(), rand.Uint64(), rand.Uint64()}
	x.likely = newLikely()
	return x
}

// Enter adds a URL of the list to the index. The cost is a lookup for each envelope that is
// crowded or on the edge, and the work on the buckets that the URL shares with at most T
// others.
func (x *Index) Enter(id uint32) {
	x.read(id)
	x.count++
	x.begin()
	x.insert()
	x.reckon(enters)
}

// read makes a URL that enters the subject.
func (x *Index) read(id uint32) {
	x.u.read(&x.keys, id, x.urls.Text(id))
	if n := int(id) + 1 - len(x.marks); n > 0 {
		x.marks = append(x.marks, make([]mark, n)...)
	}
	x.marks[id].tokens = uint16(x.u.n)
}

// Change updates the index after a change of a URL's evidence. was is the old evidence.
func (x *Index) Change(id uint32, was evidence.Spans) {
	if x.marks[id].waits {
		return
	}
	x.u.read(&x.keys, id, x.urls.Text(id))
	x.begin()
	x.meet.was = was
	x.look()
	x.reckon(changes)
}

// slotsOfURL is the number of slots for the cells of a URL in a set that is known as a whole. Most URLs have
// one or two.
const slotsOfURL = 2

// nextSet begins another set of so many URLs. The supports stay, and the index forgets the URLs of
// earlier sets.
func (x *Index) nextSet(urls int) {
	x.cells.empty(urls)
	x.cells.reserve(slotsOfURL * urls)
	x.count, x.marks = 0, x.marks[:0]
	x.lists.forget()
}

// The memory of a likely pair, or one that has crossed MS, and of the rule made from the entry
// in the lists of other packages: emitted, refined and published rules.
const (
	likelyBytes = 128
	ruleBytes   = 1 << 10
)

// Bytes returns the memory of the index, and of the lists of the likely pairs in other
// packages. O(1).
func (x *Index) Bytes() int64 {
	n := cap(x.marks)*int(unsafe.Sizeof(mark{})) + x.cells.bytes() + x.pairs.bytes() +
		(len(x.now)+len(x.crossed))*likelyBytes + len(x.now)*ruleBytes + 4*x.text
	return int64(n + x.lists.bytes())
}
