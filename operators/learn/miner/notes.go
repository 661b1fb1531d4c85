package miner

import (
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/window/evidence"
)

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
