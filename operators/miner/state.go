package miner

import (
	"iter"

	"dustbuster/operators/table"
)

// Observations yields the site's table: whoever folds it into a new machine of
// the same options has the same machine. What is yielded is valid until the next.
func (m *Machine) Observations() iter.Seq[*table.Observation] { return m.table.Observations() }

// Unsaved yields what has changed in the table since the last call, if its
// Options.Track is set. All of it must be taken.
func (m *Machine) Unsaved() iter.Seq[*table.Observation] { return m.table.Unsaved() }

// Newest is the first second of the newest pane; false before the first
// observation.
func (m *Machine) Newest() (seconds int64, ok bool) {
	pane, ok := m.table.Newest()
	if m.o.Table.Window <= 0 {
		return 0, ok
	}
	return pane * m.o.Table.Pane, ok
}
