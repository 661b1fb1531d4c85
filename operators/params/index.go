package params

import (
	"hash/maphash"

	"dustbuster/operators/urllist"
)

// Options are the constants of section 7. Zero in a number means its default;
// Similarity is taken as it is, since tolerance 0 is the paper's own test.
type Options struct {
	MinSupport int // MS: similar groups that make a rule likely. Default 3 (DustBuster, section 5.2)
	MaxParams  int // a URL of more parameters is in no group. Default 32: it bounds what a hostile URL costs
	MaxValues  int // a parameter of more distinct values gives no scopes by value. Default 40
	Similarity urllist.Similarity
}

// The defaults of Options.
const (
	DefaultMinSupport = 3
	DefaultMaxParams  = 32
	DefaultMaxValues  = 40
)

func (o Options) orDefaults() Options {
	set := func(n *int, to int) {
		if *n == 0 {
			*n = to
		}
	}
	set(&o.MinSupport, DefaultMinSupport)
	set(&o.MaxParams, DefaultMaxParams)
	set(&o.MaxValues, DefaultMaxValues)
	return o
}

// Index holds the parameter groups of one site's URL list and the counters of
// their scopes. It belongs to the goroutine that owns the list.
type Index struct {
	o    Options
	urls *urllist.List

	restSeed, nameSeed maphash.Seed

	groups    []group // groups[0] is none
	freeGroup uint32
	nodes     []node   // nodes[0] is none
	freeRows  []uint32 // by length, the first of the free rows
	rows      []uint32 // by URL, the first of its nodes; 0: it is in no group as a holder
	byKey     table    // groups by (n, rest)
	byRest    table    // of the groups under each hash of a rest, the head
	members   int      // nodes in use
	dirty     []uint32 // groups that may have to be counted otherwise

	counters map[key]counter
	likely   map[key]struct{} // those of isLikely, whatever their number of values and wider scopes
	words    words
	total    counter // over all groups

	values  map[string]*values // by name
	tracked int                // values counted by themselves for each name, at most
	moved   bool               // some number of distinct values may have changed since settleValues
	idle    bool               // some entry of values may have lost its demand

	rules []Rule // the list last given out
	stale bool   // and it may have changed since

	q     query // scratch: the URL at hand
	buf   []byte
	tally tally
}

// New returns an index over an empty list. Its hashes are keyed anew each time;
// nothing that leaves it depends on the keys.
func New(o Options, urls *urllist.List) *Index {
	o = o.orDefaults()
	return &Index{
		o: o, urls: urls,
		restSeed: maphash.MakeSeed(), nameSeed: maphash.MakeSeed(),
		groups: make([]group, 1), nodes: make([]node, 1, 16),
		byKey: newTable(), byRest: newTable(),
		counters: map[key]counter{}, likely: map[key]struct{}{}, words: newWords(),
		values: map[string]*values{}, tracked: trackedFactor * o.MaxValues,
	}
}

// Enter takes a URL into the list, with the evidence that the caller gives the
// list right after. O(bytes * parameters).
func (x *Index) Enter(id uint32, e urllist.Evidence) {
	for int(id) >= len(x.rows) {
		x.rows = append(x.rows, 0)
	}
	text := x.urls.Text(id)
	x.q.split(text, x.o.MaxParams)
	x.addValues()
	if x.joins(e) {
		x.join(id)
	}
	x.touchRests(text)
}

// Leave takes a URL out of the list, from which the caller releases it right
// after: its text is read here once more. O(bytes) and, where a group ends, its
// scopes.
func (x *Index) Leave(id uint32) {
	text := x.urls.Text(id)
	x.q.split(text, x.o.MaxParams)
	x.removeValues()
	x.part(id)
	x.touchRests(text)
}

// Change says that a URL's evidence is another now; the caller tells the list
// right after. O(parameters + groups whose rest the URL is).
func (x *Index) Change(id uint32, e urllist.Evidence) {
	text := x.urls.Text(id)
	switch is, was := x.joins(e), x.rows[id] != 0; {
	case is && was:
		x.touchRow(id)
	case is != was:
		x.q.split(text, x.o.MaxParams)
		if is {
			x.join(id)
		} else {
			x.part(id)
		}
	}
	x.touchRests(text)
}

// joins tells whether a URL of this evidence is a member of its groups: a size
// is known, or one digest.
func (x *Index) joins(e urllist.Evidence) bool {
	if x.o.Similarity.Off || len(e.Sizes()) > 0 {
		return true
	}
	_, ok := e.Digest()
	return ok
}

// Stats are the sizes of an index, of things as they were last settled.
type Stats struct {
	Groups      int // groups with at least one holder
	Memberships int // URLs in groups as holders, each counted in each
	Comparable  int // groups with members to compare
	Similar     int // and these alike
	Scopes      int // drop(n, scope) counted
	Likely      int // of these, with enough support, wider scopes or not
	Values      int // parameters whose distinct values are followed
	Dirty       int // groups that the next Likely will look at
}

// Stats returns the index's sizes. O(1).
func (x *Index) Stats() Stats {
	return Stats{
		Groups:      x.byKey.used,
		Memberships: x.members,
		Comparable:  int(x.total.comparable),
		Similar:     int(x.total.similar),
		Scopes:      len(x.counters),
		Likely:      len(x.likely),
		Values:      len(x.values),
		Dirty:       len(x.dirty),
	}
}
