package table

import (
	"math"

	"dustbuster/operators/urllist"

	"github.com/dchest/siphash"
)

// Options are the bounds of a table.
type Options struct {
	Window  int64     // seconds that the window reaches back, rounded up to whole panes; 0: one endless pane
	Pane    int64     // seconds of a pane
	MaxURLs int       // URLs that a pane keeps
	Key     [2]uint64 // of the hash by which a flood is shed: one for a deployment
	Track   bool      // remember what has changed for Unsaved
}

// Observation is what one or more hits on a URL in one pane say. Each part is a
// fold by itself; several observations are worth as much as their union.
type Observation struct {
	URL                  []byte // mined string
	Time                 int64  // Unix seconds of any of the hits
	Class                uint8  // of the sizes; urllist.Digest: only digests were seen
	Min, Max             int64  // bytes; Max = 0: no size seen
	DigestMin, DigestMax uint64 // of the contents; DigestMax = 0: none
	ClientMin, ClientMax uint8  // keyed hashes of the clients
}

// Outcome says what became of an observation.
type Outcome uint8

// What can become of an observation.
const (
	Kept        Outcome = iota
	Late                // older than the window
	Shed                // its pane has MaxURLs URLs of smaller hash
	KeptInstead         // it is kept, and a URL of greater hash has left its pane, with all its hits there
	Outcomes            // how many there are
)

// Table is the fold of one site's observations over a window. It belongs to one
// goroutine.
type Table struct {
	o      Options
	panes  int64 // P: panes in the window
	newest int64
	state  map[int64]*pane // panes with entries
	recent *pane           // the last one used: nearly always the next as well

	urls    *urllist.List
	heads   []uint32 // by number: first entry + 1
	entries []entry
	free    uint32 // first of the unused entries + 1

	dirty   []dirt // by number: in which of the following it is
	changed []uint32
	unsaved []uint32
	gone    int // URLs in changed that are in the window no more

	cuts     []Cut // in ascending order of both members
	enrolled int   // URLs that came into a pane so far
	cost     int64 // of the URLs in the list: see package budget
	tokens   int64 // of all URLs that ever came into it
}

// dirt says which lists of changes a URL is in.
type dirt uint8

const (
	inChanged dirt = 1 << iota
	inUnsaved
)

// entry is what one class of answers of a URL in one pane had.
type entry struct {
	next                 uint32
	class                uint8
	clientMin, clientMax uint8
	unsaved              bool
	pane                 int64
	min, max             int64 // min > max: nothing
}

// New returns an empty table over a list of URLs, which it adds to.
func New(o Options, urls *urllist.List) *Table {
	t := &Table{o: o, panes: math.MaxInt64, newest: math.MinInt64, state: map[int64]*pane{}, urls: urls}
	if o.Window > 0 {
		t.panes = (o.Window + o.Pane - 1) / o.Pane
	}
	return t
}

// Fold takes in an observation. A URL that is known costs a lookup and no
// allocation.
func (t *Table) Fold(o *Observation) Outcome {
	p, ok := t.paneAt(t.paneOf(o.Time))
	if !ok {
		return Late
	}
	outcome := Kept
	id, known := t.urls.Lookup(o.URL)
	if !known || !t.inPane(id, p.number) {
		if outcome = t.makeRoom(p, o.URL); outcome == Shed {
			return Shed
		}
		id = t.intern(o.URL)
		t.enroll(p, id, o.URL)
		if known && t.heads[id] == 0 {
			t.gone--
		}
	}
	t.widen(id, p.number, o)
	return outcome
}

// paneOf is the number of the pane that holds a time.
func (t *Table) paneOf(time int64) int64 {
	if t.o.Window <= 0 {
		return 0
	}
	return PaneOf(time, t.o.Pane)
}

// PaneOf is the number of the pane that holds a time, panes being so many
// seconds long; of length 0 there is one, without end.
func PaneOf(time, length int64) int64 {
	switch {
	case length <= 0:
		return 0
	case time < 0:
		return (time+1)/length - 1
	}
	return time / length
}

// PaneStart is the first second of a pane, or of those that an int64 holds the
// nearest.
func PaneStart(pane, length int64) int64 {
	switch {
	case length <= 0:
		return 0
	case pane < math.MinInt64/length:
		return math.MinInt64
	case pane > math.MaxInt64/length:
		return math.MaxInt64
	}
	return pane * length
}

// widen folds an observation into the entries of a URL.
func (t *Table) widen(id uint32, pane int64, o *Observation) {
	if o.Class != urllist.Digest {
		low, high := o.Min, o.Max
		if high <= 0 {
			low, high = nothing.min, nothing.max
		}
		t.cover(id, pane, o.Class, low, high, o)
	}
	switch {
	case o.DigestMax != 0:
		t.cover(id, pane, urllist.Digest, ordered(o.DigestMin), ordered(o.DigestMax), o)
	case o.Class == urllist.Digest:
		t.cover(id, pane, urllist.Digest, nothing.min, nothing.max, o)
	}
}

// nothing is the interval of what was not seen.
var nothing = entry{min: math.MaxInt64, max: math.MinInt64}

// ordered is a digest as a number of the same order: whoever folds digests as
// they are, and whoever folds spans, must find the same extremes.
func ordered(digest uint64) int64 { return int64(digest ^ 1<<63) }

// digest is the inverse of ordered.
func digest(n int64) uint64 { return uint64(n) ^ 1<<63 }

func (t *Table) cover(id uint32, pane int64, class uint8, low, high int64, o *Observation) {
	e := t.entry(id, pane, class)
	wider := low < e.min || high > e.max
	if !wider && o.ClientMin >= e.clientMin && o.ClientMax <= e.clientMax {
		return
	}
	e.min, e.max = min(e.min, low), max(e.max, high)
	e.clientMin, e.clientMax = min(e.clientMin, o.ClientMin), max(e.clientMax, o.ClientMax)
	if wider {
		t.touch(id)
	}
	if t.o.Track {
		e.unsaved = true
		t.mark(id, inUnsaved, &t.unsaved)
	}
}

// entry finds a URL's entry, or makes an empty one. It is valid until the next.
func (t *Table) entry(id uint32, pane int64, class uint8) *entry {
	for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
		if e := &t.entries[at-1]; e.pane == pane && e.class == class {
			return e
		}
	}
	at := t.free
	if at != 0 {
		t.free = t.entries[at-1].next
	} else {
		t.entries = append(t.entries, entry{})
		at = uint32(len(t.entries))
	}
	t.entries[at-1] = entry{next: t.heads[id], class: class, clientMin: math.MaxUint8, pane: pane, min: nothing.min, max: nothing.max}
	t.heads[id] = at
	return &t.entries[at-1]
}

// discard frees the entries of a URL whose pane is said to be over.
func (t *Table) discard(id uint32, over func(pane int64) bool) {
	for link := &t.heads[id]; *link != 0; {
		at := *link
		e := &t.entries[at-1]
		if !over(e.pane) {
			link = &e.next
			continue
		}
		*link, e.next, t.free = e.next, t.free, at
		t.touch(id)
		if t.heads[id] == 0 {
			t.gone++
		}
	}
}

func (t *Table) inPane(id uint32, pane int64) bool {
	if int(id) >= len(t.heads) {
		return false
	}
	for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
		if t.entries[at-1].pane == pane {
			return true
		}
	}
	return false
}

func (t *Table) touch(id uint32) { t.mark(id, inChanged, &t.changed) }

func (t *Table) mark(id uint32, as dirt, list *[]uint32) {
	if t.dirty[id]&as == 0 {
		t.dirty[id] |= as
		*list = append(*list, id)
	}
}

// Changed returns the numbers of the URLs whose entries changed since the last
// call, some perhaps to what they were. Valid until the next Fold.
func (t *Table) Changed() []uint32 {
	changed := t.changed
	for _, id := range changed {
		t.dirty[id] &^= inChanged
	}
	t.changed, t.gone = t.changed[:0], 0
	return changed
}

// Gone counts the URLs that have left the window since the last call of
// Changed and still take up a number in the list.
func (t *Table) Gone() int { return t.gone }

// Newest is the newest pane, by its number: Unix seconds over the length of a
// pane; false before the first observation.
func (t *Table) Newest() (int64, bool) { return t.newest, t.newest != math.MinInt64 }

// Has tells whether a URL is in the window.
func (t *Table) Has(id uint32) bool { return int(id) < len(t.heads) && t.heads[id] != 0 }

// Evidence appends what the window knows of a URL's sizes and digests to e,
// which is empty.
func (t *Table) Evidence(e urllist.Evidence, id uint32) urllist.Evidence {
	for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
		if x := &t.entries[at-1]; x.min <= x.max {
			e = widen(e, urllist.Span{Min: x.min, Max: x.max, Class: x.class})
		}
	}
	return e
}

// widen folds a span into evidence.
func widen(e urllist.Evidence, s urllist.Span) urllist.Evidence {
	at := 0
	for at < len(e) && e[at].Class < s.Class {
		at++
	}
	if at < len(e) && e[at].Class == s.Class {
		e[at].Min, e[at].Max = min(e[at].Min, s.Min), max(e[at].Max, s.Max)
		return e
	}
	e = append(e, s)
	copy(e[at+1:], e[at:])
	e[at] = s
	return e
}

// Clients returns the smallest and the largest hash of a URL's clients.
func (t *Table) Clients(id uint32) (low, high uint8) {
	low = math.MaxUint8
	for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
		e := &t.entries[at-1]
		low, high = min(low, e.clientMin), max(high, e.clientMax)
	}
	return low, high
}

// hash is a URL's place in the order of shedding.
func (t *Table) hash(url []byte) uint64 { return siphash.Hash(t.o.Key[0], t.o.Key[1], url) }
