package owner

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"dustbuster/operators/admit"
	"dustbuster/operators/evidence"
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
	goal   int64          // position behind what was there at the start
	bytes  int64          // delivered

	reached  atomic.Int64 // bytes delivered when the position came to the goal; -1: it has not
	position int64        // where it began
}

// reader is what a kafka.Partition is here.
type reader interface {
	Read(ctx context.Context) (*kafka.Batch, error)
}

// sourceOptions are the same for all sources of a partition.
type sourceOptions struct {
	Partition, Partitions int
	Head                  evidence.Head // as our configuration would have it
	Limits                admit.Limits
	Lost                  func(offsets int64, why error) // told of what retention took before it was read, or cannot be read
	Refused               func(offset int64, err error)  // told of records that are passed over
	Folded                func(position int64)           // told now and then where reading would go on
}

const (
	batches   = 4              // that are folded or wait for it
	batchSize = 8192           // observations after which a batch is delivered
	ahead     = 24 * time.Hour // an observation may be later than its record
)

// newSource returns a source that begins at a position. What was there at the
// start ends at goal. sites is what earlier sources of the partition have seen.
func newSource(o *sourceOptions, from reader, sites *sites, position, goal int64) *source {
	s := &source{o: o, from: from, sites: sites, decode: evidence.NewDecoder(o.Limits.Refuses), pool: records.NewPool(batches),
		next: position, goal: goal, position: position}
	s.reached.Store(-1)
	if position >= goal {
		s.reached.Store(0)
	}
	return s
}

// Read returns the next batch. Its error is that of the partition, or of ctx.
func (s *source) Read(ctx context.Context) (*records.Batch, error) {
	if len(s.rest) == 0 {
		got, err := s.from.Read(ctx)
		if err != nil {
			return nil, err
		}
		if got.Lost > 0 {
			s.o.Lost(got.Lost, got.Why)
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

// fill moves records into a batch, until it is large enough or a site comes that
// must be forgotten first.
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
		if err := s.take(b, site, r); err != nil {
			b.Counts.Lines++
			b.Counts.Malformed++
			s.o.Refused(r.Offset, err)
		}
	}
	s.rest, b.End = nil, s.next
}

// misplaced says why nothing of a site is taken: another partition's owner has it.
func (s *source) misplaced(site string) error {
	if p := kafka.PartitionOf([]byte(site), s.o.Partitions); p != s.o.Partition {
		return fmt.Errorf("site %q belongs to partition %d, and this is %d: let agents alone write to the topic, and do not change its partitions", site, p, s.o.Partition)
	}
	return nil
}

// take adds what a record says.
func (s *source) take(b *records.Batch, site *seen, r *kafka.Record) error {
	if site.wrong != nil {
		return site.wrong
	}
	value, err := s.decode.Decode(r.Value)
	if err != nil {
		return err
	}
	if value.Head != s.o.Head {
		return errHead
	}
	latest := r.Time.Add(ahead).Unix()
	for i := range value.List {
		s.add(b, site.name, &value.List[i], latest)
	}
	b.Counts.Lines += len(value.List) + value.Refused
	b.Counts.Reasons[admit.TooLong] += value.Refused
	return nil
}

// errHead is about records of agents that were configured in another way.
var errHead = fmt.Errorf("the record was written under another hash_key or pane: agents and miners must have the same")

// add adds an observation. One that is much later than its record is refused,
// as it would empty the window; the clock has no say, so that every owner refuses
// the same.
func (s *source) add(b *records.Batch, site string, o *evidence.Observation, latest int64) {
	if o.Time > latest {
		b.Counts.Malformed++
		return
	}
	b.Counts.Reasons[admit.Admitted]++
	b.Add(site, o)
}

// CaughtUp tells whether what was there at the start is among the first bytes
// delivered, so many of which have been folded.
func (s *source) CaughtUp(folded int64) bool {
	reached := s.reached.Load()
	return reached >= 0 && folded >= reached
}

// Positions tells where to go on.
func (s *source) Positions(end map[uint64]int64) ([]byte, error) {
	position := max(s.position, end[0])
	s.o.Folded(position)
	return strconv.AppendInt(nil, position, 10), nil
}
