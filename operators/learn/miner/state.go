package miner

import (
	"iter"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"
)

// Observations yields the site's table. A new machine with the same options that folds them
// reaches this state. An observation is valid until the next one.
func (m *Machine) Observations() iter.Seq[*evidence.Observation] { return m.table.Observations() }

// Unsaved yields the changes of the table since the last MarkSaved, if Options.Track is set.
func (m *Machine) Unsaved() iter.Seq[*evidence.Observation] { return m.table.Unsaved() }

// MarkSaved marks all observations as saved.
func (m *Machine) MarkSaved() { m.table.MarkSaved() }

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

// Stats holds the sizes of a machine.
type Stats struct {
	Envelope envelope.Stats
	Params   params.Stats
}

// Stats returns the machine's sizes after the learners are updated.
func (m *Machine) Stats() Stats {
	m.settle()
	s := Stats{Envelope: envelope.Stats{URLs: m.urls.Len()}}
	if m.index != nil {
		s.Envelope = m.index.Stats()
	}
	if m.params != nil {
		s.Params = m.params.Stats()
	}
	return s
}

// Envelopes counts the envelopes of figure 1 by the size of their buckets. Envelopes reads
// the whole index and is meant for diagnosis.
func (m *Machine) Envelopes() envelope.Census {
	m.settle()
	if m.index == nil {
		return envelope.Census{}
	}
	return m.index.Census()
}

// Clients counts the clients of the window's URLs, for Options.Notes. O(URLs).
func (m *Machine) Clients() *notes.Clients {
	m.settle()
	c := new(notes.Clients)
	for id := range m.urls.All() {
		c.Add(m.table.Clients(id))
	}
	return c
}

// Notes returns what the log of a window cannot tell. If sizes are not compared, Notes
// returns notes about the clients alone. Notes is a function of the arguments, and may be
// called by any goroutine. O(URLs).
func (o *Options) Notes(pages []evidence.Page, clients *notes.Clients) []notes.Note {
	if o.Envelope.Similarity.Off {
		pages = nil
	}
	return notes.Of(pages, clients)
}

// Notes returns what the log of the window cannot tell. O(URLs).
func (m *Machine) Notes() []notes.Note {
	m.settle()
	var pages []evidence.Page
	for id := range m.urls.All() {
		pages = append(pages, evidence.Page{Evidence: m.urls.Evidence(id)}) // notes do not depend on texts
	}
	return m.o.Notes(pages, m.Clients())
}
