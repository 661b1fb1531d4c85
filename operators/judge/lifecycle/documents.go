package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
)

// costOf returns the number of documents requested for the look: those that were not requested a
// short time ago.
func (t *Look) costOf(m *book.Memory, s *trial.Seen, now int64) (n int) {
	asked := m.Keys.Requested(t.U, t.V, s)
	for side, document := range asked {
		again := t.Fresh && (!t.OnlyV || side > 0)
		if document != 0 && (side == 0 || document != asked[0]) && (again || !m.Has(document, now)) {
			n++
		}
	}
	return n
}
