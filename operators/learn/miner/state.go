package miner

import (
	"iter"

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
