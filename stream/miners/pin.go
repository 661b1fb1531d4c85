package miners

import (
	"context"
	"time"

	"dustbuster/stream/kafka"
)

// A site's partition is the hash of its name, modulo the number of partitions. If
// partitions are added to a topic in use, the next observations of most sites lie in other
// partitions than their earlier observations. So a member keeps the number of partitions
// from its start, and does not serve added partitions. A topic that is missing for a while,
// or has fewer partitions, was recreated. The member takes up the number of the new topic.

// pin takes in the topic's present number of partitions.
func (m *Member) pin(n int) {
	m.mu.Lock()
	grown, reported, before := 0, m.grown, m.count
	if m.count > 0 && n > m.count {
		grown = n
	} else {
		m.count = n
	}
	m.grown = grown
	another, generation := m.count != before, m.generation
	m.mu.Unlock()
	if grown > 0 && grown != reported {
		m.o.Report(Report{Partition: -1, Kind: Grown, Count: int64(grown)})
	}
	if another && generation != nil {
		generation.Expire() // its partitions are another topic's
	}
}

// partitions returns the number of partitions in use.
func (m *Member) partitions() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.count
}

// served returns the partitions of a generation to serve, and the topic's number of
// partitions. If the topic has just come back, served waits until the number is known.
func (m *Member) served(ctx context.Context, generation *kafka.Generation) (ids []int, count int) {
	assigned := generation.Partitions[m.o.Observations]
	for len(assigned) > 0 && m.partitions() == 0 && generation.Holds() && ctx.Err() == nil {
		asking, stop := context.WithTimeout(ctx, m.o.Session/4)
		if n, err := m.o.Cluster.Partitions(asking, m.o.Observations); err == nil {
			m.pin(n)
		}
		stop()
		wait(ctx, 100*time.Millisecond)
	}
	count = m.partitions()
	for _, a := range assigned {
		if a.Partition < count {
			ids = append(ids, a.Partition)
		}
	}
	return ids, count
}
