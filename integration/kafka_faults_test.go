package integration

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

// load writes numbered records to the partitions of a topic, one after the
// other, and reads them, until it is stopped.
type load struct {
	topic      string
	partitions int
	cancel     context.CancelFunc
	done       sync.WaitGroup

	mutex    sync.Mutex
	acked    int           // numbers below it are acknowledged
	seen     map[int]bool  // numbers read
	wrote    time.Time     // the last acknowledgement
	read     time.Time     // the last batch
	longest  time.Duration // without an acknowledgement
	longRead time.Duration // without a batch
	heap     uint64
	lost     int64
	failed   error
}

func start(t *testing.T, c *kafka.Cluster, topic string, partitions int) *load {
	ctx, cancel := context.WithCancel(t.Context())
	l := &load{topic: topic, partitions: partitions, cancel: cancel, seen: map[int]bool{}, wrote: time.Now(), read: time.Now()}
	r := kafka.NewReader(c, kafka.ReaderOptions{OnError: func(err error) { t.Log("reader:", err) }})
	var readers sync.WaitGroup
	for p := range partitions {
		part := r.Add(topic, p, kafka.First)
		readers.Go(func() { l.reads(ctx, part) })
	}
	l.done.Go(func() {
		l.writes(ctx, c)
		readers.Wait()
		r.Close()
	})
	t.Cleanup(func() { cancel(); l.done.Wait() })
	return l
}

func (l *load) writes(ctx context.Context, c *kafka.Cluster) {
	padding := make([]byte, 1000)
	for n := 0; ctx.Err() == nil; n += 10 {
		var records []kafka.Record
		for i := range 10 {
			records = append(records, kafka.Record{Key: strconv.AppendInt(nil, int64(n+i), 10), Value: padding})
		}
		err := c.Produce(ctx, l.topic, n/10%l.partitions, records)
		l.mutex.Lock()
		if err == nil {
			l.acked = n + 10
			l.longest = max(l.longest, time.Since(l.wrote))
			l.wrote = time.Now()
		} else if ctx.Err() == nil {
			l.failed = err
		}
		l.mutex.Unlock()
		if err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func (l *load) reads(ctx context.Context, p *kafka.Partition) {
	last := int64(-1)
	for {
		b, err := p.Read(ctx)
		l.mutex.Lock()
		if err != nil {
			if ctx.Err() == nil {
				l.failed = err
			}
			l.mutex.Unlock()
			return
		}
		for _, r := range b.Records {
			n, err := strconv.Atoi(string(r.Key))
			if err != nil || r.Offset <= last {
				l.failed = fmt.Errorf("offset %d after %d, key %q", r.Offset, last, r.Key)
			}
			last = r.Offset
			l.seen[n] = true
		}
		l.lost += b.Lost
		if len(b.Records) > 0 {
			l.longRead = max(l.longRead, time.Since(l.read))
			l.read = time.Now()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		l.heap = max(l.heap, m.HeapInuse)
		l.mutex.Unlock()
	}
}

// recovered waits until something written after now has been acknowledged and
// something been read, and tells how long it took.
func (l *load) recovered(t *testing.T, what string) {
	t.Helper()
	start := time.Now()
	for {
		l.mutex.Lock()
		wrote, read, failed := l.wrote.After(start), l.read.After(start), l.failed
		l.mutex.Unlock()
		if failed != nil {
			t.Fatal(what, failed)
		}
		if wrote && read {
			t.Logf("%s: written and read again after %v", what, time.Since(start).Round(time.Millisecond))
			return
		}
		if time.Since(start) > patience {
			t.Fatalf("%s: after three minutes written %v, read %v", what, wrote, read)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// finish waits until all that was acknowledged has been read.
func (l *load) finish(t *testing.T) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		l.mutex.Lock()
		missing, acked := 0, l.acked
		for n := range acked {
			if !l.seen[n] {
				missing++
			}
		}
		l.mutex.Unlock()
		if missing == 0 {
			break
		}
		if time.Since(start) > patience {
			t.Fatalf("%d of %d acknowledged records were not read", missing, acked)
		}
	}
	l.cancel()
	l.done.Wait()
	if l.failed != nil || l.lost > 0 {
		t.Errorf("lost %d, %v", l.lost, l.failed)
	}
	t.Logf("%d records, none lost; longest without an acknowledgement %v, without a batch %v; heap at most %d MB",
		l.acked, l.longest.Round(time.Millisecond), l.longRead.Round(time.Millisecond), l.heap>>20)
}

func TestKafkaBrokerRestarts(t *testing.T) {
	t.Parallel()
	brokers := kafkatest.Start(t, kafkatest.Options{})
	c := openKafka(t, kafka.Options{Brokers: brokers.Brokers, Timeout: 5 * time.Second})
	l := start(t, c, topicOf(t, c, 3, nil), 3)
	time.Sleep(time.Second)
	brokers.Stop(t, 1)
	brokers.Run(t, 1)
	l.recovered(t, "stopped and started")
	time.Sleep(time.Second)
	brokers.Kill(t, 1)
	brokers.Run(t, 1)
	l.recovered(t, "killed and started")
	time.Sleep(time.Second)
	brokers.Pause(t, 1)
	time.Sleep(7 * time.Second)
	brokers.Resume(t, 1)
	l.recovered(t, "paused for 7 s")
	l.finish(t)
}

// With three brokers, one of which is killed, the others go on.
func TestKafkaLeaderKilled(t *testing.T) {
	t.Parallel()
	brokers := kafkatest.Start(t, kafkatest.Options{Nodes: 3, Config: map[string]string{"min.insync.replicas": "2"}})
	c := openKafka(t, kafka.Options{Brokers: brokers.Brokers, Timeout: 5 * time.Second})
	l := start(t, c, topicOf(t, c, 6, nil), 6)
	time.Sleep(2 * time.Second)
	brokers.Kill(t, 2)
	l.recovered(t, "one of three killed")
	time.Sleep(2 * time.Second)
	brokers.Run(t, 2)
	l.recovered(t, "and started")
	brokers.Kill(t, 1)
	l.recovered(t, "another killed")
	l.finish(t)
}

func TestKafkaNetwork(t *testing.T) {
	t.Parallel()
	p := newProxy(t)
	brokers := kafkatest.Start(t, kafkatest.Options{Advertise: map[int]int{1: p.Port}})
	p.target.Store(int64(brokers.Ports[0]))
	c := openKafka(t, kafka.Options{Brokers: brokers.Brokers, Timeout: 2 * time.Second})
	l := start(t, c, topicOf(t, c, 2, nil), 2)
	time.Sleep(time.Second)
	for range 5 {
		p.cut()
		l.recovered(t, "connections cut")
	}
	p.refuse.Store(true)
	p.cut()
	time.Sleep(3 * time.Second)
	p.refuse.Store(false)
	l.recovered(t, "no connection for 3 s")
	p.hole.Store(true)
	time.Sleep(3 * time.Second)
	p.hole.Store(false)
	l.recovered(t, "all bytes swallowed for 3 s")
	p.rate.Store(50_000)
	time.Sleep(5 * time.Second)
	l.recovered(t, "at 50 kB/s")
	p.rate.Store(0)
	l.finish(t)
}

// Closing waits for no network.
func TestKafkaCloseWithoutNetwork(t *testing.T) {
	p := newProxy(t)
	brokers := kafkatest.Start(t, kafkatest.Options{Advertise: map[int]int{1: p.Port}})
	p.target.Store(int64(brokers.Ports[0]))
	before := runtime.NumGoroutine()
	const timeout = 30 * time.Second // long, to tell who waits for the network
	c := openKafka(t, kafka.Options{Brokers: brokers.Brokers, Timeout: timeout})
	topic := topicOf(t, c, 8, nil)
	g, err := c.Join(t.Context(), kafka.GroupOptions{Group: topic, Topics: []string{topic}, Session: 3 * timeout}) // a third is for answers
	must(t, err)
	if _, err := g.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := kafka.NewReader(c, kafka.ReaderOptions{})
	for n := range 8 {
		r.Add(topic, n, 0)
	}
	time.Sleep(500 * time.Millisecond)
	p.mutex.Lock()
	t.Logf("8 partitions and a group: %d goroutines with the proxy's, %d connections", runtime.NumGoroutine()-before, len(p.conns)/2)
	p.mutex.Unlock()
	p.hole.Store(true)
	time.Sleep(500 * time.Millisecond)
	for _, one := range []struct {
		what  string
		close func()
	}{{"reader", r.Close}, {"group", g.Close}, {"cluster", c.Close}} {
		start := time.Now()
		one.close()
		d := time.Since(start)
		t.Logf("%s closed in %v", one.what, d.Round(time.Millisecond))
		if d >= timeout {
			t.Errorf("%s took %v to close", one.what, d)
		}
	}
	p.cut()
	for start := time.Now(); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Since(start) > patience {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines are left:\n%s", runtime.NumGoroutine()-before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// What retention takes before it was read is counted.
func TestKafkaRetentionOvertakes(t *testing.T) {
	t.Parallel()
	_, c := sharedKafka(t)
	topic := topicOf(t, c, 1, map[string]string{"retention.ms": "500", "segment.ms": "200", "file.delete.delay.ms": "0"})
	write := func(n int) {
		for range n {
			must(t, c.Produce(t.Context(), topic, 0, []kafka.Record{{Value: []byte("x")}, {Value: []byte("y")}}))
		}
	}
	write(5)
	r := kafka.NewReader(c, kafka.ReaderOptions{PartitionBytes: 1})
	defer r.Close()
	slow := r.Add(topic, 0, 0)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := slow.Read(ctx); err != nil { // and no further: it holds a few batches
		t.Fatal(err)
	}
	var first int64
	for ; first < 20; time.Sleep(300 * time.Millisecond) {
		write(2)
		ranges, err := c.Offsets(t.Context(), topic)
		must(t, err)
		first = ranges[0].First
		if ctx.Err() != nil {
			t.Fatal("retention deletes nothing")
		}
	}
	var writing sync.WaitGroup // retention may take all that is there before it is read
	writing.Go(func() {
		for ctx.Err() == nil {
			if err := c.Produce(ctx, topic, 0, []kafka.Record{{Value: []byte("z")}}); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	defer writing.Wait()
	defer cancel()
	other := kafka.NewReader(c, kafka.ReaderOptions{})
	defer other.Close()
	for _, c := range []struct {
		name string
		want *kafka.Partition
	}{{"was slow", slow}, {"begins below", other.Add(topic, 0, 0)}} {
		lost, records, next := int64(0), int64(0), int64(0)
		for lost == 0 || records == 0 {
			b, err := c.want.Read(ctx)
			if err != nil {
				t.Fatal(c.name, err)
			}
			lost += b.Lost
			records += int64(len(b.Records))
			next = b.Next
			if b.Lost > 0 {
				t.Logf("%s: lost %d: %v", c.name, b.Lost, b.Why)
			}
		}
		if c.name == "begins below" && (lost < first || lost+records != next) {
			t.Errorf("%s: lost %d, read %d, came to %d; the log begins at %d or later", c.name, lost, records, next, first)
		}
	}
}

// A topic that is deleted is told, and one that is made anew too, where the
// position shows it.
func TestKafkaTopicDeleted(t *testing.T) {
	t.Parallel()
	_, c := sharedKafka(t)
	client := &kafkago.Client{Addr: kafkago.TCP(kafkatest.Shared(t).Brokers...), Transport: &kafkago.Transport{}}
	defer client.Transport.(*kafkago.Transport).CloseIdleConnections()
	topic := topicOf(t, c, 1, nil)
	write := func(n int) {
		must(t, c.Produce(t.Context(), topic, 0, slices.Repeat([]kafka.Record{{Value: []byte("x")}}, n)))
	}
	write(20)
	r := kafka.NewReader(c, kafka.ReaderOptions{})
	defer r.Close()
	p := r.Add(topic, 0, 0)
	readTo(t, p, 20)
	if _, err := client.DeleteTopics(t.Context(), &kafkago.DeleteTopicsRequest{Topics: []string{topic}}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for _, err := p.Read(ctx); ; _, err = p.Read(ctx) {
		if err != nil {
			if !errors.Is(err, kafka.ErrNoTopic) {
				t.Errorf("deleted: %v", err)
			}
			t.Log("deleted:", err)
			break
		}
	}
	if _, err := c.Topic(ctx, topic); !errors.Is(err, kafka.ErrNoTopic) {
		t.Errorf("deleted: %v", err)
	}
	if err := c.Produce(ctx, topic, 0, []kafka.Record{{}}); !errors.Is(err, kafka.ErrNoTopic) {
		t.Errorf("deleted: %v", err)
	}
	must(t, c.Create(ctx, kafka.Topic{Name: topic, Partitions: 1, Replicas: 1}))
	if err := c.Create(ctx, kafka.Topic{Name: topic, Partitions: 1, Replicas: 1}); !errors.Is(err, kafka.ErrExists) {
		t.Errorf("made twice: %v", err)
	}
	write(3)
	if b, err := r.Add(topic, 0, 20).Read(ctx); !errors.Is(err, kafka.ErrBeyondEnd) {
		t.Errorf("made anew: %v, %v", b, err)
	} else {
		t.Log("made anew:", err)
	}
	if _, err := r.Add(topic, 1, 0).Read(ctx); !errors.Is(err, kafka.ErrNoTopic) {
		t.Errorf("no such partition: %v", err)
	}
	large := make([]byte, 3<<20)
	for i := range large {
		large[i] = byte(rand.Uint32())
	}
	if err := c.Produce(ctx, topic, 0, []kafka.Record{{Value: large}}); !errors.Is(err, kafka.ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
}
