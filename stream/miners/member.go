package miners

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"dustbuster/operators/rule/report"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
	"dustbuster/stream/loop"
	"dustbuster/stream/prober"
)

// Options describe the topics of a member and the work on them.
type Options struct {
	Cluster      *kafka.Cluster
	Group        string
	Session      time.Duration
	Observations string // topic
	Partitions   int    // of Observations, when they were compared with those of Rules
	Rules        string // topic
	Events       string // topic
	Reports      string // topic of crawlers' reports; "": none

	Head     evidence.Head   // of observations that this miner can fold
	Limits   admit.Limits    // of their URLs
	Silence  time.Duration   // in record time after which a site is forgotten; 0: never
	Loop     loop.Options    // of each partition's loop; Validate, Folded and MaxClockSkew are set here
	Validate *prober.Options // of each partition's worker; the workers share a Fetcher; nil: rules are not tried

	Report func(Report) // called with reports; may be nil
}

// Report is an event in the life of a partition, for the operator.
type Report struct {
	Partition int // -1: of the group
	Kind      Kind
	Count     int64 // position, offset or number, by the kind
	Doing     string
	Err       error

	counted bool // by a loop
}

// Kind is the subject of a report.
type Kind string

// The kinds of report.
const (
	Assigned Kind = "assigned" // reading begins, at the position Count
	Kept     Kind = "kept"     // the loop continues, at the position Count
	Grown    Kind = "grown"    // the topic has Count partitions now; the added partitions are not served
	Revoked  Kind = "revoked"  // another member owns the partition now; its state has been dropped
	Lost     Kind = "lost"     // Count offsets went from the topic before they were read, or cannot be read
	Refused  Kind = "refused"  // the record at the offset Count was passed over
	Unlike   Kind = "unlike"   // agents with other settings have sent Count observations so far
	Failed   Kind = "failed"   // Doing failed, and is tried again
)

// Member is one member of the group. One goroutine calls Run. Any goroutine may call the
// other methods.
type Member struct {
	o    Options
	logs *kafka.Reader // of the partitions' logs

	reports   *kafka.Reader // of crawlers' reports, whose topic may be away while the others are not
	reporters reporters
	failures  failures

	mu         sync.Mutex
	generation *kafka.Generation  // nil: none
	group      *kafka.Group       // nil: not joined yet
	count      int                // partitions of the topic: see pin; 0: the topic does not exist
	grown      int                // present number of partitions, if partitions were added; else 0
	owned      map[int]*partition // of this generation, or of the last
}

// New returns a member that has not joined yet.
func New(o Options) *Member {
	if o.Report == nil {
		o.Report = func(Report) {}
	}
	m := &Member{o: o, reporters: reporters{limits: report.NewLimiter(report.AtOnce)}, owned: map[int]*partition{}}
	m.o.Report = func(r Report) {
		m.failures.count(&r)
		o.Report(r)
	}
	return m
}

// Run joins the group and serves the assigned partitions until ctx ends. A returned error
// is final: for example, the topic does not exist, or must not be read.
func (m *Member) Run(ctx context.Context) error {
	m.pin(m.o.Partitions)
	group, err := m.o.Cluster.Join(ctx, kafka.GroupOptions{Group: m.o.Group, Topics: []string{m.o.Observations}, Session: m.o.Session,
		OnError: m.failed("follow the group"),
		Looked:  func(v kafka.Coverage) { m.pin(v.Partitions[m.o.Observations]) }})
	if err != nil {
		return err
	}
	m.mu.Lock()
	m.group = group
	m.mu.Unlock()
	m.logs = kafka.NewReader(m.o.Cluster, kafka.ReaderOptions{Compacted: true, OnError: m.failed("follow rules")})
	defer m.logs.Close()
	m.reports = kafka.NewReader(m.o.Cluster, kafka.ReaderOptions{OnError: m.failed("read reports")})
	defer m.reports.Close()
	defer m.drop(nil)
	defer group.Close()
	for {
		generation, err := group.Next(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		m.serve(ctx, generation)
	}
}

// failed returns a function that reports errors of the group.
func (m *Member) failed(doing string) func(error) {
	return func(err error) { m.o.Report(Report{Partition: -1, Kind: Failed, Doing: doing, Err: err}) }
}

// serve runs the loops of a generation's partitions until it ends.
func (m *Member) serve(ctx context.Context, generation *kafka.Generation) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ids, count := m.served(ctx, generation)
	m.drop(ids)
	reader := kafka.NewReader(m.o.Cluster, kafka.ReaderOptions{OnError: m.failed("read observations")})
	var loops sync.WaitGroup
	m.mu.Lock()
	m.generation = generation
	if m.count != count { // later changes are handled by pin
		generation.Expire()
	}
	for _, id := range ids {
		p := m.owned[id]
		if p == nil {
			p = newPartition(m, id, count)
			m.owned[id] = p
		}
		loops.Go(func() { p.serve(ctx, generation, reader) })
	}
	m.mu.Unlock()
	m.commit(ctx, generation)
	stop()
	loops.Wait()
	reader.Close()
	m.commitOnce(generation)
	generation.Release()
}

// drop drops all partitions but the given ones, and the partitions of a topic that is gone.
func (m *Member) drop(but []int) {
	m.mu.Lock()
	var gone []*partition
	for id, p := range m.owned {
		if !slices.Contains(but, id) || p.of != m.count {
			gone = append(gone, p)
			delete(m.owned, id)
		}
	}
	m.mu.Unlock()
	for _, p := range gone { // without the lock, for which its worker may wait
		p.forget()
		p.log.Close()
		m.o.Report(Report{Partition: p.id, Kind: Revoked})
	}
}

// commitEvery is the interval of commits of positions, for monitors of the lag.
const commitEvery = 5 * time.Second

// commit commits positions now and then until a generation or ctx ends.
func (m *Member) commit(ctx context.Context, generation *kafka.Generation) {
	tick := time.NewTicker(commitEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			m.commitOnce(generation)
		case <-generation.Done():
			return
		case <-ctx.Done():
			return
		}
	}
}

func (m *Member) commitOnce(generation *kafka.Generation) {
	var offsets []kafka.Offset
	for _, s := range m.Partitions() {
		if s.Position >= 0 {
			offsets = append(offsets, kafka.Offset{Topic: m.o.Observations, Partition: s.Partition, Offset: s.Position})
		}
	}
	if len(offsets) == 0 {
		return
	}
	if err := generation.Commit(offsets...); err != nil {
		m.failed("commit positions")(err)
	}
}

// MayFetch reports whether this member may fetch from a site at this moment.
func (m *Member) MayFetch(site string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.count > 0 && m.owned[kafka.PartitionOf([]byte(site), m.count)] != nil && m.generation.Holds()
}

// mayWrite reports whether logs may be written to: while this member owns the partitions,
// and for a short time after, while the group waits for this member.
func (m *Member) mayWrite() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.generation != nil && m.generation.Lasts()
}

// Partition describes the state of one partition.
type Partition struct {
	Partition int                         `json:"partition"`
	Position  int64                       `json:"position"`             // up to which observations were folded; -1: none yet
	End       int64                       `json:"end"`                  // of the partition, as last heard
	Lost      int64                       `json:"lost_records"`         // records deleted before they were read
	Refused   int64                       `json:"refused_observations"` // passed over; of a record that cannot be read, one
	Reports   int64                       `json:"refused_reports"`      // reports passed over
	Deleted   int64                       `json:"deleted_offsets"`      // before the first observation, as of the assignment
	Unlike    [evidence.Differences]int64 `json:"-"`                    // observations of agents with other settings

	Cut      int64 `json:"deleted_rules"`   // offsets before the first record of rules, as of the claim; without deletion 0
	Hanging  int64 `json:"hanging_offsets"` // not readable, since a transaction has been open for a minute
	CaughtUp bool  `json:"caught_up"`
}

// Partitions are those owned, in order.
func (m *Member) Partitions() (all []Partition) {
	for _, p := range m.all() {
		all = append(all, p.status())
	}
	return all
}

func (m *Member) all() []*partition {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.SortedFunc(maps.Values(m.owned), func(a, b *partition) int { return a.id - b.id })
}

// State returns the merged state of all loops, with all errors since New.
func (m *Member) State() *loop.State { return m.failures.addTo(loop.Merge(m.states())) }

// Known returns the merged state of all loops, and why rules of this member may be missing: its
// partitions are not known, or are being claimed.
func (m *Member) Known() (*loop.State, error) {
	m.mu.Lock()
	generation := m.generation
	m.mu.Unlock()
	var states []*loop.State
	var missing error
	for _, p := range m.all() {
		if s := p.state(); s != nil {
			states = append(states, s)
		} else {
			missing = fmt.Errorf("the rules of partition %d are being read", p.id)
		}
	}
	switch {
	case generation == nil || !generation.Holds():
		missing = errNotJoined
	case missing == nil && len(states) == 0:
		missing = errNoPartition
	}
	return m.failures.addTo(loop.Merge(states)), missing
}

// Revision changes whenever the state changes.
func (m *Member) Revision() (sum int64) {
	for _, s := range m.states() {
		sum += s.Revision
	}
	return sum
}

func (m *Member) states() (all []*loop.State) {
	for _, p := range m.all() {
		if s := p.state(); s != nil {
			all = append(all, s)
		}
	}
	return all
}

// Workers returns the workers that try the rules of each owned partition; none if rules are
// not tried.
func (m *Member) Workers() (all []*prober.Worker) {
	for _, p := range m.all() {
		if _, w := p.live(); w != nil {
			all = append(all, w)
		}
	}
	return all
}

// Stalled returns for how long a loop has not turned; 0 if no loop hangs.
func (m *Member) Stalled() (longest time.Duration) {
	for _, p := range m.all() {
		if l, _ := p.live(); l != nil {
			longest = max(longest, l.Stalled())
		}
	}
	return longest
}
