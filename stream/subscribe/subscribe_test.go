package subscribe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/publish/ledger"
	"dustbuster/operators/publish/owner"
	"dustbuster/operators/rule"
	"dustbuster/stream/kafka"
)

const topic = "dust.rules"

// memory is a topic in memory.
type memory struct{ *kafkatest.Memory }

func newMemory(n int) memory { return memory{kafkatest.NewMemory(n, topic)} }

func (m memory) Add(topic string, partition int, from int64) Partition {
	return m.Memory.Add(topic, partition, from)
}

func (m memory) append(partition int, records ...ledger.Record) {
	for _, r := range records {
		out := kafka.Record{Key: []byte(r.Key), Value: r.Value}
		r.Tuple.Headers(func(name string, value []byte) {
			out.Headers = append(out.Headers, kafka.Header{Key: name, Value: value})
		})
		_ = m.Produce(context.Background(), topic, partition, []kafka.Record{out}) // which does not fail
	}
}

// writer writes as the owner of a partition.
type writer struct {
	*owner.Owner
	m         memory
	partition int
	seq       int64
	byDomain  bool
}

func (m memory) owner(t *testing.T, partition int, generation int64) *writer {
	t.Helper()
	w, err := m.claim(partition, generation)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (m memory) claim(partition int, generation int64) (*writer, error) {
	w := &writer{Owner: &owner.Owner{}, m: m, partition: partition}
	log := m.Topics[topic][partition]
	for _, r := range log.Records {
		at, _ := ledger.ReadTuple(r.Header)
		_ = w.Read(r.Offset, ledger.Record{Key: string(r.Key), Value: r.Value, Tuple: at})
	}
	claim := w.Claim("m", generation, log.End)
	if err := w.Read(log.End, claim); err != nil {
		return nil, err
	}
	if !w.Sure() {
		return nil, errors.New("the claim does not hold")
	}
	m.append(partition, claim)
	return w, nil
}

func (w *writer) batch(site string, names ...string) (all []ledger.Record) {
	w.seq++
	p := book.Publication{Sequence: w.seq, At: 100 + w.seq}
	for i, name := range names {
		r := rule.Rule{Edit: rule.Drop{Param: name}}
		p.Records = append(p.Records, rule.Record{Schema: rule.Schema, Site: site, ByDomain: w.byDomain, ID: rule.ID(site, &r),
			Wire: *rule.NewWire(&r), Rank: i + 1, State: rule.Valid})
	}
	for _, b := range w.Write([]owner.Act{{Site: site, Act: book.Act{Publication: &p}}}, nil) {
		all = append(all, b...)
	}
	return all
}

func (w *writer) publish(site string, names ...string) {
	w.m.append(w.partition, w.batch(site, names...)...)
}

// follow runs a subscription until the test ends.
func follow(t *testing.T, m memory, o Options) (*Subscription, *[]string) {
	var told []string
	o.Topic, o.Failed = topic, func(err error) { told = append(told, err.Error()) }
	s := New(m, o)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s, &told
}

func wait() {
	time.Sleep(3 * time.Second)
	synctest.Wait()
}

func expect(t *testing.T, s *Subscription, url, want string) {
	t.Helper()
	if got, changed := s.Canonical(url); got != want || changed != (url != want) {
		t.Errorf("%s becomes %s, want %s", url, got, want)
	}
}

func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(3)
		a, b := m.owner(t, 0, 1), m.owner(t, 2, 1)
		a.publish("a.example", "sid", "ref")
		b.publish("b.example", "q")
		m.Lock() // blocks all reads
		s, told := follow(t, m, Options{})
		expect(t, s, "http://a.example/x?sid=1", "http://a.example/x?sid=1")
		m.Unlock()
		<-s.Ready()
		<-s.Changed()
		expect(t, s, "http://a.example/x?sid=1&ref=2", "http://a.example/x")
		expect(t, s, "http://b.example/x?q=1", "http://b.example/x")
		expect(t, s, "http://c.example/x?q=1", "http://c.example/x?q=1")

		half := a.batch("a.example", "ref")
		m.append(0, half[:len(half)-1]...) // without the marker
		wait()
		expect(t, s, "http://a.example/x?sid=1&ref=2", "http://a.example/x")
		select {
		case <-s.Changed():
			t.Error("an incomplete set is a change")
		default:
		}
		m.append(0, half[len(half)-1])
		<-s.Changed()
		wait()
		expect(t, s, "http://a.example/x?sid=1&ref=2", "http://a.example/x?sid=1")

		c := m.owner(t, 2, 1) // the group was made anew
		c.publish("b.example")
		wait()
		b.publish("b.example", "late")
		wait()
		expect(t, s, "http://b.example/x?q=1&late=1", "http://b.example/x?q=1&late=1")
		if got := s.Status(); got.Lag != 0 || got.Bad != 0 || got.Older == 0 || got.Rules != 1 || got.Partitions != 3 || len(*told) > 0 {
			t.Errorf("%+v, reported %q", got, *told)
		}
	})
}

func TestAllowAndDeny(t *testing.T) {
	sid := rule.ID("a.example", &rule.Rule{Edit: rule.Drop{Param: "sid"}})
	for _, c := range []struct {
		o    Options
		want string // the rules
	}{
		{Options{}, "a.example:sid a.example:ref b.example:sid"},
		{Options{Allow: []string{"b.example"}}, "b.example:sid"},
		{Options{Allow: []string{"b.example", sid}}, "a.example:sid b.example:sid"},
		{Options{Deny: []string{"b.example", sid}}, "a.example:ref"},
		{Options{Allow: []string{"a.example"}, Deny: []string{sid}}, "a.example:ref"},
		{Options{Allow: []string{"c.example"}}, ""},
		{Options{Only: []string{"a.example"}, Allow: []string{sid, "b.example"}}, "a.example:sid"},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newMemory(1)
			a := m.owner(t, 0, 1)
			a.publish("a.example", "sid", "ref")
			a.publish("b.example", "sid")
			s, _ := follow(t, m, c.o)
			<-s.Ready()
			var got []string
			for _, site := range s.List().Sites {
				for _, r := range site.Rules {
					got = append(got, site.Name+":"+r.Params().Param)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%+v: %s", c.o, got)
			}
		})
	}
}

// Compaction may have removed the last records, so positions are compared, not records.
func TestReadyAfterCompaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(2)
		m.owner(t, 0, 1).publish("a.example", "sid")
		m.Topics[topic][0].End += 7
		m.Topics[topic][1].End = 3
		s, _ := follow(t, m, Options{})
		<-s.Ready()
		expect(t, s, "http://a.example/?sid=1", "http://a.example/")
		m.Change(func() { m.Topics[topic][1].End += 2 })
		wait()
		if lag := s.Status().Lag; lag != 0 {
			t.Errorf("a lag of %d", lag)
		}
	})
}

// An unreadable record is reported and skipped, and does not stop other records.
func TestBad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(1)
		a := m.owner(t, 0, 1)
		a.publish("not a host", "sid")
		a.publish("a.example", "sid")
		if err := m.Produce(t.Context(), topic, 0, []kafka.Record{{Key: []byte("a.example/set")}}); err != nil {
			t.Fatal(err)
		}
		m.append(0, ledger.Record{Key: "x", Tuple: ledger.Tuple{}})
		a.publish("b.example", "sid")
		s, told := follow(t, m, Options{})
		<-s.Ready()
		expect(t, s, "http://a.example/?sid=1", "http://a.example/")
		expect(t, s, "http://b.example/?sid=1", "http://b.example/")
		all := strings.Join(*told, "\n")
		if s.Status().Bad != 3 || !strings.Contains(all, "not a host") || !strings.Contains(all, "epoch") || !strings.Contains(all, "offset") {
			t.Errorf("%+v, reported %s", s.Status(), all)
		}
	})
}

// A host and its domain exclude each other. The newer is held, and so are all other
// sites.
func TestClash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(1)
		w := m.owner(t, 0, 1)
		w.publish("www.a.example", "sid")
		w.publish("b.example", "sid")
		w.byDomain = true
		w.publish("a.example", "lang")
		s, told := follow(t, m, Options{})
		wait()
		select {
		case <-s.Ready():
		default:
			t.Error("not ready")
		}
		expect(t, s, "http://www.a.example/?sid=1&lang=2", "http://www.a.example/?sid=1")
		expect(t, s, "http://b.example/?sid=1&lang=2", "http://b.example/?lang=2")
		if len(*told) != 1 || !strings.Contains((*told)[0], `"www.a.example" are left out`) || s.List().Len() != 2 {
			t.Errorf("%d rules, reported %q", s.List().Len(), *told)
		}
		w.byDomain = false
		w.publish("www.a.example", "sid", "x")
		wait()
		expect(t, s, "http://www.a.example/?sid=1&lang=2", "http://www.a.example/?lang=2")
		w.byDomain = true
		w.publish("a.example")
		w.byDomain = false
		w.publish("b.example", "lang")
		wait()
		expect(t, s, "http://www.a.example/?sid=1&lang=2&x", "http://www.a.example/?lang=2")
		expect(t, s, "http://b.example/?sid=1&lang=2", "http://b.example/?sid=1")
	})
}

// Rules without a site are for the host that the options name, and for paths.
func TestHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(1)
		m.owner(t, 0, 1).publish("", "sid")
		named, told := follow(t, m, Options{Host: "www.a.example"})
		bare, problems := follow(t, m, Options{})
		wait()
		if len(*told) != 0 || len(*problems) != 1 || !strings.Contains((*problems)[0], "name their host") {
			t.Errorf("reported %q and %q", *told, *problems)
		}
		expect(t, named, "http://www.a.example/?sid=1", "http://www.a.example/")
		expect(t, named, "http://a.example/?sid=1", "http://a.example/?sid=1")
		expect(t, bare, "http://www.a.example/?sid=1", "http://www.a.example/?sid=1")
		expect(t, bare, "/?sid=1", "/")
	})
	if err := New(newMemory(1), Options{Host: "a b"}).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "not a host") {
		t.Error(err)
	}
}

// A site by domain with an unknown rule exists: rules without a site are not for its hosts.
func TestUnknownByDomain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(1)
		w := m.owner(t, 0, 1)
		w.publish("", "sid")
		w.byDomain = true
		records := w.batch("a.example", "lang")
		for i := range records {
			records[i].Value = bytes.Replace(records[i].Value, []byte(`"op":"drop"`), []byte(`"op":"burn"`), 1)
		}
		m.append(0, records...)
		s, told := follow(t, m, Options{Host: "www.a.example"})
		wait()
		expect(t, s, "http://www.a.example/?sid=1", "http://www.a.example/?sid=1")
		expect(t, s, "/?sid=1", "/?sid=1")
		if len(*told) != 1 || !strings.Contains((*told)[0], "burn") {
			t.Errorf("reported %q", *told)
		}
	})
}

// A topic that was deleted and made again is read again, although its tuples are
// smaller.
func TestTopicMadeAnew(t *testing.T) {
	for _, cause := range []error{kafka.ErrBeyondEnd, kafka.ErrRecreated} {
		synctest.Test(t, func(t *testing.T) {
			m := newMemory(1)
			a := m.owner(t, 0, 5)
			for range 5 {
				a.publish("a.example", "sid")
			}
			s, told := follow(t, m, Options{})
			<-s.Ready()
			m.Change(func() { m.Topics[topic], m.Broken = make([]kafkatest.Log, 1), fmt.Errorf("read: %w", cause) })
			m.owner(t, 0, 1).publish("a.example", "ref")
			wait()
			expect(t, s, "http://a.example/?sid=1&ref=1", "http://a.example/?sid=1")
			if len(*told) != 1 {
				t.Errorf("reported %q", *told)
			}
		})
	}
}

// While the topic does not exist, the rules stay, and the status says so. When the topic is
// back, it is read from its start.
func TestTopicAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(1)
		m.owner(t, 0, 5).publish("a.example", "sid")
		s, told := follow(t, m, Options{})
		<-s.Ready()
		m.Change(func() { m.Broken, m.Away = fmt.Errorf("read: %w", kafka.ErrNoTopic), kafka.ErrNoTopic })
		time.Sleep(time.Minute)
		synctest.Wait()
		if err := s.Status().Away; !errors.Is(err, kafka.ErrNoTopic) || len(*told) == 0 {
			t.Errorf("the status says %v, reported %q", err, *told)
		}
		expect(t, s, "http://a.example/?sid=1&ref=1", "http://a.example/?ref=1")
		m.Change(func() { m.Topics[topic], m.Away = make([]kafkatest.Log, 1), nil })
		m.owner(t, 0, 1).publish("a.example", "ref")
		time.Sleep(time.Minute)
		expect(t, s, "http://a.example/?sid=1&ref=1", "http://a.example/?sid=1")
		if err := s.Status().Away; err != nil {
			t.Errorf("the status still says %v", err)
		}
	})
}

func TestErrorThatStays(t *testing.T) {
	m := newMemory(1)
	m.Broken = kafka.ErrNotAuthorized
	if err := New(m, Options{Topic: topic}).Run(t.Context()); !errors.Is(err, kafka.ErrNotAuthorized) {
		t.Error(err)
	}
}
