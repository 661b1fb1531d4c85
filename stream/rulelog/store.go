package rulelog

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"dustbuster/operators/publish/owner"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
	stream "dustbuster/stream/kafka"
)

var (
	// ErrNotOwner is the error of a write to a partition that is, or may be, another member's.
	ErrNotOwner = errors.New("the partition belongs, or may belong, to another member")

	// ErrPartitions is the error of a partition of observations that the topic of rules lacks.
	ErrPartitions = errors.New("the three topics must have the same number of partitions")
)

// Options describe the partition of a Store.
type Options struct {
	Log       Log
	Rules     string // topics
	Events    string
	Partition int
	Holds     func() bool                   // the lease: called before each write
	Failed    func(doing string, err error) // called from any goroutine with errors after which the Store goes on; must not call the Store; may be nil
	Timeout   time.Duration                 // of a write to dust.rules; 0: 20 s
	Pause     time.Duration                 // pause before covered records are written again after a failure; 0: 1 s
}

// batchBytes is how much of several sites is gathered in a batch.
const batchBytes = 512 << 10

func (o Options) withDefaults() Options {
	if o.Failed == nil {
		o.Failed = func(string, error) {}
	}
	o.Timeout = cmp.Or(o.Timeout, 20*time.Second)
	o.Pause = cmp.Or(o.Pause, time.Second)
	return o
}

// Store is the acts of the owners of a partition, in dust.rules. Call Claim first, then
// Load, then all else. One goroutine calls Claim, Load, Save and Compact.
type Store struct {
	o    Options
	ctx  context.Context
	stop context.CancelFunc

	turn sync.Mutex // held by the batch under way, in the order of numbers; taken before mu

	mu      sync.Mutex
	book    *owner.Owner
	next    int64         // position up to which the log was read
	moved   chan struct{} // closed when the log was read on
	lost    chan struct{} // closed when the partition is another's
	ended   bool          // the partition is lost, or the log is not followed
	bad     int           // records passed over
	mended  int           // records written again
	deleted int64

	reader    sync.WaitGroup // follows the log
	leave     context.CancelFunc
	compacted int                    // bytes after the last compaction
	polite    map[string]fetch.State // by site, as in the last write
	failed    []checkpoint.Act       // of the last Save, if its write failed: the next Save begins with these acts
}

// New returns an empty Store. The caller must close the Store.
func New(o Options) *Store {
	s := &Store{o: o.withDefaults(), ended: true, lost: make(chan struct{}), moved: make(chan struct{}), book: &owner.Owner{}, leave: func() {}}
	close(s.lost)
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

// Close ends all work under way, and waits for its end.
func (s *Store) Close() {
	s.stop()
	s.reader.Wait()
}

// Lost is closed when the log has shown a later owner, or can be followed no more;
// then nothing is written until another Claim.
func (s *Store) Lost() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}

// Stats are the counts of following the log.
type Stats struct {
	Bad    int // records passed over, since they cannot be read
	Mended int // records written again, since an older owner's had covered them
	Bytes  int // of all keys and values

	Deleted int64 // offsets before the log's first record, as of the last claim; compaction deletes none
}

// Stats returns the counts. Any goroutine may call Stats.
func (s *Store) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, bytes := s.book.Size()
	return Stats{s.bad, s.mended, bytes, s.deleted}
}

// Size returns the bytes of the live records in the partition, now and after the last
// compaction.
func (s *Store) Size() (now, compacted int64) {
	return int64(s.Stats().Bytes), int64(s.compacted)
}

// Bloated reports whether the partition should be compacted. Compacting retracts the
// verdicts forgotten by the machines.
func (s *Store) Bloated() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	keys, _ := s.book.Size()
	return s.book.Written() > 2*keys+slack
}

// slack is how many records even a small partition may gather.
const slack = 4096

// owns reports whether a write may begin.
func (s *Store) owns() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.ended && s.book.Sure() && s.o.Holds()
}

// ask asks the book.
func (s *Store) ask(question func(*owner.Owner) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return question(s.book)
}

// write numbers records and appends them, up to the first error.
func (s *Store) write(number func(*owner.Owner) []owner.Batch) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if !s.owns() {
		return ErrNotOwner
	}
	s.mu.Lock()
	batches := gather(number(s.book))
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(s.ctx, s.o.Timeout)
	defer cancel()
	var err error
	for _, b := range batches {
		if err == nil {
			err = s.append(ctx, b)
		}
		if err != nil {
			s.mu.Lock()
			s.book.Failed(b)
			s.mu.Unlock()
		}
	}
	return err
}

// append writes a batch to the topic of rules.
func (s *Store) append(ctx context.Context, b owner.Batch) error {
	records := make([]stream.Record, len(b))
	for i, r := range b {
		records[i] = written([]byte(r.Key), r.Value, r.Tuple)
	}
	return s.produce(ctx, s.o.Rules, "save %s", records)
}

// gather joins many small batches to a few.
func gather(small []owner.Batch) (all []owner.Batch) {
	room := 0
	for _, b := range small {
		size := 0
		for i := range b {
			size += len(b[i].Key) + len(b[i].Value)
		}
		if size > room {
			all, room = append(all, nil), batchBytes
		}
		all[len(all)-1] = append(all[len(all)-1], b...)
		room -= size
	}
	return all
}
