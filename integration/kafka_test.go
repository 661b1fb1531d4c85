package integration

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

// openKafka connects to a cluster for as long as the test runs.
func openKafka(t testing.TB, o kafka.Options) *kafka.Cluster {
	t.Helper()
	c, err := kafka.Open(t.Context(), o)
	must(t, err)
	t.Cleanup(c.Close)
	return c
}

// sharedKafka is the cluster that tests share, and a connection to it.
func sharedKafka(t testing.TB) (*kafkatest.Cluster, *kafka.Cluster) {
	t.Helper()
	c := kafkatest.Shared(t)
	return c, openKafka(t, kafka.Options{Brokers: c.Brokers})
}

// ownKafka is a cluster of the test's own, which it may stop, and a connection to it.
func ownKafka(t testing.TB) (*kafkatest.Cluster, *kafka.Cluster) {
	t.Helper()
	c := kafkatest.Start(t, kafkatest.Options{})
	return c, openKafka(t, kafka.Options{Brokers: c.Brokers})
}

// topicOf makes a topic with a name of its own.
func topicOf(t testing.TB, c *kafka.Cluster, partitions int, config map[string]string) string {
	t.Helper()
	name := kafkatest.Name(t)
	must(t, c.Create(t.Context(), kafka.Topic{Name: name, Partitions: partitions, Replicas: -1, Config: config}))
	return name
}

// readTo reads a partition up to a position.
func readTo(t testing.TB, p *kafka.Partition, end int64) (records []kafka.Record) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		b, err := p.Read(ctx)
		if err != nil {
			t.Fatalf("after %d records: %v", len(records), err)
		}
		if b.Lost > 0 {
			t.Errorf("lost %d: %v", b.Lost, b.Why)
		}
		records = append(records, b.Records...)
		if b.Next >= end {
			return records
		}
	}
}

// forever are settings by which Kafka keeps records, however old their times are.
var forever = map[string]string{"retention.ms": "-1"}

func TestKafkaRoundTrip(t *testing.T) {
	t.Parallel()
	_, c := sharedKafka(t)
	topic := topicOf(t, c, 3, forever)
	at := time.UnixMilli(1_700_000_000_123)
	want := []kafka.Record{
		{Time: at, Key: []byte("key"), Value: []byte("value"), Headers: []kafka.Header{{Key: "epoch", Value: []byte("1")}, {Key: "none"}, {Key: "empty", Value: []byte{}}}},
		{Time: at.Add(time.Second), Key: []byte("key")},
		{Time: at.Add(-time.Hour), Key: []byte("key"), Value: []byte{}},
		{Time: at, Key: []byte{}, Value: []byte("x")},
		{Time: at, Value: []byte("no key")},
		{Time: at, Key: []byte("large"), Value: bytes.Repeat([]byte("0123456789abcdef"), 1<<16)},
	}
	must(t, c.Produce(t.Context(), topic, 1, want))
	ranges, err := c.Offsets(t.Context(), topic)
	if err != nil || len(ranges) != 3 || ranges[1] != (kafka.Range{First: 0, End: 6}) || ranges[0].End != 0 {
		t.Fatalf("offsets %v, %v", ranges, err)
	}
	r := kafka.NewReader(c, kafka.ReaderOptions{})
	defer r.Close()
	got := readTo(t, r.Add(topic, 1, 0), 6)
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	for i, g := range got {
		w := want[i]
		if g.Offset != int64(i) || !g.Time.Equal(w.Time) || !same(g.Key, w.Key) || !same(g.Value, w.Value) || fmt.Sprintf("%q", g.Headers) != fmt.Sprintf("%q", w.Headers) {
			t.Errorf("record %d: got %.100v, want %.100v", i, g, w)
		}
	}
}

// same tells nil from empty.
func same(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

func TestKafkaGroup(t *testing.T) {
	t.Parallel()
	_, c := sharedKafka(t)
	topic := topicOf(t, c, 4, nil)
	g, err := c.Join(t.Context(), kafka.GroupOptions{Group: topic, Topics: []string{topic}, Session: 20 * time.Second, OnError: func(err error) { t.Log(err) }})
	must(t, err)
	gen, err := g.Next(t.Context())
	must(t, err)
	if len(gen.Partitions[topic]) != 4 || gen.Partitions[topic][3] != (kafka.Assigned{Partition: 3, Committed: -1}) || !gen.Holds() {
		t.Errorf("got %v, holds %v", gen.Partitions, gen.Holds())
	}
	if err := gen.Commit(kafka.Offset{Topic: topic, Partition: 2, Offset: 17}); err != nil {
		t.Error(err)
	}
	gen.Release()
	if gen.Holds() || gen.Commit(kafka.Offset{Topic: topic, Partition: 2, Offset: 18}) == nil {
		t.Error("holds or commits what was released")
	}
	gen, err = g.Next(t.Context())
	must(t, err)
	if gen.Partitions[topic][2].Committed != 17 {
		t.Errorf("got %v", gen.Partitions)
	}
	g.Close()
}

// A member that does not let go is let go of, before its session ends; what it
// wants to commit afterwards is refused. What need not move stays.
func TestKafkaRevoked(t *testing.T) {
	t.Parallel()
	_, c := sharedKafka(t)
	topic := topicOf(t, c, 6, nil)
	const session = 12 * time.Second // long, so that a busy machine is not taken for a member that has gone
	join := func() *kafka.Group {
		g, err := c.Join(t.Context(), kafka.GroupOptions{Group: topic, Topics: []string{topic}, Session: session})
		must(t, err)
		t.Cleanup(g.Close)
		return g
	}
	next := func(g *kafka.Group) *kafka.Generation {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		gen, err := g.Next(ctx)
		must(t, err)
		return gen
	}
	one := join()
	all := next(one)
	two := join()
	given := make(chan *kafka.Generation)
	go func() { given <- next(two) }()
	<-all.Done()
	start := time.Now()
	if all.Holds() {
		t.Error("holds what was revoked")
	}
	if err := all.Commit(kafka.Offset{Topic: topic, Partition: 0, Offset: 5}); err != nil {
		t.Errorf("a commit while letting go: %v", err)
	}
	kept := next(one) // though it was never released
	t.Logf("let go after %v", time.Since(start).Round(time.Millisecond))
	if kept.Member != all.Member {
		t.Error("the group has given up a member that did not let go")
	}
	if err := all.Commit(kafka.Offset{Topic: topic, Partition: 0, Offset: 6}); !errors.Is(err, kafka.ErrRevoked) {
		t.Errorf("a late commit: %v", err)
	}
	other := <-given
	if kept.ID != other.ID || len(kept.Partitions[topic]) != 3 || len(other.Partitions[topic]) != 3 || kept.Partitions[topic][0] != (kafka.Assigned{Partition: 0, Committed: 5}) {
		t.Errorf("got %v and %v", kept.Partitions, other.Partitions)
	}
	kept.Release()
	other.Release()
	again := make(chan *kafka.Generation)
	go func() { again <- next(two) }()
	mine := next(one)
	if theirs := <-again; !reflect.DeepEqual(partitionsOf(mine, topic), partitionsOf(kept, topic)) || !reflect.DeepEqual(partitionsOf(theirs, topic), partitionsOf(other, topic)) {
		t.Errorf("moved: %v and %v, then %v and %v", kept.Partitions, other.Partitions, mine.Partitions, theirs.Partitions)
	}
}

// A member whose network swallows everything gives its partitions up by itself, since
// nobody can tell it that they are another's; and gets some again when it is back.
func TestKafkaCutOff(t *testing.T) {
	t.Parallel()
	p := newProxy(t)
	brokers := kafkatest.Start(t, kafkatest.Options{Advertise: map[int]int{1: p.Port}})
	p.target.Store(int64(brokers.Ports[0]))
	c := openKafka(t, kafka.Options{Brokers: brokers.Brokers, Timeout: 5 * time.Second})
	topic := topicOf(t, c, 2, nil)
	const session = 10 * time.Second
	g, err := c.Join(t.Context(), kafka.GroupOptions{Group: topic, Topics: []string{topic}, Session: session, OnError: func(err error) { t.Log(err) }})
	must(t, err)
	defer g.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	given, err := g.Next(ctx)
	must(t, err)
	p.hole.Store(true)
	start := time.Now()
	select {
	case <-given.Done():
	case <-ctx.Done():
		t.Fatal("it goes on as if nothing was")
	}
	t.Logf("given up after %v, of a session of %v", time.Since(start).Round(time.Millisecond), session)
	if given.Holds() {
		t.Error("holds what it has given up")
	}
	given.Release()
	p.hole.Store(false)
	for len(given.Partitions[topic]) < 2 || !given.Holds() {
		if given, err = g.Next(ctx); err != nil {
			t.Fatal(err)
		}
	}
}

func partitionsOf(g *kafka.Generation, topic string) (numbers []int) {
	for _, a := range g.Partitions[topic] {
		numbers = append(numbers, a.Partition)
	}
	return numbers
}
