package miner

import (
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/params"
)

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
