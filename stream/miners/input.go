package miners

import (
	"fmt"
	"strconv"
	"time"

	"dustbuster/operators/read/input"
	"dustbuster/stream/kafka"
	"dustbuster/stream/records"
)

// heard notes the partition's end, and the time of the records read.
func (p *partition) heard(b *kafka.Batch) {
	p.end.Store(b.End)
	p.read.Store(time.Now().Unix())
	if n := len(b.Records); n > 0 {
		p.written.Store(b.Records[n-1].Time.Unix())
	}
}

// Inputs describes the owned partitions in order. Their lines are observations. Any goroutine
// may call Inputs.
func (m *Member) Inputs() (all []input.State) {
	m.mu.Lock()
	generation := ""
	if m.generation != nil {
		generation = strconv.Itoa(int(m.generation.ID))
	}
	m.mu.Unlock()
	for _, p := range m.all() {
		s := p.input(m.o.Observations, time.Now())
		s.Generation = generation
		all = append(all, s)
	}
	return all
}

func (p *partition) input(topic string, now time.Time) input.State {
	s := input.State{Kind: input.Observations, Name: fmt.Sprintf("%s/%d", topic, p.id), Topic: topic, Partition: &p.id,
		Offset: p.at.Load(), ReadAt: p.read.Load()}
	counts := records.Counts{}
	if state := p.state(); state != nil {
		s.CaughtUp, counts = state.Status.CaughtUp, state.Status.Counts
	}
	counts.Describe(&s)
	end := int64(-1) // not known before the position is
	if s.Offset >= 0 {
		end = p.end.Load()
	}
	s.Lag(end, p.written.Load(), now.Unix())
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wrong != nil {
		s.Fail(p.wrong.Error(), p.failedAt.Unix())
	}
	return s
}
