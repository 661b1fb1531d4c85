package integration

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
	"dustbuster/stream/subscribe"
)

// recreate deletes a topic and makes it again at once.
func recreate(t *testing.T, c *kafkatest.Cluster, k *kafka.Cluster, topic string, partitions int) {
	t.Helper()
	old, err := k.ID(t.Context(), topic)
	if err != nil || old == (kafka.TopicID{}) {
		t.Fatalf("id %v, %v", old, err)
	}
	deleteTopic(t, c, k, topic)
	must(t, k.Create(t.Context(), kafka.Topic{Name: topic, Partitions: partitions, Replicas: 1, Config: forever}))
	if id, err := k.ID(t.Context(), topic); err != nil || id == old {
		t.Fatalf("id %v after %v, %v", id, old, err)
	}
}

// numbered writes records with the values 0 to n-1 and a prefix.
func numbered(t *testing.T, k *kafka.Cluster, topic, prefix string, n int) {
	t.Helper()
	var records []kafka.Record
	for i := range n {
		records = append(records, kafka.Record{Value: fmt.Appendf(nil, "%s%d", prefix, i)})
	}
	must(t, k.Produce(t.Context(), topic, 0, records))
}

// A reader notices that its topic was made again and refilled beyond the reader's position: while
// it waits, while its consumer has not come for records, and when it resumes a position later.
func TestKafkaRecreated(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	topic := topicOf(t, k, 1, forever)
	numbered(t, k, topic, "old", 400)
	id, err := k.ID(t.Context(), topic)
	must(t, err)
	r := kafka.NewReader(k, kafka.ReaderOptions{})
	defer r.Close()
	slow := kafka.NewReader(k, kafka.ReaderOptions{PartitionBytes: 1})
	defer slow.Close()
	waits, pauses := r.Add(topic, 0, kafka.First), slow.Add(topic, 0, kafka.First)
	readTo(t, waits, 400)
	numbered(t, k, topic, "more", 1) // the slow reader holds records that nobody takes
	readTo(t, waits, 401)
	readTo(t, pauses, 400)
	time.Sleep(time.Second)
	recreate(t, c, k, topic, 1)
	numbered(t, k, topic, "new", 1200)
	if got := waits.ID(); got != id {
		t.Errorf("id %v, want %v", got, id)
	}
	later := kafka.NewReader(k, kafka.ReaderOptions{})
	defer later.Close()
	for _, c := range []struct {
		name string
		want *kafka.Partition
	}{{"waiting", waits}, {"pausing", pauses}, {"resuming", later.Resume(topic, id, 0, 400)}} {
		var err error
		for err == nil {
			var b *kafka.Batch
			if b, err = c.want.Read(t.Context()); err == nil && len(b.Records) > 0 && strings.HasPrefix(string(b.Records[0].Value), "new") {
				t.Fatalf("%s: reads the new topic from %d", c.name, b.Records[0].Offset)
			}
		}
		if !errors.Is(err, kafka.ErrRecreated) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// recreatedLines are lines of one site with pages of their own.
func recreatedLines(site string, n int) (lines [][]byte) {
	for i := range n {
		lines = append(lines, fmt.Appendf(nil, "%s:80 10.0.0.1 - - [20/Nov/2026:10:00:00 +0000] \"GET /item/%d HTTP/1.1\" 200 %d \"-\" \"-\"\n", site, i, 1000+i))
	}
	return lines
}

// A topic of lines is made again and refilled while an agent reads it, and while none does: each
// line of the new topic is read.
func TestAgentTopicRecreated(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	for _, test := range []struct {
		name    string
		running bool
	}{{"running", true}, {"stopped", false}} {
		t.Run(test.name, func(t *testing.T) {
			to, from := topicOf(t, k, 2, forever), topicOf(t, k, 1, forever)
			flags := []string{"--lines-topic", from, "--consumer-group", from, "--state", t.TempDir(), "--format", "vhost_combined"}
			a := startAgent(t, c, to, flags...)
			before := recreatedLines("before.example", 400)
			produceLines(t, c, k, from, 1, before)
			f := follow(t, k, to)
			f.await(t, tablesOf(t, "vhost_combined", before), a)
			eventually(t, func() bool { return committed(t, c, from, from, 0) == 400 })
			if !test.running {
				a.end(t)
			}
			recreate(t, c, k, from, 1)
			after := recreatedLines("after.example", 1200)
			produceLines(t, c, k, from, 1, after)
			if !test.running {
				a = startAgent(t, c, to, flags...)
			}
			f.await(t, tablesOf(t, "vhost_combined", append(before, after...)), a)
			if test.running {
				a.stderr.awaits(t, "was deleted and made again")
			}
			eventually(t, func() bool { return committed(t, c, from, from, 0) == 1200 })
			a.end(t)
		})
	}
}

// A commit for another topic of the same name is refused, and what was not read of that topic
// counts as lost.
func TestAgentRefusesCommit(t *testing.T) {
	c, k := sharedKafka(t)
	to, from := topicOf(t, k, 2, forever), topicOf(t, k, 1, forever)
	lines := recreatedLines("after.example", 120)
	produceLines(t, c, k, from, 1, lines)
	g, err := k.Join(t.Context(), kafka.GroupOptions{Group: from, Topics: []string{from}})
	must(t, err)
	generation, err := g.Next(t.Context())
	must(t, err)
	other := kafka.TopicID{1}
	must(t, generation.Commit(kafka.Offset{Topic: from, Partition: 0, Offset: 100, Note: other.String() + " 107"}))
	if notes, err := generation.Notes(t.Context()); err != nil || notes[from][0] != other.String()+" 107" {
		t.Fatalf("%v, %v", notes, err)
	}
	g.Close()
	a := startAgent(t, c, to, "--lines-topic", from, "--consumer-group", from, "--state", t.TempDir(), "--format", "vhost_combined")
	follow(t, k, to).await(t, tablesOf(t, "vhost_combined", lines), a)
	a.awaits(t, "/metrics", "\ndustbuster_lost_offsets_total 7\n")
	a.stderr.awaits(t, "was deleted and made again")
	a.end(t)
}

// The topics of observations and of rules are made again and refilled while miners and an agent
// use them. The miners hold the rules of the new observations alone, and the agent sends
// again what it sent to the old topic.
func TestMinersTopicRecreated(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 2)
	miners := []*running{startMiner(t, c, s, "one"), startMiner(t, c, s, "two")}
	first := crowdLines(4)
	log := &server{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: append(first, first...)}
	log.write(len(first))
	a := startAgent(t, c, s.observations, "--tail", log.path, "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0", "--rules-topic", s.rules)
	awaitLikely(t, string(mineLines(t, first, "--format", "vhost_combined")), patience, miners...)
	recreate(t, c, k, s.observations, 2)
	more := crowdLines(8)
	sendAll(t, c, s.observations, more[len(more)/2:])
	a.stderr.awaits(t, "the topic of observations was recreated")
	log.write(len(first)) // known to the agent
	awaitLikely(t, string(mineLines(t, more, "--format", "vhost_combined")), patience, miners...)
	recreate(t, c, k, s.rules, 2)
	must(t, k.Alter(t.Context(), s.rules, map[string]string{"cleanup.policy": "compact"}))
	eventually(t, func() bool { // the owners claim the new topic
		ranges, err := k.Offsets(t.Context(), s.rules)
		return err == nil && ranges[0].End > 0 && ranges[1].End > 0
	})
	for _, m := range miners {
		m.awaitReady(t, "ok")
	}
	end(t, append(miners, a)...)
}

// A subscription follows a topic of rules that is made again and refilled, from its start.
func TestSubscriptionTopicRecreated(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	topic := topicOf(t, k, 1, forever)
	numbered(t, k, topic, "old", 40) // no records of rules: they are skipped
	s, err := subscribe.Open(t.Context(), kafka.Options{Brokers: c.Brokers}, subscribe.Options{Topic: topic})
	must(t, err)
	defer s.Close()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(t.Context()) }()
	eventually(t, func() bool { return s.Status().Bad == 40 })
	recreate(t, c, k, topic, 1)
	numbered(t, k, topic, "new", 120)
	eventually(t, func() bool { return s.Status().Bad == 160 })
	select {
	case err := <-ended:
		t.Error(err)
	default:
	}
}
