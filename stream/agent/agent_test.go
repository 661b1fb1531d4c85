package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/public"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/urllist"
	"dustbuster/stream/kafka"
	"dustbuster/stream/records"
)

var options = Options{Head: evidence.Head{Pane: 7200, Check: 5}, Topic: "observations", Partitions: 3,
	MaxBytes: 2000, Linger: time.Second, Commit: time.Second, FlushTimeout: 5 * time.Second}

func newAgent(t *testing.T, o Options, to Producer) *Agent {
	t.Helper()
	a, err := New(o, to)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// hit is the content of a line.
type hit struct {
	site string
	evidence.Observation
}

func randomHits(rng *rand.Rand, n int) []hit {
	hits := make([]hit, n)
	for i := range hits {
		h := &hits[i]
		h.site = fmt.Sprintf("%c.example", 'a'+rng.IntN(5))
		h.URL = fmt.Appendf(nil, "/page?id=%d", rng.IntN(20))
		h.Time = 1e9 + rng.Int64N(20_000)
		h.Min = 1 + rng.Int64N(9)
		h.Max = h.Min
		h.Clients = 1 << rng.IntN(9)
	}
	return hits
}

// logs is a source of several files with its committed positions.
type logs struct {
	files     [][]hit
	committed []int64
	at        []int64
	rng       *rand.Rand // of Read
	commits   *rand.Rand // of Commit, which another goroutine calls
	block     bool       // at the end, wait for ctx
	refuse    bool       // some commits fail
}

func newLogs(rng *rand.Rand, files, lines int) *logs {
	l := &logs{rng: rng, commits: rand.New(rand.NewPCG(rng.Uint64(), 1)), committed: make([]int64, files)}
	for range files {
		l.files = append(l.files, randomHits(rng, rng.IntN(lines)))
	}
	return l
}

// open goes back to the committed positions.
func (l *logs) open() { l.at = slices.Clone(l.committed) }

func (l *logs) Read(ctx context.Context) (*records.Batch, error) {
	time.Sleep(time.Duration(l.rng.IntN(300)) * time.Millisecond)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var left []int
	for f, hits := range l.files {
		if l.at[f] < int64(len(hits)) {
			left = append(left, f)
		}
	}
	if len(left) == 0 && l.block {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if len(left) == 0 {
		return nil, io.EOF
	}
	f := left[l.rng.IntN(len(left))]
	b := new(records.Batch)
	n := min(1+l.rng.Int64N(40), int64(len(l.files[f]))-l.at[f])
	for _, h := range l.files[f][l.at[f] : l.at[f]+n] {
		b.Add(h.site, &h.Observation)
	}
	l.at[f] += n
	b.File, b.End = uint64(f), l.at[f]
	b.Counts.Lines = int(n)
	if l.block && l.rng.IntN(10) == 0 {
		b.End = 0 // the last line goes on
	}
	return b, nil
}

func (l *logs) Commit(_ context.Context, ends map[uint64]int64) error {
	if l.refuse && l.commits.IntN(4) == 0 {
		return errors.New("no room")
	}
	for f, end := range ends {
		if end < l.committed[f] {
			return fmt.Errorf("commit of %d after %d", end, l.committed[f])
		}
		l.committed[f] = end
	}
	return nil
}

// cluster is Kafka in memory.
type cluster struct {
	mu      sync.Mutex
	rng     *rand.Rand
	records map[place][]kafka.Record
	most    int  // records accepted at once
	hang    bool // some requests get no answer
}

func newCluster(rng *rand.Rand) *cluster {
	return &cluster{rng: rng, records: map[place][]kafka.Record{}, most: 1 << 30}
}

func (c *cluster) Produce(ctx context.Context, topic string, partition int, list []kafka.Record) error {
	c.mu.Lock()
	wait := time.Duration(c.rng.IntN(700)) * time.Millisecond
	if c.hang && c.rng.IntN(10) == 0 {
		wait = time.Hour
	}
	before := c.rng.IntN(2) == 0 // the write happens before the wait, which may fail
	c.mu.Unlock()
	write := func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.records[place{topic, partition}] = append(c.records[place{topic, partition}], list...)
	}
	if len(list) > c.most {
		return fmt.Errorf("broker: %w", kafka.ErrTooLarge)
	}
	if before {
		write()
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return ctx.Err()
	}
	if !before {
		write()
	}
	return nil
}

// fold returns the content of tables after folding. Of a settled URL it has no clients: an agent sends only some.
func fold(give func(func(site string, o *evidence.Observation))) string {
	tables, lists := map[string]*table.Table{}, map[string]*urllist.List{}
	give(func(site string, o *evidence.Observation) {
		if tables[site] == nil {
			lists[site] = urllist.New()
			tables[site] = table.New(table.Options{Pane: options.Head.Pane, Window: 86400, MaxURLs: 10_000}, lists[site])
		}
		tables[site].Fold(o)
	})
	var lines []string
	for site, t := range tables {
		clients := map[string]uint16{}
		for o := range t.Observations() {
			lines = append(lines, fmt.Sprintf("%s %s %d %d-%d", site, o.URL, o.Time, o.Min, o.Max))
			clients[string(o.URL)] |= o.Clients
		}
		urls, masks := slices.Sorted(maps.Keys(clients)), []uint16{}
		for _, url := range urls {
			masks = append(masks, clients[url])
		}
		for i, settled := range public.Settle(masks, slices.All(urls)) {
			if !settled {
				lines = append(lines, fmt.Sprintf("%s %s: %b", site, urls[i], masks[i]))
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func (l *logs) fold() string {
	return fold(func(give func(string, *evidence.Observation)) {
		for _, hits := range l.files {
			for i := range hits {
				give(hits[i].site, &hits[i].Observation)
			}
		}
	})
}

func (c *cluster) fold(t *testing.T) string {
	d := evidence.NewDecoder(nil)
	return fold(func(give func(string, *evidence.Observation)) {
		for at, list := range c.records {
			for _, r := range list {
				v, err := d.Decode(r.Value)
				if err != nil || v.Head != options.Head || v.Refused > 0 {
					t.Fatalf("record of %q: %+v, %v", r.Key, v, err)
				}
				if want := kafka.PartitionOf(r.Key, options.Partitions); want != at.partition {
					t.Fatalf("%q in partition %d, want %d", r.Key, at.partition, want)
				}
				for i := range v.List {
					give(string(r.Key), &v.List[i])
				}
			}
		}
	})
}

// Whatever the brokers do, and however often agents end, cleanly or not, the table built
// from the topic is that of all lines.
func TestNothingIsLost(t *testing.T) {
	for seed := range uint64(300) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			source, to := newLogs(rng, 1+rng.IntN(4), 400), newCluster(rand.New(rand.NewPCG(seed, 2)))
			o := options
			o.Entries = 1 + rng.IntN(200)
			a := newAgent(t, o, to)
			for range rng.IntN(6) {
				if rng.IntN(2) == 0 {
					a = newAgent(t, o, to)
				}
				source.open()
				source.block, source.refuse = true, true
				to.hang = true
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rng.IntN(20_000))*time.Millisecond)
				if err := a.Run(ctx, source); err != nil && !errors.Is(err, ErrUndelivered) && !strings.Contains(err.Error(), "no room") {
					t.Errorf("seed %d: %v", seed, err)
				}
				cancel()
			}
			source.open()
			source.block, source.refuse, to.hang = false, false, false
			if err := a.Run(t.Context(), source); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			if got, want := to.fold(t), source.fold(); got != want {
				t.Errorf("seed %d: from the topic\n%s\nfrom the lines\n%s", seed, got, want)
			}
			if s := a.Status(); s.Waiting != 0 {
				t.Errorf("seed %d: at the end %+v", seed, s)
			}
			for f, hits := range source.files {
				if source.committed[f] != int64(len(hits)) {
					t.Errorf("seed %d: of %d lines %d are dealt with", seed, len(hits), source.committed[f])
				}
			}
		})
	}
}

// While brokers do not answer, the lines read are bounded, the agent does not count as
// stalled, and nothing is committed.
func TestOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		source := newLogs(rng, 1, 1)
		source.files[0] = nil
		for i := range 20_000 {
			source.files[0] = append(source.files[0], hit{"a.example", evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Min: 1, Max: 1, Time: 1e9}})
		}
		source.open()
		a := newAgent(t, options, outage{})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- a.Run(ctx, source) }()
		time.Sleep(24 * time.Hour)
		if s := a.Status(); s.Counts.Lines == 0 || s.Counts.Lines > 200 || source.committed[0] != 0 || a.Stalled() > time.Minute {
			t.Errorf("%d lines read, %d committed, stalled for %v", s.Counts.Lines, source.committed[0], a.Stalled())
		}
		cancel()
		if err := <-ended; !errors.Is(err, ErrUndelivered) || a.Stalled() != 0 {
			t.Errorf("%v, stalled for %v", err, a.Stalled())
		}
		if source.committed[0] != 0 {
			t.Error("committed what never arrived")
		}
	})
}

// outage never answers.
type outage struct{}

func (outage) Produce(ctx context.Context, _ string, _ int, _ []kafka.Record) error {
	<-ctx.Done()
	return ctx.Err()
}

// A batch too large for a broker is sent in halves. A single record that is too large is an
// error with that reason.
func TestTooLarge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source, to := newLogs(rand.New(rand.NewPCG(3, 3)), 2, 400), newCluster(rand.New(rand.NewPCG(3, 4)))
		o := options
		o.Partitions, o.Linger, o.MaxBytes = 1, time.Minute, 1e6
		to.most = 2
		for most, want := range []error{kafka.ErrTooLarge, nil} {
			to.most = most
			source.open()
			a := newAgent(t, o, to)
			if err := a.Run(t.Context(), source); !errors.Is(err, want) {
				t.Errorf("at most %d: %v, want %v", most, err, want)
			}
		}
		if source.committed[0] != int64(len(source.files[0])) {
			t.Errorf("%d committed of %d", source.committed[0], len(source.files[0]))
		}
	})
}

// Lines ahead of the clock are refused, and counted.
func TestAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source, to := newLogs(rand.New(rand.NewPCG(3, 3)), 1, 1), newCluster(rand.New(rand.NewPCG(1, 1)))
		now := time.Now().Unix()
		source.files[0] = nil
		for _, ahead := range []int64{-1e6, 0, 86400, 86401, 1e6} {
			source.files[0] = append(source.files[0], hit{"", evidence.Observation{URL: fmt.Appendf(nil, "/%d", ahead), Time: now + ahead}})
		}
		source.open()
		source.rng = rand.New(rand.NewPCG(3, 4))
		o := options
		o.MaxClockSkew = 24 * time.Hour
		a := newAgent(t, o, to)
		if err := a.Run(t.Context(), source); err != nil {
			t.Fatal(err)
		}
		passed := time.Now().Unix() - now // by the clock of the test, until the lines were read
		if s := a.Status(); s.Ahead < 1 || s.Ahead > 2 || passed == 0 && s.Ahead != 2 || s.Sent.Observations != 5-s.Ahead {
			t.Errorf("%d refused, %d sent", s.Ahead, s.Sent.Observations)
		}
	})
}

// Lines that cannot be parsed go to their own topic, masked, before they count as dealt
// with. Without a topic they are only reported.
func TestLetters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, topic := range []string{"", "letters"} {
			rng := rand.New(rand.NewPCG(3, 3))
			source, to := newLogs(rng, 1, 1), newCluster(rand.New(rand.NewPCG(3, 4)))
			source.files[0] = randomHits(rng, 10)
			source.open()
			told := 0
			o := options
			o.DeadLetters, o.DeadLetterPartitions = topic, 2
			o.Mask = func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("192.0.2.1"), []byte("ADDRESS")) }
			o.Malformed = func(string, []byte, error) { told++ }
			a := newAgent(t, o, to)
			for range 3 {
				a.Malformed("lines/3", []byte("192.0.2.1 - nonsense"), errors.New(`what is "192.0.2.1"`))
			}
			if err := a.Run(t.Context(), source); err != nil {
				t.Fatal(err)
			}
			got := append(to.records[place{"letters", 0}], to.records[place{"letters", 1}]...)
			want := map[string]int{"": 0, "letters": 3}[topic]
			if told != 3 || len(got) != want || a.Status().Sent.DeadLetters != want {
				t.Errorf("topic %q: %d told, %d sent, %+v", topic, told, len(got), a.Status().Sent)
			}
			for _, r := range got {
				if text := fmt.Sprintf("%s %s %s", r.Value, r.Headers[0].Value, r.Headers[1].Value); text != `ADDRESS - nonsense lines/3 what is "ADDRESS"` {
					t.Errorf("sent %s", text)
				}
			}
		}
	})
}

// A line of any length makes a letter that brokers accept.
func TestLongLetter(t *testing.T) {
	o := options
	o.DeadLetters, o.DeadLetterPartitions = "letters", 1
	o.Mask = func(b []byte) []byte { return b }
	a := newAgent(t, o, nil)
	a.Malformed("lines/0", make([]byte, 10<<20), errors.New(strings.Repeat("x", 1<<20)))
	if l := a.deadLetters.drain(); len(l) != 1 || len(l[0].Value) != maxLetter || len(l[0].Headers[1].Value) != maxLetter {
		t.Errorf("%d letters", len(l))
	}
}

func TestOptions(t *testing.T) {
	for _, change := range []func(*Options){
		func(o *Options) { o.Partitions = 0 },
		func(o *Options) { o.DeadLetters = "letters" },
		func(o *Options) { o.Head.Pane = -1 },
	} {
		o := options
		change(&o)
		if _, err := New(o, nil); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// once is a source whose lines come only once. Lines read ahead before Stop must be read
// after Stop.
type once struct {
	ahead   int
	stopped chan struct{}
}

func (o *once) Read(ctx context.Context) (*records.Batch, error) {
	select {
	case <-o.stopped:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if o.ahead == 0 {
		return nil, io.EOF
	}
	o.ahead--
	b := new(records.Batch)
	b.Add("", &evidence.Observation{URL: fmt.Appendf(nil, "/%d", o.ahead)})
	return b, nil
}

func (o *once) Commit(context.Context, map[uint64]int64) error { return nil }
func (o *once) Stop()                                          { close(o.stopped) }

// At the end of ctx, the agent sends all lines read ahead by a source with Stop.
func TestStopper(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAgent(t, options, newCluster(rand.New(rand.NewPCG(5, 5))))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := a.Run(ctx, &once{50, make(chan struct{})}); err != nil {
			t.Error(err)
		}
		if sent := a.Status().Sent.Observations; sent != 50 {
			t.Errorf("%d observations sent, want 50", sent)
		}
	})
}
