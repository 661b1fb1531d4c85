package owner

import (
	"context"
	"time"

	"dustbuster/stream/kafka"
)

// A site's partition is the hash of its name, by the number of partitions. When some are
// added to a topic in use, most sites' next observations lie elsewhere than those before.
// So a member holds on to the number that it began with, and does not serve what was
// added. A topic that is away for a while, or has fewer partitions, is followed by another
// of its name, whose number is taken up.

// pin takes in the number of partitions that the topic has.
func (m *Member) pin(n int) {
	m.mu.Lock()
	grown, told, before := 0, m.grown, m.count
	if m.count > 0 && n > m.count {
		grown = n
	} else {
		m.count = n
	}
	m.grown = grown
	another, generation := m.count != before, m.generation
	m.mu.Unlock()
	if grown > 0 && grown != told {
		m.o.Report(Report{Partition: -1, Kind: Grown, Count: int64(grown)})
	}
	if another && generation != nil {
		generation.Expire() // its partitions are another topic's
	}
}

// partitions is the number of partitions that counts.
func (m *Member) partitions() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.count
}

// served is the partitions of a generation that are to be served, and how many the topic
// has. It waits until that is known, if the topic has just come back.
func (m *Member) served(ctx context.Context, generation *kafka.Generation) (ids []int, count int) {
	assigned := generation.Partitions[m.o.Observations]
	for len(assigned) > 0 && m.partitions() == 0 && generation.Holds() && ctx.Err() == nil {
		asking, stop := context.WithTimeout(ctx, m.o.Session/4)
		if n, err := m.o.Cluster.Partitions(asking, m.o.Observations); err == nil {
			m.pin(n)
		}
		<-time.After(100 * time.Millisecond)
		stop()
	}
	count = m.partitions()
	for _, a := range assigned {
		if a.Partition < count {
			ids = append(ids, a.Partition)
		}
	}
	return ids, count
}
