package miner

import (
	"dustbuster/operators/envelope"
	"dustbuster/operators/params"
)

// Stats are the sizes of a machine.
type Stats struct {
	Envelope envelope.Stats
	Params   params.Stats
}

// Stats returns the machine's sizes, after what is new has been taken in.
func (m *Machine) Stats() Stats {
	m.settle()
	s := Stats{Envelope: m.index.Stats()}
	if m.params != nil {
		s.Params = m.params.Stats()
	}
	return s
}

// Envelopes counts the envelopes of figure 1, by the size of their buckets. It
// goes through the whole index, as nobody needs it but a curious person.
func (m *Machine) Envelopes() envelope.Census {
	m.settle()
	return m.index.Census()
}
