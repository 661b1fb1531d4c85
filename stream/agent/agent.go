package agent

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"dustbuster/operators/window/combine"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
	"dustbuster/stream/records"
)

// Options configure an agent: topics, limits and intervals.
type Options struct {
	Head       evidence.Head // of all values
	Topic      string        // of observations
	Partitions int           // of Topic

	DeadLetters          string                   // topic of lines that cannot be parsed; "": the lines are not sent
	DeadLetterPartitions int                      // of DeadLetters
	Mask                 func(line []byte) []byte // returns the part of such a line to send; must remove private data

	Entries      int           // remembered by the combiner; 0: DefaultEntries
	MaxBytes     int           // of observations gathered before sending; 0: DefaultMaxBytes
	Linger       time.Duration // how long a batch smaller than MaxBytes is gathered
	Commit       time.Duration // interval of the source's commits; ten seconds at most
	FlushTimeout time.Duration // longest wait for batches under way when Run ends
	MaxClockSkew time.Duration // a line with a time further ahead of the clock is refused; 0: no line is

	Malformed func(path string, line []byte, err error) // called with lines that cannot be parsed, as in records.Options; may be nil
	Failed    func(doing string, err error)             // called with errors after which the agent goes on; may be nil
}

// Defaults of Options.
const (
	DefaultEntries  = 500_000   // 95 MB when all are in use
	DefaultMaxBytes = 768 << 10 // uncompressed; fits into the 1 MiB that a broker accepts at once
)

// maxFlights is the most batches under way at once.
const maxFlights = 4

// Source is a source of records. The File and End of its batches are the position read up
// to in each file or partition; an End of 0 is no position. Commit is called while another
// goroutine is in Read.
type Source interface {
	// Read blocks until there is a batch, and ends with io.EOF if the source does.
	Read(ctx context.Context) (*records.Batch, error)

	// Commit ensures that bytes before the ends of the given files are not read again after
	// a restart. After an error the agent calls Commit again, with at least these ends.
	Commit(ctx context.Context, ends map[uint64]int64) error
}

// Producer appends records to a partition, all or none, and returns when the records are
// acknowledged. A Producer retries by itself until ctx ends; any error is final.
// kafka.ErrTooLarge: fewer records may succeed.
type Producer interface {
	Produce(ctx context.Context, topic string, partition int, records []kafka.Record) error
}

// ErrUndelivered reports a Run that ended before all lines read were acknowledged. The
// other lines will be read again.
var ErrUndelivered = errors.New("some observations have not been acknowledged by Kafka; their lines will be read again")

// Agent is the state that outlives a source. One goroutine calls Run. Any goroutine may
// call Status, Malformed and Lost.
type Agent struct {
	o           Options
	to          Producer
	combiner    *combine.Combiner
	deadLetters deadLetters
	letters     int                       // sent, to each partition in turn
	turned      atomic.Pointer[time.Time] // when the loop turned last; nil: it does not run

	mu     sync.Mutex
	status Status

	ends    map[uint64]int64 // of the lines gathered since the last batch
	acked   map[uint64]int64 // of lines acknowledged and not committed
	flights []*flight        // on their way, oldest first
	landed  chan *flight
	lost    bool               // a batch never arrives
	cancel  context.CancelFunc // of all flights
	sending context.Context

	recreated atomic.Bool // the topic was, since the combiner's memory began

	gathered bool // there were lines since the last batch
	due      bool // send even a small batch
}

// New returns an agent. New starts no goroutine.
func New(o Options, to Producer) (*Agent, error) {
	o.Entries = cmp.Or(o.Entries, DefaultEntries)
	o.MaxBytes = cmp.Or(o.MaxBytes, DefaultMaxBytes)
	if o.Failed == nil {
		o.Failed = func(string, error) {}
	}
	if o.Malformed == nil {
		o.Malformed = func(string, []byte, error) {}
	}
	var key [16]byte
	_, _ = rand.Read(key[:]) // never fails
	combiner, err := combine.New(combine.Options{Pane: o.Head.Pane, Entries: o.Entries, MaxBytes: o.MaxBytes,
		Key: [2]uint64{binary.LittleEndian.Uint64(key[:]), binary.LittleEndian.Uint64(key[8:])}})
	if err != nil {
		return nil, err
	}
	if o.Partitions < 1 || o.DeadLetters != "" && o.DeadLetterPartitions < 1 {
		return nil, fmt.Errorf("send observations: topic %q has %d partitions, topic %q has %d: want 1 or more", o.Topic, o.Partitions, o.DeadLetters, o.DeadLetterPartitions)
	}
	return &Agent{o: o, to: to, combiner: combiner, status: Status{Started: time.Now()}}, nil
}

// Run reads a source until it or ctx ends, and sends the rest. If the source has ended, Run waits for
// all acknowledgements until ctx ends. After the end of ctx it waits within FlushTimeout. The errors
// are the source's, the producer's, the last commit's, and ErrUndelivered. The agent may then be run
// with another source.
func (a *Agent) Run(ctx context.Context, source Source) error {
	err, late := a.run(ctx, source)
	return errors.Join(err, late)
}

// run is Run with its errors apart: those that ended the run, and those of its end.
func (a *Agent) run(ctx context.Context, source Source) (err, late error) {
	a.ends, a.acked, a.flights = map[uint64]int64{}, map[uint64]int64{}, nil
	a.gathered, a.due, a.lost = false, false, false
	a.update(func(s *Status) { s.Uncommitted = "" }) // another source, or the next generation of a group
	a.landed = make(chan *flight, maxFlights+1)      // one place more, for the batch at the end
	a.sending, a.cancel = context.WithCancel(context.Background())
	defer a.cancel()
	defer a.turned.Store(nil)
	reading, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	in := records.Pump(reading, source)
	err = a.turn(ctx, source, in)
	s, stops := source.(interface{ Stop() })
	if stops {
		s.Stop()
		defer time.AfterFunc(a.o.FlushTimeout, stop).Stop()
	} else {
		stop()
	}
	for next := range in { // the pump ends when the source has ended, or has seen the end of its context
		switch {
		case next.Batch == nil:
		case stops && err == nil: // lines read from a pipe exist nowhere else
			a.gather(next.Batch)
		default:
			next.Batch.Release()
		}
	}
	_, read := errors.AsType[readError](err)
	return err, a.finish(source, err != nil && !read)
}

// readError is an error of the source.
type readError struct{ error }

func (e readError) Unwrap() error { return e.error }

// longestTurn is the longest wait of the loop. So a waiting agent can be told from a
// hanging agent.
const longestTurn = 10 * time.Second

// turn is the loop.
func (a *Agent) turn(ctx context.Context, source Source, in <-chan records.Pumped) error {
	linger, commit := time.NewTimer(a.o.Linger), time.NewTicker(min(a.o.Commit, longestTurn))
	defer linger.Stop()
	defer commit.Stop()
	for ended := false; !ended || a.gathered || len(a.flights) > 0; {
		a.turned.Store(new(time.Now()))
		from := in
		if a.ready() { // the most batches are under way
			from = nil
		}
		select {
		case next, ok := <-from:
			switch {
			case !ok:
				in, ended, a.due = nil, true, a.gathered
			case next.Batch != nil:
				if !a.gathered {
					linger.Reset(a.o.Linger)
				}
				a.gather(next.Batch)
			case records.AboutOneFile(next.Err):
				a.fail(ReadFailed, "read lines", next.Err)
			default:
				return readError{next.Err}
			}
		case <-linger.C:
			a.due = a.gathered
		case f := <-a.landed:
			if err := a.land(f); err != nil {
				return err
			}
		case <-commit.C:
			_ = a.commit(ctx, source) // already reported; the next tick retries
		case <-ctx.Done():
			return nil
		}
		if a.ready() && len(a.flights) < maxFlights {
			a.send()
		}
	}
	return nil
}

// ready reports whether the gathered batch should be sent.
func (a *Agent) ready() bool {
	return a.due || a.combiner.Full() || a.deadLetters.size() >= a.o.MaxBytes
}

// gather takes in a batch.
func (a *Agent) gather(b *records.Batch) {
	latest := int64(0)
	if a.o.MaxClockSkew > 0 {
		latest = time.Now().Add(a.o.MaxClockSkew).Unix()
	}
	a.forget()
	ahead := 0
	for i := range b.Records {
		r := &b.Records[i]
		if latest > 0 && r.Time > latest {
			ahead++
			continue
		}
		a.combiner.Add(r.Site, &r.Observation)
	}
	if a.gathered = true; b.End > 0 {
		a.ends[b.File] = b.End
	}
	a.update(func(s *Status) {
		s.Counts.Add(&b.Counts)
		s.Bytes += b.Bytes
		s.Ahead += ahead
		s.Waiting, s.Remembered = a.combiner.Waiting(), a.combiner.Entries()
	})
	b.Release()
}

// Recreated tells the agent that its topic was deleted and made again. The agent then sends
// again what it has sent before, as lines show it again.
func (a *Agent) Recreated() { a.recreated.Store(true) }

// forget drops the memory of what was sent to a topic that is gone, unless observations wait.
func (a *Agent) forget() {
	if a.combiner.Waiting() == 0 && a.recreated.CompareAndSwap(true, false) {
		a.combiner.Forget()
	}
}

// commit tells the source which lines have arrived.
func (a *Agent) commit(ctx context.Context, source Source) error {
	if len(a.acked) == 0 {
		return nil
	}
	if err := source.Commit(ctx, a.acked); err != nil {
		a.update(func(s *Status) { s.Uncommitted = err.Error() })
		a.fail(CommitFailed, "save how far lines are dealt with", err)
		return err
	}
	clear(a.acked)
	a.update(func(s *Status) { s.Committed, s.Uncommitted = time.Now(), "" })
	return nil
}

// finish sends the rest, unless deliveries have failed for good, and waits for all batches
// under way.
func (a *Agent) finish(source Source, broken bool) error {
	ctx, done := context.WithTimeout(context.Background(), a.o.FlushTimeout)
	defer done()
	var errs []error
	if broken {
		a.cancel()
	} else if a.gathered {
		a.send()
	}
	for len(a.flights) > 0 {
		select {
		case f := <-a.landed:
			if err := a.land(f); err != nil && !broken {
				errs = append(errs, err)
				broken = true
				a.cancel()
			}
		case <-ctx.Done():
			errs = append(errs, ErrUndelivered)
			broken = true
			a.cancel()
			ctx = context.Background() // they come in at once
		}
	}
	if broken {
		a.combiner.Forget()
		a.deadLetters.drain()
	}
	last, stop := context.WithTimeout(context.Background(), a.o.FlushTimeout)
	defer stop()
	return errors.Join(append(errs, a.commit(last, source))...)
}

// fail notes an error after which the agent goes on.
func (a *Agent) fail(what Failure, doing string, err error) {
	a.update(func(s *Status) {
		s.Errors[what]++
		s.LastError = doing + ": " + err.Error()
	})
	a.o.Failed(doing, err)
}
