package agent

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"dustbuster/operators/read/input"
	"dustbuster/stream/kafka"
)

// heard notes the partition's end, and the time of the records read.
func (p *part) heard(b *kafka.Batch) {
	p.end.Store(b.End)
	p.goal.CompareAndSwap(-1, b.End)
	if n := len(b.Records); n > 0 {
		p.written.Store(b.Records[n-1].Time.Unix())
	}
}

// Inputs describes the assigned partitions in order. Any goroutine may call Inputs.
func (t *Topics) Inputs() (all []input.State) {
	for _, p := range t.texts.parts {
		s := p.input(time.Now())
		t.Describe(&s, s.Name)
		s.Generation = strconv.Itoa(int(t.texts.generation.ID))
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b input.State) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(*a.Partition, *b.Partition))
	})
	return all
}

// input describes a partition, without its lines.
func (p *part) input(now time.Time) input.State {
	s := input.State{Kind: input.Lines, Name: p.path, Topic: p.topic, Partition: &p.number, Offset: p.dealt.Load()}
	s.Lag(p.end.Load(), p.written.Load(), now.Unix())
	goal := p.goal.Load()
	s.CaughtUp = goal >= 0 && (s.Offset >= goal || goal == 0)
	return s
}
