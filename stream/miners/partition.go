package miners

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"dustbuster/stream/kafka"
	"dustbuster/stream/loop"
	"dustbuster/stream/prober"
	"dustbuster/stream/rulelog"
)

// partition is one owned partition and the state built from the partition.
type partition struct {
	id     int
	of     int           // partitions of its topic
	topic  kafka.TopicID // whose observations are folded; zero: none, or brokers know no ids
	member *Member

	lost, refused  atomic.Int64
	refusedReports atomic.Int64
	end            atomic.Int64 // of the partition, as last heard
	read           atomic.Int64 // when the last batch came, Unix seconds; 0: none came
	written        atomic.Int64 // time of the last record read, Unix seconds; 0: none was read
	lossesTo       atomic.Int64 // position up to which losses were counted, by this owner or an earlier one
	at             atomic.Int64 // position up to which observations were folded; -1: none yet
	deleted        atomic.Int64 // offsets before the first observation, when the partition was assigned
	unlike         unlike
	unserved       atomic.Bool // the last attempt to serve the partition failed

	mu       sync.Mutex // guards the fields read by other goroutines
	loop     *loop.Loop // nil: no state yet
	worker   *prober.Worker
	wrong    error // the last error, and its time
	failedAt time.Time

	log     *rulelog.Store
	sites   *sites
	counted int64                           // deleted offsets up to here count as lost
	from    atomic.Pointer[kafka.Partition] // being read; nil: none was yet
}

func newPartition(m *Member, id, of int) *partition {
	p := &partition{id: id, of: of, member: m, log: rulelog.New(rulelog.Options{
		Log: rulelog.Open(m.o.Cluster, m.logs), Rules: m.o.Rules, Events: m.o.Events, Partition: id, Holds: m.mayWrite, Timeout: m.o.Session / 4,
		Failed: func(doing string, err error) { m.o.Report(Report{Partition: id, Kind: Failed, Doing: doing, Err: err}) },
	})}
	p.at.Store(-1)
	return p
}

// rest is the pause before a failed partition begins anew.
const rest = 5 * time.Second

// serve runs the partition's loop until ctx ends.
func (p *partition) serve(ctx context.Context, generation *kafka.Generation, reader *kafka.Reader) {
	for ctx.Err() == nil {
		err := p.once(ctx, generation, reader)
		p.tell(ctx, err)
		if ctx.Err() != nil {
			return
		}
		p.forget()
		wait(ctx, rest)
	}
}

// tell reports how an attempt to serve the partition has ended, and notes whether nobody serves it now.
func (p *partition) tell(ctx context.Context, err error) {
	var unclaimed claimError
	claiming, another := errors.As(err, &unclaimed), errors.Is(err, rulelog.ErrNotOwner)
	p.unserved.Store(err != nil && ctx.Err() == nil && !another)
	switch {
	case errors.Is(err, kafka.ErrRecreated):
		p.lose(p.unread(), err)
	case err == nil || errors.Is(err, ctx.Err()):
	case claiming && !another:
		p.failed("claim the partition, which nobody serves now", err)
	case claiming:
		p.failed("claim the partition", err)
	default:
		p.failed("serve the partition", err)
	}
}

// claimError is the error of a claim that was not written, or came too late.
type claimError struct{ error }

func (e claimError) Unwrap() error { return e.error }

// wait waits, at most to the end of ctx.
func wait(ctx context.Context, pause time.Duration) {
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
}

// once claims the partition, and runs its loop from the last position, or from the start.
func (p *partition) once(ctx context.Context, generation *kafka.Generation, reader *kafka.Reader) error {
	still, err := p.log.Claim(ctx, generation.Member, int64(generation.ID))
	if err != nil {
		return claimError{err}
	}
	var aside sync.WaitGroup
	defer aside.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	aside.Go(func() { yield(ctx, p.log.Lost(), generation) })
	if !still {
		p.forget()
	}
	l, worker := p.live()
	kept := l != nil
	if !kept {
		if l, err = p.begin(); err != nil {
			return err
		}
	} else if worker != nil {
		worker.Resume()
	}
	aside.Go(func() { p.followReports(ctx, generation) })
	in, err := p.locate(ctx, kept)
	if err != nil {
		return err
	}
	p.countFrom(generation, in)
	if !kept {
		p.loseDeleted(in.First, generation.Committed(p.member.o.Observations, p.id))
	}
	p.unserved.Store(false)
	position := p.at.Load()
	p.report(Report{Kind: map[bool]Kind{true: Kept, false: Assigned}[kept], Count: position})
	from := reader.Resume(p.member.o.Observations, p.topic, p.id, position)
	defer from.Close()
	p.from.Store(from)
	return l.Run(ctx, newSource(p.sourceOptions(), from, p.sites, position, in.End))
}

// locate asks for the range of the partition, and begins at its start if there is no position.
// A kept partition must be of the same topic as before.
func (p *partition) locate(ctx context.Context, kept bool) (in kafka.Range, err error) {
	topic := p.member.o.Observations
	id, err := p.member.o.Cluster.ID(ctx, topic)
	if err != nil {
		return in, err
	}
	if !kept {
		if p.topic.Another(id) {
			p.lossesTo.Store(0)
		}
		p.topic = id
	}
	ranges, err := p.member.o.Cluster.Offsets(ctx, topic)
	switch {
	case err != nil:
		return in, err
	case p.id >= len(ranges):
		return in, fmt.Errorf("topic %q has %d partitions: the topic was deleted and made again", topic, len(ranges))
	case p.topic.Another(id):
		return in, fmt.Errorf("%w: its id is %v and was %v", kafka.ErrRecreated, id, p.topic)
	}
	in = ranges[p.id]
	p.end.Store(in.End)
	p.deleted.Store(in.First)
	p.at.CompareAndSwap(-1, in.First)
	return in, nil
}

// yield makes the group join anew when the log shows another owner of a partition.
func yield(ctx context.Context, lost <-chan struct{}, generation *kafka.Generation) {
	select {
	case <-lost:
		generation.Release()
	case <-ctx.Done():
	}
}

// begin makes a loop with the state in the log and no other state.
func (p *partition) begin() (*loop.Loop, error) {
	m := p.member
	o := m.o.Loop
	o.MaxClockSkew = 0 // see source.add
	o.Folded = func(_ uint64, end int64) { p.at.Store(end) }
	o.Failed = func(doing string, err error) { p.report(Report{Kind: Failed, Doing: doing, Err: err, counted: true}) }
	if m.o.Validate != nil {
		trying := *m.o.Validate
		trying.Mine = func(site string) bool { return kafka.PartitionOf([]byte(site), p.of) == p.id }
		o.Validate = prober.New(trying)
	}
	l := loop.NewDerived(o, p.log, p.log)
	if _, err := l.Restore(); err != nil {
		return nil, err
	}
	p.sites = newSites(int64(m.o.Silence / time.Second))
	p.at.Store(-1)
	p.mu.Lock()
	p.loop, p.worker = l, o.Validate
	p.mu.Unlock()
	return l, nil
}

// forget drops the state built from the partition.
func (p *partition) forget() {
	p.mu.Lock()
	loop, worker := p.loop, p.worker
	p.loop, p.worker = nil, nil
	p.mu.Unlock()
	if loop != nil {
		p.member.failures.keep(loop.State())
		loop.Close()
	}
	if worker != nil {
		worker.Close()
	}
}

func (p *partition) sourceOptions() *sourceOptions {
	return &sourceOptions{
		Partition: p.id, Partitions: p.of, Head: p.member.o.Head, Limits: p.member.o.Limits,
		Ahead: loop.ClockSkew(time.Duration(p.member.o.Loop.Miner.Table.Window) * time.Second),
		Heard: p.heard, Lost: p.loseOnce,
		Unlike: p.unlikeRecord,
		Refused: func(offset int64, n int, err error) {
			p.refused.Add(int64(n))
			p.report(Report{Kind: Refused, Count: offset, Err: err})
		},
	}
}

// lose counts and reports lost offsets.
func (p *partition) lose(n int64, why error) {
	p.lost.Add(max(0, n))
	p.report(Report{Kind: Lost, Count: max(0, n), Err: why})
}

// loseDeleted counts the offsets that were deleted before the partition's start, once: those that no
// member has read, by what the group has committed (-1: nothing), and all where everything counts. What
// retention deletes of a window does not count any more, if the topic's settings are right.
func (p *partition) loseDeleted(first, committed int64) {
	counted := max(committed, p.counted)
	if p.member.o.Loop.Miner.Table.Window == 0 {
		counted = p.counted
	} else if committed < 0 {
		return
	}
	if first > counted {
		p.counted = first
		p.lose(first-counted, fmt.Errorf("the partition begins at offset %d: the offsets before are deleted", first))
	}
}

// unread returns the number of offsets that have not been folded, as far as known.
func (p *partition) unread() int64 {
	if at := p.at.Load(); at >= 0 {
		return p.end.Load() - at
	}
	return 0
}

func (p *partition) report(r Report) {
	r.Partition = p.id
	if r.Err != nil {
		p.mu.Lock()
		p.wrong, p.failedAt = r.Err, time.Now()
		p.mu.Unlock()
	}
	p.member.o.Report(r)
}

func (p *partition) failed(doing string, err error) {
	p.report(Report{Kind: Failed, Doing: doing, Err: err})
}

// live returns the loop and the worker; nil: none.
func (p *partition) live() (*loop.Loop, *prober.Worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.loop, p.worker
}

func (p *partition) state() *loop.State {
	if l, _ := p.live(); l != nil {
		return l.State()
	}
	return nil
}

func (p *partition) status() Partition {
	s := Partition{Partition: p.id, Position: p.at.Load(), End: p.end.Load(), Lost: p.lost.Load(), Refused: p.refused.Load(), Reports: p.refusedReports.Load(),
		Deleted: p.deleted.Load(), Cut: p.log.Stats().Deleted}
	for d := range s.Unlike {
		s.Unlike[d] = p.unlike.counts[d].Load()
	}
	if state := p.state(); state != nil {
		s.CaughtUp = state.Status.CaughtUp
	}
	if from := p.from.Load(); from != nil {
		s.Hanging = from.Hanging()
	}
	return s
}
