package logshapes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"dustbuster/stream/kafka"
)

// plain is a log of n batches of one record each.
func plain(n int, value func(i int) []byte) *log {
	l := &log{end: int64(n), stable: int64(n)}
	for i := range n {
		l.batches = append(l.batches, batch{int64(i), int64(i), encode(int64(i), 0, -1, 0, 0, []record{{value: value(i)}})})
		l.visible = append(l.visible, seen{int64(i), "nil", text(value(i))})
	}
	return l
}

func small(i int) []byte { return fmt.Append(nil, i) }

func reader(t *testing.T, b *broker, o kafka.ReaderOptions) *kafka.Reader {
	t.Helper()
	c, err := kafka.Open(t.Context(), kafka.Options{Brokers: b.ListenAddrs()})
	must(t, err)
	t.Cleanup(c.Close)
	r := kafka.NewReader(c, o)
	t.Cleanup(r.Close)
	return r
}

func read(t *testing.T, p *kafka.Partition) (*kafka.Batch, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return p.Read(ctx)
}

func TestFirstAndEnd(t *testing.T) {
	l := plain(10, small)
	l.first = 4
	r := reader(t, serve(t, []*log{l}), kafka.ReaderOptions{})
	for _, c := range []struct {
		from int64
		want kafka.Batch
	}{
		{kafka.First, kafka.Batch{Next: 10, End: 10, Records: make([]kafka.Record, 6)}},
		{kafka.End, kafka.Batch{Next: 10, End: 10}}, // an end is told, though there is nothing to read
		{7, kafka.Batch{Next: 10, End: 10, Records: make([]kafka.Record, 3)}},
		{10, kafka.Batch{Next: 10, End: 10}},
	} {
		p := r.Add("log-000", 0, c.from)
		b, err := read(t, p)
		if err != nil || b.Next != c.want.Next || b.End != c.want.End || b.Lost != 0 || len(b.Records) != len(c.want.Records) {
			t.Errorf("from %d: got %+v, %v", c.from, b, err)
		}
		p.Close()
	}
	p := r.Add("log-000", 0, 11)
	if b, err := read(t, p); !errors.Is(err, kafka.ErrBeyondEnd) {
		t.Errorf("beyond the end: %v, %v", b, err)
	}
	p.Close()
	p = r.Add("log-000", 0, 1)
	if b, err := read(t, p); err != nil || b.Lost != 3 || b.Next != 4 {
		t.Errorf("before the log: %+v, %v", b, err)
	}
	if _, err := read(t, r.Add("log-000", 0, 1)); err == nil {
		t.Error("read twice at once")
	}
	p.Close()
	if _, err := read(t, p); !errors.Is(err, kafka.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// Who reads slowly holds up nobody, and little is held for him.
func TestSlowReader(t *testing.T) {
	big := bytes.Repeat([]byte("x"), 10_000)
	b := serve(t, []*log{plain(1000, func(int) []byte { return big }), plain(1000, func(int) []byte { return big })})
	r := reader(t, b, kafka.ReaderOptions{PartitionBytes: 100_000})
	slow, quick := r.Add("log-000", 0, 0), r.Add("log-001", 0, 0)
	for next := int64(0); next < 1000; {
		got, err := read(t, quick)
		must(t, err)
		next = got.Next
	}
	b.mutex.Lock()
	b.logs["log-000"].first = 500 // what is not held is gone
	b.mutex.Unlock()
	for next := int64(0); next < 500; {
		got, err := read(t, slow)
		must(t, err)
		if got.Lost > 0 {
			if held := 500 - got.Lost; held > 25 {
				t.Errorf("%d batches of 10 kB were held, with room for 100 kB", held)
			}
			return
		}
		next = got.Next
	}
	t.Error("nothing was lost: all batches were held")
}

// A batch that cannot be read is passed over and counted, also where nothing
// tells how long it is.
func TestDamage(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(b []byte) []byte
	}{
		{"checksum", func(b []byte) []byte { b[len(b)-1]++; return b }},
		{"negative length", func(b []byte) []byte { b[8] = 0xff; return b }},
		{"format", func(b []byte) []byte { b[16] = 9; return b }},
		{"negative offset", func(b []byte) []byte { b[0] = 0xff; return b }},
		{"last offset", func(b []byte) []byte { b[23] = 0xff; return b }},
		{"nothing but gaps", func(b []byte) []byte { return make([]byte, len(b)) }},
	} {
		l := plain(5, small)
		l.batches[2].bytes = c.spoil(l.batches[2].bytes)
		p := reader(t, serve(t, []*log{l}), kafka.ReaderOptions{PartitionBytes: 1}).Add("log-000", 0, 0)
		var got []string
		lost := int64(0)
		for next := int64(0); next < 5; {
			b, err := read(t, p)
			if err != nil {
				t.Fatal(c.name, err)
			}
			for _, r := range b.Records {
				got = append(got, string(r.Value))
			}
			lost += b.Lost
			next = b.Next
		}
		if strings.Join(got, " ") != "0 1 3 4" || lost != 1 {
			t.Errorf("%s: got %q, lost %d", c.name, got, lost)
		}
	}
}

// Errors that pass are waited for, whatever the broker says.
func TestErrorsPass(t *testing.T) {
	b := serve(t, []*log{plain(3, small)})
	p := reader(t, b, kafka.ReaderOptions{}).Add("log-000", 0, 0)
	b.mutex.Lock()
	b.trouble = []int16{6, 3, 56, 76, 1, -1}
	b.mutex.Unlock()
	got, err := read(t, p)
	if err != nil || len(got.Records) != 3 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A broker whose older segments lie in a remote storage answers with nothing, and no
// error, when that is slow, and for all but one partition of a request. That is waited
// for, and not taken for a hole.
func TestRemoteStorage(t *testing.T) {
	const batches = 50
	b := serve(t, []*log{plain(batches, small), plain(batches, small), plain(batches, small)})
	b.remote, b.slow = batches-5, 10
	r := reader(t, b, kafka.ReaderOptions{PartitionBytes: 1})
	var parts []*kafka.Partition
	for _, name := range b.topics {
		parts = append(parts, r.Add(name, 0, 0))
	}
	for i, p := range parts {
		records := 0
		for next := int64(0); next < batches; {
			got, err := read(t, p)
			if err != nil || got.Lost > 0 {
				t.Fatalf("log %d: %+v, %v", i, got, err)
			}
			records += len(got.Records)
			next = got.Next
		}
		if records != batches {
			t.Errorf("log %d: %d records came of %d", i, records, batches)
		}
	}
}

// A write that may succeed later is tried again, and somebody is told.
func TestWriteIsTriedAgain(t *testing.T) {
	b := serve(t, []*log{plain(0, small)})
	refused := 0
	b.ControlKey(int16(kmsg.Produce), func(r kmsg.Request) (kmsg.Response, error, bool) {
		if refused == 3 {
			return nil, nil, false
		}
		refused++
		b.KeepControl()
		req := r.(*kmsg.ProduceRequest)
		res := req.ResponseKind().(*kmsg.ProduceResponse)
		topic, partition := kmsg.NewProduceResponseTopic(), kmsg.NewProduceResponseTopicPartition()
		topic.Topic, partition.ErrorCode = req.Topics[0].Topic, kerr.NotEnoughReplicas.Code
		topic.Partitions = append(topic.Partitions, partition)
		res.Topics = append(res.Topics, topic)
		return res, nil, true
	})
	var told []string
	c, err := kafka.Open(t.Context(), kafka.Options{Brokers: b.ListenAddrs(), OnError: func(err error) { told = append(told, err.Error()) }})
	must(t, err)
	defer c.Close()
	if err := c.Produce(t.Context(), "log-000", 0, []kafka.Record{{Value: []byte("x")}}); err != nil {
		t.Error(err)
	}
	if all := strings.Join(told, "\n"); len(told) < 3 || !strings.Contains(all, `partition 0 of topic "log-000": [19] Not Enough Replicas`) {
		t.Errorf("told %s", all)
	}
}
