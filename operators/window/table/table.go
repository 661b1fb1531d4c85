package table

import (
	"math"
	"slices"

	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/days"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// Options are the bounds of a table.
type Options struct {
	Window  int64     // seconds covered by the window, rounded up to whole panes, of which there are at most 2^32; 0: one endless pane
	Pane    int64     // seconds of a pane
	MaxURLs int       // URLs kept by a pane
	Key     [2]uint64 // of the hashes by which URLs are shed: one for a deployment
	Track   bool      // record changes for Unsaved
	Days    bool      // keep sizes by day, if the window has no end
}

// Outcome is the result of folding an observation.
type Outcome uint8

// The outcomes.
const (
	Kept        Outcome = iota
	Late                // older than the window
	Shed                // the pane has MaxURLs URLs of lower rank, or a cut leaves the URL out
	KeptInstead         // the observation is kept, and a URL of higher rank has left the pane, with all its hits there
	Outcomes            // number of outcomes
)

// Table is the fold of one site's observations over a window. A Table belongs to one
// goroutine.
type Table struct {
	o      Options
	panes  int64 // P: panes in the window
	newest int64
	state  map[int64]*pane // panes with entries
	recent *pane           // the last pane used: nearly always the next as well

	urls    *urllist.List
	days    *days.Store // nil: none are kept
	heads   []uint32    // by number: first entry + 1
	entries []entry
	free    uint32 // first of the unused entries + 1

	dirty   []dirt // by number: the lists below that hold the URL
	changed []uint32
	unsaved []uint32
	gone    int    // URLs in changed that are no longer in the window
	last    uint32 // number of the last URL kept

	cuts     []Cut // in ascending order of both members
	enrolled int   // how many times so far a URL was added to a pane
	cost     int64 // of the URLs in the list: see package budget
	tokens   int64 // of all URLs ever added to the list

	sampled    bool               // of a view, which has no panes: see Sampled
	left       leftOut            // of a view: see LeftOut
	separators urlnorm.Separators // of all URLs ever folded, including late and shed URLs
}

// dirt is the set of lists of changes that hold a URL.
type dirt uint8

const (
	inChanged dirt = 1 << iota
	inUnsaved
)

// entry is the extent of one class of answers of a URL in one pane.
type entry struct {
	next     uint32
	pane     uint32 // the low bits of the pane's number: see Table.number
	families uint32
	clients  uint16
	class    uint8
	unsaved  bool
	min, max int64 // min > max: nothing
}

func (e *entry) extent() evidence.Extent {
	return evidence.Extent{Min: e.min, Max: e.max, Clients: e.clients, Families: e.families}
}

func (e *entry) part() evidence.Part { return evidence.Part{Class: e.class, Extent: e.extent()} }

// mostPanes bounds the panes of a window, so that the low bits of a pane's number tell it from the
// others.
const mostPanes = 1 << 32

// number returns the number of an entry's pane.
func (t *Table) number(e *entry) int64 { return numberOf(e.pane, t.newest) }

// numberOf returns the number that ends with low bits, of the panes of the window with the newest
// pane.
func numberOf(low uint32, newest int64) int64 { return newest - int64(uint32(newest)-low) }

// New returns an empty table over a list of URLs. The table adds URLs to the list.
func New(o Options, urls *urllist.List) *Table {
	t := &Table{o: o, panes: math.MaxInt64, newest: math.MinInt64, state: map[int64]*pane{}, urls: urls}
	if o.Window > 0 {
		t.panes = min((o.Window+o.Pane-1)/o.Pane, mostPanes)
	} else if o.Days {
		t.days = &days.Store{}
	}
	return t
}

// Fold takes in an observation. An observation of a known URL costs a lookup and no
// allocation.
func (t *Table) Fold(o *evidence.Observation) Outcome {
	p, ok := t.paneAt(t.paneOf(o.Time))
	if !ok {
		t.separators.Add(o.URL)
		return Late
	}
	id, outcome := t.admit(p, o.URL)
	if outcome == Shed {
		return Shed
	}
	t.widen(id, p.number, o)
	t.last = id
	return outcome
}

// admit returns the number of a URL, after adding the URL to a pane unless the pane sheds it.
func (t *Table) admit(p *pane, url []byte) (id uint32, outcome Outcome) {
	hash := t.urls.Hash(url)
	id, known := t.urls.LookupHash(hash, url)
	if known && t.inPane(id, p.number) {
		return id, Kept
	}
	if !known {
		t.separators.Add(url)
	}
	if !t.admits(p, url) {
		return 0, Shed
	}
	id = t.intern(hash, url)
	if t.enroll(p, id) {
		outcome = KeptInstead
	}
	if known && t.heads[id] == 0 {
		t.gone--
	}
	return id, outcome
}

// Last returns the number of the URL of the last observation that was kept.
func (t *Table) Last() uint32 { return t.last }

// Separators returns the separators in the queries of all URLs ever folded, including URLs
// that have left the window.
func (t *Table) Separators() urlnorm.Separators { return t.separators }

// paneOf returns the number of the pane that holds a time.
func (t *Table) paneOf(time int64) int64 {
	if t.o.Window <= 0 {
		return 0
	}
	return evidence.PaneOf(time, t.o.Pane)
}

func (t *Table) widen(id uint32, pane int64, o *evidence.Observation) {
	for i := range o.Parts() {
		t.join(id, pane, o.Time, o.Part(i))
	}
}

func (t *Table) join(id uint32, pane, time int64, p evidence.Part) {
	e := t.entry(id, pane, p.Class)
	had := e.extent()
	if t.days != nil {
		t.foldDay(id, time, p, had)
	}
	t.extend(id, e, p.Extent)
}

// extend joins an extent to an entry of a URL.
func (t *Table) extend(id uint32, e *entry, by evidence.Extent) {
	had := e.extent()
	if had.Covers(by) {
		return
	}
	now := had
	now.Join(by)
	e.min, e.max, e.clients, e.families = now.Min, now.Max, now.Clients, now.Families
	if now.Min != had.Min || now.Max != had.Max {
		t.touch(id)
	}
	if t.o.Track {
		e.unsaved = true
		t.mark(id, inUnsaved, &t.unsaved)
	}
}

// entry returns a URL's entry, or a new empty entry. The entry is valid until the next
// call.
func (t *Table) entry(id uint32, pane int64, class uint8) *entry {
	for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
		if e := &t.entries[at-1]; e.pane == uint32(pane) && e.class == class {
			return e
		}
	}
	at := t.free
	if at != 0 {
		t.free = t.entries[at-1].next
	} else {
		t.entries = append(urllist.Room(t.entries), entry{})
		at = uint32(len(t.entries))
	}
	t.entries[at-1] = entry{next: t.heads[id], class: class, pane: uint32(pane), min: evidence.Nothing.Min, max: evidence.Nothing.Max}
	t.heads[id] = at
	return &t.entries[at-1]
}

// Touch reads the memory of a URL, so that a later method need not wait for it. The result has no meaning.
func (t *Table) Touch(id uint32) byte {
	if at := t.heads[id]; at != 0 {
		return byte(t.entries[at-1].class)
	}
	return 0
}

// discard frees the entries of a URL for whose pane over returns true. over gets the low bits.
func (t *Table) discard(id uint32, over func(pane uint32) bool) {
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
			if t.days != nil {
				t.days.Release(id)
			}
		}
	}
}

func (t *Table) inPane(id uint32, pane int64) bool {
	if int(id) >= len(t.heads) {
		return false
	}
	for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
		if t.entries[at-1].pane == uint32(pane) {
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

// Changed returns the numbers of URLs whose entries changed, at most so many of those that it has not
// returned since. Some of the entries may have changed back. The result is valid until the next Fold.
func (t *Table) Changed(most int) []uint32 {
	rest := max(len(t.changed)-most, 0)
	changed := t.changed[rest:]
	for _, id := range changed {
		t.dirty[id] &^= inChanged
		if t.heads[id] == 0 {
			t.gone--
		}
	}
	t.changed = t.changed[:rest]
	return changed
}

// Forgo takes back, of the changes that Changed would return, those to URLs of the window that same reports
// to be as they were, and reports whether any are left.
func (t *Table) Forgo(most int, same func(id uint32) bool) (left bool) {
	if len(t.changed) == 0 {
		return false // several may look at a settled table
	}
	rest := max(len(t.changed)-most, 0)
	all := slices.DeleteFunc(t.changed[rest:], func(id uint32) bool {
		is := t.heads[id] != 0 && same(id)
		if is {
			t.dirty[id] &^= inChanged
		}
		return is
	})
	t.changed = t.changed[:rest+len(all)]
	return len(all) > 0
}

// Unsettled returns how many URLs Changed has yet to return.
func (t *Table) Unsettled() int { return len(t.changed) }

// Gone returns how many URLs have left the window, hold a number in the list, and were not returned by
// Changed since.
func (t *Table) Gone() int { return t.gone }

// Newest returns the number of the newest pane: Unix seconds divided by the length of a
// pane. Newest returns false before the first observation.
func (t *Table) Newest() (int64, bool) { return t.newest, t.newest != math.MinInt64 }

// Sampled reports whether URLs may have been left out of the window: a pane is full, or a cut holds.
func (t *Table) Sampled() bool {
	for _, p := range t.state {
		if p.isCut || p.count >= t.o.MaxURLs {
			return true
		}
	}
	return t.sampled
}

// Has reports whether a URL is in the window.
func (t *Table) Has(id uint32) bool { return int(id) < len(t.heads) && t.heads[id] != 0 }

// Evidence appends the window's evidence of a URL's sizes and digests to e. e must be
// empty.
func (t *Table) Evidence(e evidence.Spans, id uint32) evidence.Spans {
	for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
		if p := t.entries[at-1].part(); !p.Empty() {
			e = e.Join(p.Span())
		}
	}
	return e
}

// Clients returns the mask of a URL's clients in the window.
func (t *Table) Clients(id uint32) uint16 { return t.all(id).Clients }

// Families returns the mask of the families of a URL's clients in the window.
func (t *Table) Families(id uint32) uint32 { return t.all(id).Families }

func (t *Table) all(id uint32) evidence.Extent {
	all := evidence.Nothing
	for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
		all.Join(t.entries[at-1].extent())
	}
	return all
}
