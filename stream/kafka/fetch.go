package kafka

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/fetch"
)

// soon is how long a broker may hold a request that leaves out partitions for want of room.
// They may be wanted at any moment.
const soon = 20 * time.Millisecond

// fetch asks one broker for the partitions led by the broker.
func (r *Reader) fetch(node int32, parts []*Partition, left bool) {
	r.mutex.Lock()
	req, parts := r.request(parts, left)
	r.mutex.Unlock()
	answers, err := r.roundTrip(node, req)
	if err != nil {
		r.trouble(fmt.Sprintf("fetch from broker %d", node), err, parts...)
		return
	}
	for n, p := range parts {
		i := slices.IndexFunc(answers, func(f fetched) bool { return f.topic == p.topic && int(f.partition) == p.number })
		if i >= 0 { // otherwise the broker is throttling this client
			r.received(p, answers[i], n == 0)
		}
	}
}

// request asks for the partitions in turn. A partition whose last answer was empty short of
// its end comes first: a broker always returns a batch of the first partition with records.
// If the answer is empty again, the partition has a hole, or its remote storage is slow.
// Partitions after the first may come back empty only because the response was full.
func (r *Reader) request(parts []*Partition, left bool) (*fetch.Request, []*Partition) {
	slices.SortFunc(parts, func(a, b *Partition) int {
		return cmp.Or(strings.Compare(a.topic, b.topic), a.number-b.number)
	})
	r.turn++
	at := r.turn % len(parts)
	if i := slices.IndexFunc(parts, func(p *Partition) bool { return p.empty }); i >= 0 {
		at = i
	}
	parts = append(slices.Clone(parts[at:]), parts[:at]...)
	wait := maxWait
	if left {
		wait = min(wait, soon)
	}
	req := &fetch.Request{
		ReplicaID: -1, SessionEpoch: -1, IsolationLevel: committed,
		MaxWaitTime: int32(wait / time.Millisecond), MinBytes: 1, MaxBytes: int32(r.options.MaxBytes),
	}
	for _, p := range parts {
		if n := len(req.Topics); n == 0 || req.Topics[n-1].Topic != p.topic {
			req.Topics = append(req.Topics, fetch.RequestTopic{Topic: p.topic})
		}
		t := &req.Topics[len(req.Topics)-1]
		t.Partitions = append(t.Partitions, fetch.RequestPartition{
			Partition: int32(p.number), CurrentLeaderEpoch: -1, LogStartOffset: -1,
			FetchOffset: p.position, PartitionMaxBytes: int32(r.options.PartitionBytes),
		})
	}
	return req, parts
}

func (r *Reader) roundTrip(node int32, req *fetch.Request) ([]fetched, error) {
	wait := time.Duration(req.MaxWaitTime) * time.Millisecond
	f, err := r.cluster.ask(r.ctx, node, req, r.options.MaxBytes+maxFrame, wait)
	if err != nil {
		return nil, err
	}
	if f.version != fetchVersion {
		return nil, fmt.Errorf("the broker speaks version %d of the fetch request, want %d: Kafka 2.3 or newer (%w)", f.version, fetchVersion, kafkago.UnsupportedVersion)
	}
	return decodeFetch(f.data)
}

// hung takes in the ends of a partition, and returns the error to be told of an open transaction.
func (r *Reader) hung(p *Partition, f *fetched) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !p.hung.look(f.stable, f.high, time.Now()) {
		return nil
	}
	return p.hung.error(p.topic, p.number)
}

// received takes in the response for a partition. first reports whether the partition was
// the first of the request.
func (r *Reader) received(p *Partition, f fetched, first bool) {
	if err := answer(f.code); errors.Is(err, kafkago.OffsetOutOfRange) {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		p.locate = true
		return
	} else if err != nil {
		r.trouble("fetch", err, p)
		return
	}
	end := f.stable
	if end < 0 {
		end = f.high
	}
	f.records = bytes.Clone(f.records) // the response is let go when its last partition is, else
	from := p.position                 // only this goroutine changes the position while a request is under way
	batches, next, err := committedOf(f, from)
	c := chunk{batches: batches, from: from, next: next, size: len(f.records)}
	empty := next == from && next < end && err == nil
	switch {
	case err != nil && next == from: // the next response would be the same for ever
		c.next, c.lost, c.why = next+1, 1, fmt.Errorf("the batch at offset %d cannot be read: %w", next, err)
	case empty && first && len(f.records) == 0 && r.options.Compacted: // a hole up to the end
		c.next, empty = end, false
	}

	if err := r.hung(p, &f); err != nil {
		r.options.OnError(err)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	p.pause, p.denied, p.beyond = 0, time.Time{}, time.Time{}
	if empty && first {
		p.later(time.Now()) // the remote storage was slow; or a batch was cut short, or lies before the position: never seen
	}
	p.position, p.end, p.empty = c.next, end, empty
	if !p.closed {
		p.push(c)
	}
}
