package miner

import (
	"iter"

	"dustbuster/operators/evidence"
	"dustbuster/operators/mined"
)

// Observations yields the site's table: whoever folds it into a new machine of
// the same options has the same machine. What is yielded is valid until the next.
func (m *Machine) Observations() iter.Seq[*evidence.Observation] { return m.table.Observations() }

// Unsaved yields what has changed in the table since it was last taken, if its
// Options.Track is set. Whoever stops amid it is given the rest the next time.
func (m *Machine) Unsaved() iter.Seq[*evidence.Observation] { return m.table.Unsaved() }

// Separators are those in the queries of all the site's URLs that the machine has seen, also
// of URLs that have left the window.
func (m *Machine) Separators() mined.Separators { return m.table.Separators() }

// Newest is the first second of the newest pane; false before the first
// observation.
func (m *Machine) Newest() (seconds int64, ok bool) {
	pane, ok := m.table.Newest()
	if m.o.Table.Window <= 0 {
		return 0, ok
	}
	return evidence.PaneStart(pane, m.o.Table.Pane), ok
}
