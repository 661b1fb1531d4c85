package params

import (
	"cmp"
	"hash/maphash"
	"unsafe"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/query"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// Options are the constants of the package comment. Zero in a number means the default.
// Similarity is used unchanged, since tolerance 0 is the paper's own test.
type Options struct {
	MinSupport int // MS: similar groups for a likely rule. Default 3 (DustBuster, section 5.2)
	MaxParams  int // a URL of more parameters is in no group. Default 32: bounds the cost of a hostile URL
	MaxValues  int // a parameter of more distinct values has no scopes by value. Default 40
	Similarity evidence.Similarity
}

// The defaults of Options.
const (
	DefaultMinSupport = 3
	DefaultMaxParams  = 32
	DefaultMaxValues  = 40
)

func (o Options) orDefaults() Options {
	o.MinSupport = cmp.Or(o.MinSupport, DefaultMinSupport)
	o.MaxParams = cmp.Or(o.MaxParams, DefaultMaxParams)
	o.MaxValues = cmp.Or(o.MaxValues, DefaultMaxValues)
	return o
}

// Index holds the parameter groups of a site's URL list and the counters of their scopes.
// An Index belongs to the goroutine that owns the list.
type Index struct {
	o    Options
	urls *urllist.List

	nameSeed maphash.Seed

	groups    []group // groups[0] is unused
	freeGroup uint32
	nodes     []node   // nodes[0] is unused
	freeRows  []uint32 // by length, the first of the free rows
	rows      []uint32 // by URL, the first of its nodes; 0: the URL is a holder in no group
	byKey     table    // groups by (n, rest)
	byRest    table    // the first group under each hash of a rest
	members   int      // nodes in use
	dirty     []uint32 // groups whose state may have changed

	counters map[key]counter
	likely   map[key]struct{} // keys with isLikely counters, before the filters of values and wider scopes
	words    words
	total    counter // over all groups

	values  map[string]*values // by name
	tracked int                // the greatest number of distinct values to count exactly
	moved   bool               // some number of distinct values may have changed since settleValues
	idle    bool               // some entry of values may have lost its demand

	rules []rule.Likely // the last list returned by Likely
	stale bool          // rules may have changed since

	q     query.Query // scratch: the current URL
	buf   []byte
	rests []restText // by name
	tally tally

	touched byte // result of early reads of memory; without meaning
}

// New returns an index over an empty list. The hashes are keyed at random, and no result
// depends on the keys.
func New(o Options, urls *urllist.List) *Index {
	o = o.orDefaults()
	return &Index{
		o: o, urls: urls,
		nameSeed: maphash.MakeSeed(),
		groups:   make([]group, 1), nodes: make([]node, 1, 16),
		byKey: newTable(), byRest: newTable(),
		counters: map[key]counter{}, likely: map[key]struct{}{}, words: newWords(),
		values: map[string]*values{}, tracked: trackedFactor * o.MaxValues,
	}
}

// Enter adds a URL of the list, which has its evidence already. O(bytes * parameters).
func (x *Index) Enter(id uint32) {
	for int(id) >= len(x.rows) {
		x.rows = append(x.rows, 0)
	}
	text := x.urls.Text(id)
	x.q.Split(text, x.o.MaxParams)
	x.addValues()
	if x.joins(x.urls.Evidence(id)) {
		x.join(id)
	}
	x.touchRests(text)
}

// Leave removes URLs. The list releases them afterwards, since Leave reads their texts.
// O(bytes) and, if a group ends, its scopes.
func (x *Index) Leave(ids ...uint32) {
	for _, id := range ids {
		x.leave(id)
	}
}

func (x *Index) leave(id uint32) {
	text := x.urls.Text(id)
	x.q.Split(text, x.o.MaxParams)
	x.removeValues()
	x.part(id)
	x.touchRests(text)
}

// Change says that the evidence of a URL was another before. O(parameters + groups whose
// rest is the URL).
func (x *Index) Change(id uint32, _ evidence.Spans) {
	text := x.urls.Text(id)
	switch is, did := x.joins(x.urls.Evidence(id)), x.rows[id] != 0; {
	case is && did:
		x.touchRow(id)
	case is != did:
		x.q.Split(text, x.o.MaxParams)
		if is {
			x.join(id)
		} else {
			x.part(id)
		}
	}
	x.touchRests(text)
}

// joins reports whether a URL with this evidence is a member of its groups: a size is
// known, or one digest.
func (x *Index) joins(e evidence.Spans) bool { return x.o.Similarity.Known(e) }

// Stats are the sizes of an index, as last settled.
type Stats struct {
	Groups      int // groups with at least one holder
	Memberships int // holders, counted in each of their groups
	Comparable  int // groups with members to compare
	Similar     int // comparable groups that are similar
	Scopes      int // drop(n, scope) counted
	Likely      int // of these, with enough support, before the filter of wider scopes
	Values      int // parameters whose distinct values are tracked
	Dirty       int // groups to be settled by the next Likely
}

// Stats returns the sizes of the index. O(1).
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

// Memory of map entries, in bytes.
const (
	counterBytes = 48
	likelyBytes  = 32 + 1<<10 // includes the memory of the rule in lists outside the index
	wordBytes    = 128
	valuesBytes  = 16 << 10 // per parameter, when the greatest number of values is counted
)

// Bytes returns the memory of the index, in bytes. O(1).
func (x *Index) Bytes() int64 {
	n := cap(x.groups)*int(unsafe.Sizeof(group{})) + cap(x.nodes)*int(unsafe.Sizeof(node{})) +
		(len(x.byKey.slots)+len(x.byRest.slots))*int(unsafe.Sizeof(slot{})) + (cap(x.rows)+cap(x.dirty))*4 +
		len(x.counters)*counterBytes + len(x.likely)*likelyBytes +
		cap(x.words.list)*int(unsafe.Sizeof(word{})) + len(x.words.ids)*wordBytes + x.words.bytes + len(x.values)*valuesBytes
	return int64(n)
}
