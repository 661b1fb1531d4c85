package integration

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/publish/ledger"
	"dustbuster/operators/rule"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/kafka"
	"dustbuster/stream/rulelog"
	"dustbuster/stream/subscribe"
)

// compacted are settings by which Kafka's cleaner comes at once.
var compacted = map[string]string{"cleanup.policy": "compact", "segment.ms": "100", "min.cleanable.dirty.ratio": "0.001",
	"delete.retention.ms": "100", "min.compaction.lag.ms": "0", "max.compaction.lag.ms": "100", "segment.bytes": "1048576"}

// rulesTopic is a topic of rules and what writes to it.
type rulesTopic struct {
	brokers []string
	cluster *kafka.Cluster
	name    string
}

func newRulesTopic(t testing.TB, brokers []string) *rulesTopic {
	c := openKafka(t, kafka.Options{Brokers: brokers})
	return &rulesTopic{brokers, c, topicOf(t, c, 2, compacted)}
}

// reader makes a reader of its own for who reads a partition.
func (r *rulesTopic) reader(t testing.TB) *kafka.Reader {
	reader := kafka.NewReader(r.cluster, kafka.ReaderOptions{Compacted: true})
	t.Cleanup(reader.Close)
	return reader
}

// own makes a member the owner of partition 0, and returns what it goes on from.
func (r *rulesTopic) own(t testing.TB, member string, generation int64) (s *rulelog.Store, acts []string) {
	t.Helper()
	s = rulelog.New(rulelog.Options{Log: rulelog.Open(r.cluster, r.reader(t)), Rules: r.name, Events: r.name, Partition: 0, Pause: 50 * time.Millisecond, Timeout: patience,
		Holds: func() bool { return true }, Failed: func(doing string, err error) { t.Logf("%s: %s: %v", member, doing, err) }})
	t.Cleanup(s.Close)
	if _, err := s.Claim(t.Context(), member, generation); err != nil {
		t.Fatal(err)
	}
	for change, err := range s.Load() {
		must(t, err)
		if a, ok := change.(checkpoint.Act); ok {
			acts = append(acts, ":"+a.Site+" "+string(a.Encode()))
		}
	}
	return s, acts
}

// publish saves a publication, and a verdict.
func publish(t testing.TB, s *rulelog.Store, site string, sequence int64, names ...string) {
	t.Helper()
	must(t, save(s, site, sequence, names...))
}

func save(s *rulelog.Store, site string, sequence int64, names ...string) error {
	p := book.Publication{Sequence: sequence, At: 1000 + sequence}
	for i, name := range names {
		drop := rule.Rule{Edit: rule.Drop{Param: name}}
		p.Records = append(p.Records, rule.Record{Schema: rule.Schema, Site: site, ID: rule.ID(site, &drop),
			Wire: *rule.NewWire(&drop), Rank: i + 1, State: rule.Valid, Support: int(sequence)})
	}
	refuted := rule.Rule{Edit: rule.Drop{Param: fmt.Sprint("refuted", sequence)}}
	e := book.Entry{ID: rule.ID(site, &refuted), Rule: refuted, State: rule.Refuted}
	return s.Save(slices.Values([]checkpoint.Change{checkpoint.Act{Site: site, Act: &book.Act{Rule: &e}},
		checkpoint.Act{Site: site, Act: &book.Act{Publication: &p}}}))
}

// following is a subscriber that sees that no site's set goes back.
type following struct {
	*subscribe.Subscription
	mu   sync.Mutex
	told []string
}

func (r *rulesTopic) follow(t testing.TB) *following {
	t.Helper()
	f := &following{}
	s, err := subscribe.Open(t.Context(), kafka.Options{Brokers: r.brokers}, subscribe.Options{Topic: r.name, Failed: func(err error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.told = append(f.told, err.Error())
	}})
	must(t, err)
	f.Subscription = s
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		s.Close()
	})
	select {
	case <-s.Ready():
	case <-time.After(patience):
		t.Fatal("a subscriber is not ready")
	}
	return f
}

// holds waits until the subscriber holds some rules.
func (f *following) holds(t testing.TB, want string) {
	t.Helper()
	await(t, patience, "a subscriber holds "+want, func() (string, bool) {
		var all []string
		for _, site := range f.List().Sites {
			for _, r := range site.Records {
				all = append(all, site.Name+":"+r.Params[0])
			}
		}
		got := strings.Join(all, " ")
		return got, got == want
	})
}

// records are all that is left in partition 0.
func (r *rulesTopic) records(t testing.TB) []kafka.Record {
	t.Helper()
	ranges, err := r.cluster.Offsets(t.Context(), r.name)
	must(t, err)
	reader := kafka.NewReader(r.cluster, kafka.ReaderOptions{Compacted: true})
	defer reader.Close()
	p := reader.Add(r.name, 0, kafka.First)
	return readTo(t, p, ranges[0].End)
}

// clean waits until the cleaner has gone over what is there: no key but those that are
// written to make segments roll is in the log twice.
func (r *rulesTopic) clean(t testing.TB) {
	t.Helper()
	await(t, patience, "the cleaner", func() (int, bool) {
		seen, twice := map[string]int{}, 0
		for _, record := range r.records(t) {
			if seen[string(record.Key)]++; seen[string(record.Key)] == 2 && string(record.Key) != "fetch" {
				twice++
			}
		}
		if twice == 0 {
			return 0, true
		}
		time.Sleep(150 * time.Millisecond) // the active segment is never cleaned
		old := kafka.Record{Key: []byte("fetch"), Value: []byte("[]"), Headers: headers(ledger.Tuple{})}
		must(t, r.cluster.Produce(t.Context(), r.name, 0, []kafka.Record{old}))
		return twice, false
	})
}

func headers(at ledger.Tuple) (all []kafka.Header) {
	at.Headers(func(name string, value []byte) { all = append(all, kafka.Header{Key: name, Value: value}) })
	return all
}

// Owners come and go, one writes late, Kafka's cleaner takes what it may, the group's
// generations begin anew: all readers hold the owner's set, also new ones, and a new
// owner goes on from it.
func TestRulesOnKafka(t *testing.T) {
	t.Parallel()
	r := newRulesTopic(t, kafkatest.Shared(t).Brokers)
	first := r.follow(t)
	a, acts := r.own(t, "a", 7)
	if len(acts) > 0 {
		t.Errorf("goes on from %q", acts)
	}
	publish(t, a, "www.example.org", 1, "sid", "ref")
	publish(t, a, "b.example.org", 1, "q")
	first.holds(t, "b.example.org:q www.example.org:sid www.example.org:ref")
	late := slices.DeleteFunc(r.records(t), func(r kafka.Record) bool { return string(r.Key) == "owner" })

	b, acts := r.own(t, "b", 1) // another incarnation of the group
	if text := strings.Join(acts, "\n"); strings.Count(text, `"publication":{"sequence":1`) != 2 || strings.Count(text, `"state":"refuted"`) != 2 {
		t.Errorf("goes on from %s", text)
	}
	select {
	case <-a.Lost():
	case <-time.After(patience):
		t.Error("an owner does not learn of the next")
	}
	publish(t, b, "www.example.org", 2, "ref", "utm")
	publish(t, b, "www.example.org", 3, "utm")
	first.holds(t, "b.example.org:q www.example.org:utm")

	r.clean(t)
	second := r.follow(t)
	second.holds(t, "b.example.org:q www.example.org:utm")

	// All that the first owner has ever written comes again, and is cleaned at once.
	must(t, r.cluster.Produce(t.Context(), r.name, 0, late))
	r.clean(t)
	for _, f := range []*following{first, second, r.follow(t)} {
		f.holds(t, "b.example.org:q www.example.org:utm")
	}
	eventually(t, func() bool { return b.Stats().Mended > 0 && first.Status().Older > 0 }) // it has refused what came late
	if s := b.Stats(); s.Bad > 0 {
		t.Errorf("%+v", s)
	}

	// The owner starts anew, and goes on from what it had.
	b.Close()
	c, acts := r.own(t, "b", 2)
	if text := strings.Join(acts, "\n"); !strings.Contains(text, `"publication":{"sequence":3`) || strings.Count(text, `"state":"refuted"`) != 4 {
		t.Errorf("goes on from %s", text)
	}
	publish(t, c, "b.example.org", 2)
	for _, f := range []*following{first, second} {
		f.holds(t, "www.example.org:utm")
		if canonical, _ := f.Canonical("http://www.example.org/?utm=1&q=2"); canonical != "http://www.example.org/?q=2" {
			t.Errorf("a subscriber makes %s", canonical)
		}
		f.mu.Lock()
		if len(f.told) > 0 {
			t.Errorf("a subscriber tells %q", f.told)
		}
		f.mu.Unlock()
		eventually(t, func() bool { return f.Status().Lag == 0 })
		if s := f.Status(); s.Bad != 0 {
			t.Errorf("%+v", s)
		}
	}
}

// A publication that is larger than the topic's largest batch comes whole nonetheless.
func TestLargePublicationOnKafka(t *testing.T) {
	t.Parallel()
	r := newRulesTopic(t, kafkatest.Shared(t).Brokers)
	must(t, r.cluster.Alter(t.Context(), r.name, map[string]string{"max.message.bytes": "6000"}))
	a, _ := r.own(t, "a", 1)
	var names, want []string
	for i := range 256 {
		names = append(names, fmt.Sprintf("p%08x", uint32(i)*2654435761))
		want = append(want, "s.example.org:"+names[i])
	}
	f := r.follow(t)
	publish(t, a, "s.example.org", 1, names...)
	f.holds(t, strings.Join(want, " "))
	all := r.records(t)
	if err := r.cluster.Produce(t.Context(), r.name, 1, all); !errors.Is(err, kafka.ErrTooLarge) {
		t.Errorf("it would have gone into one batch: %v", err)
	}
}

// While the broker is away a subscriber keeps its rules, and an owner what it has to
// write; when it is back both go on, and nothing was lost.
func TestRulesOutliveBroker(t *testing.T) {
	t.Parallel()
	c := kafkatest.Start(t, kafkatest.Options{})
	r := newRulesTopic(t, c.Brokers)
	a, _ := r.own(t, "a", 1)
	publish(t, a, "www.example.org", 1, "sid")
	f := r.follow(t)
	f.holds(t, "www.example.org:sid")
	for n := range int64(3) {
		c.Kill(t, 1)
		saved := make(chan error)
		go func() { // tries for as long as the Store's Timeout
			saved <- save(a, "www.example.org", n+2, "sid", fmt.Sprint("p", n))
		}()
		time.Sleep(2 * time.Second)
		if canonical, _ := f.Canonical("http://www.example.org/?sid=1"); canonical != "http://www.example.org/" {
			t.Errorf("without a broker a subscriber makes %s", canonical)
		}
		c.Run(t, 1)
		back := time.Now()
		must(t, <-saved)
		f.holds(t, fmt.Sprint("www.example.org:sid www.example.org:p", n))
		t.Logf("a subscriber held what was written %v after the broker answered", time.Since(back).Round(time.Millisecond))
	}
	eventually(t, func() bool { return f.Status().Lag == 0 })
	if s := f.Status(); s.Bad > 0 {
		t.Errorf("%+v", s)
	}
	if b, acts := r.own(t, "b", 2); b.Stats().Bad > 0 || !strings.Contains(strings.Join(acts, ""), `"publication":{"sequence":4`) {
		t.Errorf("goes on from %q", acts)
	}
}
