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

	"dustbuster/operators/publish/ledger"
	"dustbuster/stream/kafka"
	"dustbuster/stream/rules"
)

// Options select the topic and the rules.
type Options struct {
	Topic string // such as dust.rules

	Only []string // sites to hold; empty: all

	// Sites or ids of rules. If Allow is not empty, only its rules are held. Rules in
	// Deny are never held. Rules are validated as a set, and leaving one out leaves an
	// untested set: pages whose URLs need several of the rules may get another form.
	Allow, Deny []string

	// Host is the host of rules without a site, and of relative URLs, for Canonical: see
	// rules.Live.SetHost. Empty: none.
	Host string

	// Failed is called for records that were skipped (ErrSkipped), for what is tried again, and if
	// there are rules without a site but no Host (rules.ErrNoHost), from any goroutine. May be nil.
	Failed   func(error)
	MaxBytes int // of each partition's rules; 0: 1 GiB
}

// ErrSkipped is the error for records and sets that were skipped.
var ErrSkipped = errors.New("records were skipped")

// Log is the part of Kafka that a Subscription uses.
type Log interface {
	Offsets(ctx context.Context, topic string) ([]kafka.Range, error)
	Add(topic string, partition int, from int64) Partition
}

// Partition reads one partition. One goroutine uses a Partition.
type Partition interface {
	Read(ctx context.Context) (*kafka.Batch, error)
	Close()
}

// Subscription holds the valid rules of all sites. Run may be called once. Any
// goroutine may call the other methods.
type Subscription struct {
	o     Options
	log   Log
	close func()
	live  rules.Live
	list  atomic.Pointer[rules.List]

	ready   chan struct{}
	changed chan struct{} // one token
	once    sync.Once

	mu    sync.Mutex
	parts []*part
	bad   int // number of records and sets skipped
	dirty bool
	away  error // see Status.Away
}

// Open connects to the brokers and checks that the topic exists. Call Run to follow the
// topic.
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
	read := s.close
	s.close = func() { read(); cluster.Close() }
	return s, nil
}

// Of returns a subscription to a topic of a cluster, which Close leaves open.
func Of(c *kafka.Cluster, o Options) *Subscription {
	reader := kafka.NewReader(c, kafka.ReaderOptions{Compacted: true, OnError: o.Failed})
	s := New(&broker{c, reader, kafka.TopicID{}}, o)
	s.close = reader.Close
	return s
}

// broker is the Log of a cluster.
type broker struct {
	*kafka.Cluster
	reader *kafka.Reader
	id     kafka.TopicID // of the topic whose offsets were asked for last
}

// Offsets notes the topic's id first: partitions of another topic then end with ErrRecreated.
func (b *broker) Offsets(ctx context.Context, topic string) (ranges []kafka.Range, err error) {
	if b.id, err = b.ID(ctx, topic); err != nil {
		return nil, err
	}
	return b.Cluster.Offsets(ctx, topic)
}

func (b *broker) Add(topic string, partition int, from int64) Partition {
	return b.reader.Resume(topic, b.id, partition, from)
}

// New returns a subscription that reads from log.
func New(log Log, o Options) *Subscription {
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	s := &Subscription{o: o, log: log, close: func() {}, ready: make(chan struct{}), changed: make(chan struct{}, 1)}
	s.list.Store(&rules.List{})
	return s
}

// Close closes the connections. Call Close after Run has returned.
func (s *Subscription) Close() { s.close() }

// Canonical returns the canonical form of a URL by the present rules, and whether the
// form differs from the URL. An invalid URL, and a URL of a site without rules, is
// returned unchanged.
func (s *Subscription) Canonical(url string) (canonical string, changed bool) {
	return s.live.Canonical(url)
}

// List returns the present rules. The list does not change later.
func (s *Subscription) List() *rules.List { return s.list.Load() }

// Ready returns a channel that is closed once all records present at the start of Run
// have been applied.
func (s *Subscription) Ready() <-chan struct{} { return s.ready }

// Changed returns a channel that holds a token if the rules have changed since the last
// token was taken. The first token comes with Ready.
func (s *Subscription) Changed() <-chan struct{} { return s.changed }

// Status describes the progress of the subscription.
type Status struct {
	Partitions int           // number followed
	Lag        int64         // offsets between the last record read and the ends of the partitions: records, and gaps between them
	Late       time.Duration // age of the last record read, of the partition where the record is oldest; 0 without lag
	Rules      int           // number held
	Bad        int           // number of unreadable records and sets, which were skipped
	Older      int           // number of records older than the rules held
	Away       error         // why the topic cannot be followed now: it does not exist; nil: it is followed
}

// Status returns the present status. Any goroutine may call Status at any time.
func (s *Subscription) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := Status{Rules: s.List().Len(), Bad: s.bad, Partitions: len(s.parts), Away: s.away}
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

// Run follows the topic until ctx ends, and then returns nil, or until a permanent error, such
// as that of an invalid Options.Host. While the topic does not exist, the rules stay unchanged,
// and Run waits for it.
func (s *Subscription) Run(ctx context.Context) error {
	if s.o.Host != "" {
		if err := s.live.SetHost(s.o.Host); err != nil {
			return err
		}
	}
	for {
		err := s.follow(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, kafka.ErrNoTopic):
			s.mu.Lock()
			s.away = err
			s.mu.Unlock()
			s.o.Failed(fmt.Errorf("%w; the rules stay as they are until the topic is back", err))
		case errors.Is(err, kafka.ErrBeyondEnd), errors.Is(err, kafka.ErrRecreated):
			s.o.Failed(fmt.Errorf("%w; the topic is read again from its start", err))
		default:
			return err
		}
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
	s.parts, s.away = nil, nil
	for _, r := range ranges {
		s.parts = append(s.parts, &part{sets: ledger.Sets{Most: s.o.MaxBytes}, sites: map[string]*held{}, next: r.First, goal: r.End, end: r.End})
	}
	s.dirty = true
	err = s.settle() // for topics without records
	parts := s.parts
	s.mu.Unlock()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var readers sync.WaitGroup
	for number, p := range parts {
		readers.Go(func() { cancel(s.read(ctx, number, p)) })
	}
	readers.Wait()
	return context.Cause(ctx)
}

// read reads a partition until an error.
func (s *Subscription) read(ctx context.Context, number int, p *part) error {
	in := s.log.Add(s.o.Topic, number, kafka.First)
	defer in.Close()
	for {
		b, err := in.Read(ctx)
		if err != nil {
			return err
		}
		s.take(p, b)
	}
}

// take applies a batch and replaces the rules if they have changed.
func (s *Subscription) take(p *part, b *kafka.Batch) {
	s.mu.Lock()
	var bad []error
	changed := p.apply(b, s.o.keeps, func(err error) { bad = append(bad, err) })
	s.bad += len(bad)
	s.dirty = s.dirty || changed
	lacked := s.lacksHost()
	if err := s.settle(); err != nil {
		bad = append(bad, err)
	}
	lacks := s.lacksHost() && !lacked
	s.mu.Unlock()
	if len(bad) > 0 {
		s.o.Failed(fmt.Errorf("%d %w, the first: %w", len(bad), ErrSkipped, bad[0]))
	}
	if lacks {
		s.o.Failed(fmt.Errorf("apply %s: %w (Options.Host)", s.o.Topic, rules.ErrNoHost))
	}
}

// lacksHost reports whether there are rules without a site, and the options name no host.
func (s *Subscription) lacksHost() bool {
	return s.o.Host == "" && s.List().Of("").Len() > 0
}

// settle replaces the rules held by those of the partitions, once all records present
// at the start have been read. An error names sites that were left out; the other sites
// are held.
func (s *Subscription) settle() error {
	if !s.dirty || slices.ContainsFunc(s.parts, func(p *part) bool { return p.next < p.goal }) {
		return nil
	}
	s.dirty = false
	all := map[string]*held{}
	for _, p := range s.parts {
		for name, h := range p.sites {
			if other := all[name]; other == nil || other.at < h.at { // in two partitions after a change of the number of partitions
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
			return fmt.Errorf("apply rules: %w; the previous rules stay", bad)
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

// keeps reports whether the options select a rule.
func (o *Options) keeps(site, id string) bool {
	named := func(list []string) bool { return slices.Contains(list, site) || slices.Contains(list, id) }
	return (len(o.Only) == 0 || slices.Contains(o.Only, site)) && (len(o.Allow) == 0 || named(o.Allow)) && !named(o.Deny)
}
