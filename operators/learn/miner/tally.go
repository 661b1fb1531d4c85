package miner

import "dustbuster/operators/window/evidence"

// tally counts the hits of a URL.
type tally struct{ hits, bytes int64 }

// count counts the observation that the table has just taken in as one hit.
func (m *Machine) count(o *evidence.Observation) {
	id := m.table.Last()
	for int(id) >= len(m.tally) {
		m.tally = append(m.tally, tally{})
	}
	m.tally[id].hits++
	m.tally[id].bytes += max(o.Max, 0)
}

// hits returns the tally of a URL.
func (m *Machine) hits(id uint32) tally {
	if int(id) < len(m.tally) {
		return m.tally[id]
	}
	return tally{}
}

// forget clears the tally of a URL that is about to leave.
func (m *Machine) forget(id uint32) {
	if int(id) < len(m.tally) {
		m.tally[id] = tally{}
	}
}

// tallies returns the tallies of pages of the window, or nil without Options.Tally.
func (m *Machine) tallies(pages []evidence.Page) []tally {
	if !m.o.Tally {
		return nil
	}
	all := make([]tally, len(pages))
	for i := range pages {
		if id, ok := m.urls.Lookup([]byte(pages[i].URL)); ok {
			all[i] = m.hits(id)
		}
	}
	return all
}
