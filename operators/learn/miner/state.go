package miner

import (
	"iter"
	"math"
	"slices"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/waste"
)

// Observations yields the site's table. A new machine with the same options that folds them
// reaches this state. An observation is valid until the next one.
func (m *Machine) Observations() iter.Seq[*evidence.Observation] { return m.table.Observations() }

// Doubles yields the URLs that are double in some class, with their split evidence. A URL is valid until the next. O(URLs).
func (m *Machine) Doubles() iter.Seq2[[]byte, evidence.Spans] {
	return m.table.Doubles(m.o.Envelope.Similarity)
}

// Unsaved yields the changes of the table since the last MarkSaved, if Options.Track is set.
func (m *Machine) Unsaved() iter.Seq[*evidence.Observation] { return m.table.Unsaved() }

// UnsavedURLs returns the number of URLs with such changes.
func (m *Machine) UnsavedURLs() int { return m.table.UnsavedURLs() }

// MarkSaved marks all observations as saved.
func (m *Machine) MarkSaved() { m.table.MarkSaved() }

// MarkUnsaved marks observations as not saved. Those that have left the window are gone.
func (m *Machine) MarkUnsaved(all iter.Seq[*evidence.Observation]) {
	for o := range all {
		m.table.MarkUnsaved(o)
	}
}

// Separators returns the separators in the queries of all the site's URLs seen by the
// machine, including URLs that have left the window.
func (m *Machine) Separators() urlnorm.Separators { return m.table.Separators() }

// Newest returns the first second of the newest pane. ok is false before the first
// observation.
func (m *Machine) Newest() (seconds int64, ok bool) {
	pane, ok := m.table.Newest()
	if m.o.Table.Window <= 0 {
		return 0, ok
	}
	return evidence.PaneStart(pane, m.o.Table.Pane), ok
}

// Span returns the time from the first hit of the window to the last, in Unix seconds, to a day or a pane. It
// is 0 where days are not kept. O(URLs).
func (m *Machine) Span() (from, until int64) {
	include := func(first, length int64) {
		if from == 0 || first < from {
			from = first
		}
		until = max(until, first+length)
	}
	if m.o.Table.Window > 0 {
		for o := range m.table.Observations() {
			include(o.Time, m.o.Table.Pane)
		}
		return from, until
	}
	days := m.table.Days()
	var of []evidence.Day
	for id := range uint32(m.urls.Len()) {
		of = days.Append(of[:0], &evidence.Page{Number: id})
		for i := range of {
			include(of[i].Number*secondsOfDay, secondsOfDay)
		}
	}
	return from, until
}

const secondsOfDay = 24 * 60 * 60

// Stats holds the sizes of a machine.
type Stats struct {
	Envelope envelope.Stats
	Params   params.Stats
}

// Stats returns the machine's sizes after the learners are updated.
func (m *Machine) Stats() Stats {
	m.settle()
	m.wake(math.MaxInt)
	s := Stats{Envelope: envelope.Stats{URLs: m.urls.Len()}}
	if m.index != nil {
		s.Envelope = m.index.Stats()
	}
	if m.params != nil {
		s.Params = m.params.Stats()
	}
	return s
}

// Sizes returns the number of URLs in the window, and of likely pairs at the last update of the
// learners. O(1).
func (m *Machine) Sizes() (urls, likely int) {
	if m.awake && m.index != nil {
		return m.table.Len(), m.index.Stats().Likely
	}
	return m.table.Len(), m.likely
}

// Envelopes counts the envelopes of figure 1 by the size of their buckets. Envelopes reads
// the whole index and is meant for diagnosis.
func (m *Machine) Envelopes() envelope.Census {
	m.settle()
	m.wake(math.MaxInt)
	if m.index == nil {
		return envelope.Census{}
	}
	return m.index.Census()
}

// Clients returns the masks of clients of the window's URLs, by the number of the URL. O(URLs).
func (m *Machine) Clients() []uint16 {
	m.settle()
	return m.masks()
}

func (m *Machine) masks() []uint16 {
	masks := make([]uint16, m.urls.Cap())
	for id := range m.urls.All() {
		masks[id] = m.table.Clients(id)
	}
	return masks
}

// Families returns the masks of families of the window's URLs, by the number of the URL. O(URLs).
func (m *Machine) Families() []uint32 {
	masks := make([]uint32, m.urls.Cap())
	for id := range m.urls.All() {
		masks[id] = m.table.Families(id)
	}
	return masks
}

// URLs returns the number of URLs in the window.
func (m *Machine) URLs() int { return m.table.Len() }

// Lines returns the number of observations taken in or refused, those of parts among them.
func (m *Machine) Lines() int { return m.kept + m.refused }

// Sampled reports whether URLs may have been left out of the window.
func (m *Machine) Sampled() bool { return m.table.Sampled() }

// Forms returns the canonical forms of the pages of a window under some rules, as package canon
// applies them, and by the notes of the window. Any goroutine may call Forms. O(bytes of the URLs).
func Forms(pages []evidence.Page, rules []rule.Rule, n *notes.Site) (*waste.Forms, error) {
	c, err := canon.Compile(rules)
	if err != nil {
		return nil, err
	}
	if contentsCaught(n) == 0 {
		return waste.FormsOf(pages, c, nil), nil
	}
	return waste.FormsOf(pages, c, n.CatchAll), nil
}

// contentsCaught returns the number of pages that a site gives for any name; 0: none is known.
func contentsCaught(n *notes.Site) int {
	for i := range n.Notes {
		if n.Notes[i].Kind == notes.CatchAll {
			return n.Notes[i].Contents
		}
	}
	return 0
}

// Told tells the waste of these forms by some rules, but for their number.
func Told(f *waste.Forms, pages []evidence.Page, families []uint32, n *notes.Site) waste.Told {
	told := waste.Told{Waste: *Waste(f, pages, families)}
	if told.Caught = f.Caught(func(page int) uint32 { return families[pages[page].Number] }); told.Caught > 0 {
		told.Contents = contentsCaught(n)
	}
	if !told.Agents() {
		told.All = f.Waste(func(int) uint32 { return 1 })[0]
	}
	return told
}

// Waste returns the waste of these forms. The families are given by the number of the URL.
func Waste(f *waste.Forms, pages []evidence.Page, families []uint32) *waste.Waste {
	return f.Waste(func(page int) uint32 { return families[pages[page].Number] })
}

// Split returns pages with the evidence of doubles split, as notes look at them: see evidence.Similarity.Split. O(pages),
// and a copy if there is a double.
func (o *Options) Split(pages []evidence.Page, days table.Days) []evidence.Page {
	all, copied := pages, false
	for i := range pages {
		if split, is := o.Envelope.Similarity.Split(&pages[i], days.Append); is {
			if !copied {
				all, copied = slices.Clone(pages), true
			}
			all[i].Evidence = split
		}
	}
	return all
}

// Notes returns what the log of a window cannot tell. The clients are given by the number of the
// URL. left is the number of further URLs of the log, of which the pages are a sample. If sizes are not
// compared, the notes are about the clients and the sample alone. Notes is a function of the arguments,
// and may be called by any goroutine. O(bytes of the URLs).
func (o *Options) Notes(pages []evidence.Page, clients []uint16, left int) *notes.Site {
	return o.notes(pages, clients, nil, leftOut{urls: left})
}

// LeftOut returns how many URLs of the log the bounds have left out of the window: see table.LeftOut.
// O(URLs).
func (m *Machine) LeftOut() int { return m.table.LeftOut() }

// leftOut is what the bounds leave out of a log.
type leftOut struct {
	urls int
	hits int64 // on these URLs; 0: not known
}

// leftOut returns what the bounds have left out. Hits that have left the window are not told from hits
// that were left out. O(URLs).
func (m *Machine) leftOut() leftOut {
	l := leftOut{urls: m.table.LeftOut()}
	if m.o.Tally && m.o.Table.Window <= 0 {
		l.hits = int64(m.kept + m.refused)
		for i := range m.tally {
			l.hits -= m.tally[i].hits
		}
	}
	return l
}

func (o *Options) notes(pages []evidence.Page, clients []uint16, tallies tallies, left leftOut) *notes.Site {
	w := o.shown(pages, tallies, left)
	w.Clients = make([]uint16, len(pages))
	for i := range pages {
		w.Clients[i] = clients[pages[i].Number]
	}
	return notes.Of(w)
}

// shown returns a window of pages as it is shown, without clients.
func (o *Options) shown(pages []evidence.Page, tallies tallies, left leftOut) *notes.Window {
	w := notes.Window{LeftOut: left.urls, LeftHits: left.hits, Pages: pages, Tolerance: o.Envelope.Similarity.Tolerance, NoSizes: o.Envelope.Similarity.Off}
	if len(tallies) > 0 {
		w.Hits = make([]int64, len(pages))
		for i := range pages {
			w.Hits[i] = tallies.of(pages[i].Number).hits
		}
	}
	return &w
}

// See returns what the log of a window of these pages shows. Any goroutine may call See. O(bytes of the
// URLs), and sorting.
func (o *Options) See(pages []evidence.Page) notes.Seen {
	return notes.See(o.shown(pages, nil, leftOut{}))
}

// Notes returns what the log of the window cannot tell. Pages are those of Reach. O(bytes of the
// URLs).
func (m *Machine) Notes() *notes.Site {
	pages := m.o.Split(m.pages(), m.table.Days())
	return m.o.notes(pages, m.Clients(), m.tally, m.leftOut())
}
