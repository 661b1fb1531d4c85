package miners

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
	"dustbuster/stream/records"
)

// source is the records of a partition of observations, from a position on.
type source struct {
	o      *sourceOptions
	from   reader
	sites  *sites
	decode *evidence.Decoder
	pool   records.Pool
	rest   []kafka.Record // of the batch at hand, not delivered yet
	next   int64          // position behind the batch at hand
	goal   int64          // position behind the records present at the start
	bytes  int64          // delivered

	reached atomic.Int64 // bytes delivered when the position came to the goal; -1: not yet
}

// reader is the part of kafka.Partition used here.
type reader interface {
	Read(ctx context.Context) (*kafka.Batch, error)
}

// sourceOptions are the same for all sources of a partition.
type sourceOptions struct {
	Partition, Partitions int
	Head                  evidence.Head // of this member's configuration
	Limits                admit.Limits
	Ahead                 time.Duration                        // an observation may be later than its record by this
	Heard                 func(*kafka.Batch)                   // called for what was read
	Lost                  func(upto, offsets int64, why error) // called for offsets before upto that were deleted by retention before they were read, or are unreadable
	Refused               func(offset int64, n int, err error) // called for records passed over, with the number of their observations

	// Unlike is called for records of agents with other settings, with the number of their observations.
	// fresh: the record was not present at the start.
	Unlike func(theirs evidence.Head, sent time.Time, fresh bool, n int)
}

const (
	batches   = 4    // batches being folded or waiting
	batchSize = 2048 // observations after which a batch is delivered: about those of 256 KiB of lines, 11 ms of folding (BenchmarkFold)
)

// newSource returns a source that begins at a position. The records present at the start
// end at goal. sites holds the sites seen by earlier sources of the partition.
func newSource(o *sourceOptions, from reader, sites *sites, position, goal int64) *source {
	s := &source{o: o, from: from, sites: sites, decode: evidence.NewDecoder(o.Limits.Refuses), pool: records.NewPool(batches),
		next: position, goal: goal}
	s.reached.Store(-1)
	if position >= goal {
		s.reached.Store(0)
	}
	return s
}

// Read returns the next batch. An error is the partition's, or that of ctx.
func (s *source) Read(ctx context.Context) (*records.Batch, error) {
	if len(s.rest) == 0 {
		got, err := s.from.Read(ctx)
		if err != nil {
			return nil, err
		}
		s.o.Heard(got)
		if got.Lost > 0 {
			s.o.Lost(got.Next, got.Lost, got.Why)
		}
		s.rest, s.next = got.Records, got.Next
	}
	b, err := s.pool.Get(ctx)
	if err != nil {
		return nil, err
	}
	b.Path = strconv.Itoa(s.o.Partition)
	s.fill(b)
	s.bytes += b.Bytes
	if b.End >= s.goal && s.reached.Load() < 0 {
		s.reached.Store(s.bytes)
	}
	return b, nil
}

// fill moves records into a batch, until it is large enough or the next site must be dropped
// first.
func (s *source) fill(b *records.Batch) {
	b.Silent = s.sites.sweep()
	for i := range s.rest {
		r := &s.rest[i]
		at := r.Time.Unix()
		site := s.sites.arrive(r.Key, at, s.misplaced)
		overdue := s.sites.overdue(site)
		if len(b.Records) >= batchSize || overdue && len(b.Records) > 0 {
			s.rest, b.End = s.rest[i:], r.Offset
			return
		}
		if overdue {
			b.Silent = append(b.Silent, site.name)
		}
		site.last = max(site.last, at)
		b.Bytes += int64(len(r.Key) + len(r.Value))
		if n, err := s.take(b, site, r); err != nil {
			b.Counts.Lines += n
			b.Counts.Malformed += n
			s.o.Refused(r.Offset, n, err)
		}
	}
	s.rest, b.End = nil, s.next
}

// misplaced returns the reason to refuse a site's records: the site belongs to another
// partition.
func (s *source) misplaced(site string) error {
	if p := kafka.PartitionOf([]byte(site), s.o.Partitions); p != s.o.Partition {
		return fmt.Errorf("site %q belongs to partition %d, and this is %d: let agents alone write to the topic, and do not change its partitions", site, p, s.o.Partition)
	}
	return nil
}

// take adds the observations of a record. After an error n is the number of observations that are
// passed over; 1 if they cannot be read.
func (s *source) take(b *records.Batch, site *seen, r *kafka.Record) (n int, err error) {
	value, err := s.decode.Decode(r.Value)
	if err != nil {
		return 1, cmp.Or(site.wrong, err)
	}
	n = len(value.List) + value.Refused
	if value.Differs(s.o.Head) != evidence.Same {
		s.o.Unlike(value.Head, r.Time, r.Offset >= s.goal, n)
	}
	switch {
	case site.wrong != nil:
		return n, site.wrong
	case value.Pane != s.o.Head.Pane:
		return n, &UnlikeError{value.Head, s.o.Head}
	}
	if !value.Compares(s.o.Head) {
		if newest, any := value.Forget(); any {
			b.Forgot(newest)
		}
	}
	latest := r.Time.Add(s.o.Ahead).Unix()
	for i := range value.List {
		s.add(b, site.name, &value.List[i], latest)
	}
	b.Counts.Lines += n
	b.Counts.Reasons[admit.TooLong] += value.Refused
	return n, nil
}

// add adds an observation, unless it is much later than its record: it would empty the window.
// The clock has no influence, so every owner refuses the same observations.
func (s *source) add(b *records.Batch, site string, o *evidence.Observation, latest int64) {
	if o.Time > latest {
		b.Counts.Malformed++
		return
	}
	b.Counts.Reasons[admit.Admitted]++
	b.Add(site, o)
}

// CaughtUp reports whether the records present at the start are among the first folded
// bytes delivered. The argument is the number of bytes folded so far.
func (s *source) CaughtUp(folded int64) bool {
	reached := s.reached.Load()
	return reached >= 0 && folded >= reached
}

// Positions returns nil: the partition is read from its start when the state is restored.
func (s *source) Positions(map[uint64]int64) ([]byte, error) { return nil, nil }
