package subscribe

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dustbuster/stream/kafka"
	"dustbuster/stream/rules"
)

// Options say what is followed, and what is left out of it.
type Options struct {
	Topic string // dust.rules

	Only []string // sites that are followed; none: all

	// Sites, or ids of rules. If there are any in Allow, only those are held; what is
	// in Deny never is. A set of which rules are left out is not the set that was
	// tried: pages whose URLs need several of its rules may get another form.
	Allow, Deny []string

	Failed   func(error) // told of what was passed over, from any goroutine; nil: nobody is
	MaxBytes int         // of each partition's rules; 0: 1 GiB
}

// Log is what is asked of Kafka.
type Log interface {
	Offsets(ctx context.Context, topic string) ([]kafka.Range, error)
	Add(topic string, partition int, from int64) Partition
}

// Partition is read by one goroutine.
type Partition interface {
	Read(ctx context.Context) (*kafka.Batch, error)
	Close()
}

// Subscription holds the valid rules of all sites. Its methods may be called from any
// goroutine, Run once.
type Subscription struct {
	o     Options
	log   Log
	close []func()
	live  rules.Live
	list  atomic.Pointer[rules.List]

	ready   chan struct{}
	changed chan struct{} // one token
	once    sync.Once

	mu    sync.Mutex
	parts []*part
	bad   int // records and sets passed over
	dirty bool
}

// Open connects to the brokers and sees that the topic is there. Run follows it.
func Open(ctx context.Context, k kafka.Options, o Options) (*Subscription, error) {
	cluster, err := kafka.Open(ctx, k)
	if err != nil {
		return nil, err
	}
	if _, err := cluster.Offsets(ctx, o.Topic); err != nil {
		cluster.Close()
		return nil, fmt.Errorf("subscribe to %s: %w", o.Topic, err)
	}
	s := Of(cluster, o)
	s.close = append(s.close, cluster.Close)
	return s, nil
}

// Of returns a subscription to a topic of a cluster, which is closed after it.
func Of(c *kafka.Cluster, o Options) *Subscription {
	reader := kafka.NewReader(c, kafka.ReaderOptions{Compacted: true, OnError: o.Failed})
	s := New(both{c, reader}, o)
	s.close = append(s.close, reader.Close)
	return s
}

type both struct {
	*kafka.Cluster
	reader *kafka.Reader
}

func (b both) Add(topic string, partition int, from int64) Partition {
	return b.reader.Add(topic, partition, from)
}

// New returns a subscription by a log of the caller's.
func New(log Log, o Options) *Subscription {
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	s := &Subscription{o: o, log: log, ready: make(chan struct{}), changed: make(chan struct{}, 1)}
	s.list.Store(&rules.List{})
	return s
}

// Close frees the connections, when Run has ended.
func (s *Subscription) Close() {
	for _, end := range s.close {
		end()
	}
}

// Canonical is the canonical form of a URL by the rules of this moment, and whether it
// is another than the URL. What is no URL, or of a site without rules, stays as it is.
func (s *Subscription) Canonical(url string) (canonical string, changed bool) {
	return s.live.Canonical(url)
}

// List is the rules of this moment. It does not change.
func (s *Subscription) List() *rules.List { return s.list.Load() }

// Ready is closed when all is held that was there when Run began.
func (s *Subscription) Ready() <-chan struct{} { return s.ready }

// Changed gives a token when the rules have changed since the last one was taken; the
// first one with Ready.
func (s *Subscription) Changed() <-chan struct{} { return s.changed }

// Status says how far the subscription is.
type Status struct {
	Partitions int           // followed
	Lag        int64         // offsets between what was read and the ends of the partitions: records, and holes between them
	Late       time.Duration // age of the last record that was read, of the partition where it is oldest; 0 if there is no lag
	Rules      int           // held
	Bad        int           // records and sets that were passed over, since they cannot be read
	Older      int           // records that were older than what was held
}

// Status may be asked at any time.
func (s *Subscription) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := Status{Rules: s.List().Len(), Bad: s.bad, Partitions: len(s.parts)}
	for _, p := range s.parts {
		all.Older += p.sets.Refused()
		if lag := p.end - p.next; lag > 0 {
			all.Lag += lag
			if !p.last.IsZero() {
				all.Late = max(all.Late, time.Since(p.last))
			}
		}
	}
	return all
}

// Run follows the topic until ctx ends, or something is wrong that does not pass: its
// error, nil if it was the context.
func (s *Subscription) Run(ctx context.Context) error {
	for {
		err := s.follow(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case !errors.Is(err, kafka.ErrBeyondEnd):
			return err
		}
		s.o.Failed(fmt.Errorf("%w; it is read anew", err))
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return nil
		}
	}
}

// follow reads all partitions from their starts.
func (s *Subscription) follow(ctx context.Context) error {
	ranges, err := s.log.Offsets(ctx, s.o.Topic)
	if err != nil {
		return fmt.Errorf("subscribe to %s: %w", s.o.Topic, err)
	}
	s.mu.Lock()
	s.parts = nil
	for _, r := range ranges {
		s.parts = append(s.parts, newPart(r, s.o.MaxBytes))
	}
	s.dirty = true
	err = s.settle() // of topics without records
	parts := s.parts
	s.mu.Unlock()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var readers sync.WaitGroup
	for number, p := range parts {
		readers.Go(func() {
			in := s.log.Add(s.o.Topic, number, kafka.First)
			defer in.Close()
			for {
				b, err := in.Read(ctx)
				if err != nil {
					cancel(err)
					return
				}
				s.take(p, b)
			}
		})
	}
	readers.Wait()
	return context.Cause(ctx)
}

// take applies a batch, and swaps the rules if they have changed.
func (s *Subscription) take(p *part, b *kafka.Batch) {
	s.mu.Lock()
	var bad []error
	changed := p.apply(b, s.o.keeps, func(err error) { bad = append(bad, err) })
	s.bad += len(bad)
	s.dirty = s.dirty || changed
	if err := s.settle(); err != nil {
		bad = append(bad, err)
	}
	s.mu.Unlock()
	if len(bad) > 0 {
		s.o.Failed(fmt.Errorf("%d records were passed over, the first: %w", len(bad), bad[0]))
	}
}

// settle makes the rules of the partitions those that are held, once all that was
// there at the start has been read. It goes on after an error that names sites.
func (s *Subscription) settle() error {
	if !s.dirty || slices.ContainsFunc(s.parts, func(p *part) bool { return p.next < p.goal }) {
		return nil
	}
	s.dirty = false
	all := map[string]*held{}
	for _, p := range s.parts {
		for name, h := range p.sites {
			if other := all[name]; other == nil || other.at < h.at { // of two partitions: the number of partitions was changed
				all[name] = h
			}
		}
	}
	sites := slices.Collect(maps.Values(all))
	list := listOf(sites)
	err := s.live.Set(list)
	if err != nil {
		sites, err = agree(sites)
		list = listOf(sites)
		if bad := s.live.Set(list); bad != nil {
			return fmt.Errorf("take rules: %w; those before stay", bad)
		}
	}
	s.list.Store(list)
	select {
	case s.changed <- struct{}{}:
	default:
	}
	s.once.Do(func() { close(s.ready) })
	return err
}

// keeps tells whether a rule is wanted.
func (o *Options) keeps(site, id string) bool {
	named := func(list []string) bool { return slices.Contains(list, site) || slices.Contains(list, id) }
	return (len(o.Only) == 0 || slices.Contains(o.Only, site)) && (len(o.Allow) == 0 || named(o.Allow)) && !named(o.Deny)
}
