package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// beyondFor is how long a partition must end before the position to be believed.
const beyondFor = 2 * time.Second

// find asks for leaders, and for offsets of partitions with an unknown position.
func (r *Reader) find(parts []*Partition) {
	topics := map[string][]*Partition{}
	for _, p := range parts {
		topics[p.topic] = append(topics[p.topic], p)
	}
	ctx, cancel := context.WithTimeout(r.ctx, 2*r.cluster.options.Timeout)
	defer cancel()
	if _, err := r.cluster.metadata(ctx, slices.Sorted(maps.Keys(topics))...); err != nil {
		r.trouble("ask for leaders", err, parts...)
		return
	}
	for topic, parts := range topics {
		var lost []*Partition
		ids := map[int32]TopicID{} // by leader
		for _, p := range parts {
			leader, err := r.cluster.leader(ctx, topic, p.number)
			if err == nil {
				err = r.identify(ctx, topic, leader, ids)
			}
			if err != nil {
				r.trouble("ask for its leader", err, p)
				continue
			}
			if r.found(p, leader, ids[leader]); p.failed == nil && p.locate { // only this goroutine changes the position while a request is under way
				lost = append(lost, p)
			}
		}
		if len(lost) > 0 {
			r.locate(ctx, topic, lost)
		}
	}
}

// identify asks a leader for a topic's id, unless it is known. Other brokers may not have heard
// yet of what the leader serves.
func (r *Reader) identify(ctx context.Context, topic string, leader int32, ids map[int32]TopicID) error {
	if _, known := ids[leader]; known {
		return nil
	}
	id, err := r.cluster.idAt(ctx, leader, topic)
	if err == nil {
		ids[leader] = id
	}
	return err
}

// found takes in a partition's leader, and the id of the leader's topic.
func (r *Reader) found(p *Partition, leader int32, id TopicID) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if p.id.Another(id) {
		p.fail(fmt.Errorf("%w: its id is %v and was %v", ErrRecreated, id, p.id))
		return
	}
	if id != (TopicID{}) {
		p.id = id
	}
	p.leader, p.denied = leader, time.Time{}
}

// locate moves the positions of some partitions of a topic into the existing ranges.
func (r *Reader) locate(ctx context.Context, topic string, parts []*Partition) {
	var numbers []int
	for _, p := range parts {
		numbers = append(numbers, p.number)
	}
	ranges, err := r.cluster.rangesOf(ctx, topic, numbers, uncommitted)
	if err != nil {
		r.trouble("ask for its offsets", err, parts...)
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, p := range parts {
		p.place(ranges[p.number])
	}
}

// place moves the position into the existing range.
func (p *Partition) place(in Range) {
	switch now := time.Now(); {
	case p.position == First:
		p.position = in.First
	case p.position == End:
		p.position = in.End
	case p.position < in.First:
		p.push(chunk{from: p.position, next: in.First, lost: in.First - p.position,
			why: fmt.Errorf("the log begins at %d now: offsets from %d are deleted (retention)", in.First, p.position)})
		p.position = in.First
	case p.position > in.End:
		if p.beyond.IsZero() {
			p.beyond = now
		}
		if now.Sub(p.beyond) < beyondFor { // a new leader may know less than it will later
			p.later(now)
			return
		}
		p.fail(fmt.Errorf("%w: position %d, end %d", ErrBeyondEnd, p.position, in.End))
	}
	p.locate = false
}

// trouble reports an error about some partitions, and decides whether it is final, or when to
// try again.
func (r *Reader) trouble(what string, err error, parts ...*Partition) {
	if r.ctx.Err() != nil {
		return
	}
	now, final := time.Now(), permanent(err)
	r.mutex.Lock()
	for _, p := range parts {
		p.leader = -1
		if !errors.Is(err, ErrNoTopic) {
			p.denied = time.Time{}
		} else if p.denied.IsZero() {
			p.denied = now
		}
		if final && (!errors.Is(err, ErrNoTopic) || now.Sub(p.denied) >= unknownFor) {
			p.fail(fmt.Errorf("%s: %w", what, err))
		} else {
			p.later(now)
		}
	}
	r.mutex.Unlock()
	r.options.OnError(fmt.Errorf("read topic %q, partition %d and %d more: %s: %w", parts[0].topic, parts[0].number, len(parts)-1, what, err))
}
