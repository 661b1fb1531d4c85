package integration

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

// Agents whose topic of lines is away for a while are not ready, and say why: the agent that
// has read, and the agent without a partition. They go on with their other topic, and read the
// lines of the topic when it is back.
func TestAgentLinesAway(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 2)
	from, other := topicOf(t, k, 1, forever), topicOf(t, k, 1, forever)
	lines := crowdLines(8)
	m := startMiner(t, c, s, "one")
	sent := 0
	send := func(topic string) { // a quarter of the lines
		produceLines(t, c, k, topic, 1, lines[sent:sent+len(lines)/4])
		sent += len(lines) / 4
	}
	arrive := func() {
		t.Helper()
		awaitLikely(t, string(mineLines(t, lines[:sent], "--format", "vhost_combined")), patience, m)
	}
	send(from)
	send(other)
	var agents []*running
	for range 3 {
		a := startAgent(t, c, s.observations, "--lines-topic", from, "--lines-topic", other, "--consumer-group", from, "--state", t.TempDir(),
			"--format", "vhost_combined", "--window", "0")
		agents = append(agents, a)
		a.stderr.awaits(t, "partitions assigned")
		a.awaitReady(t, "ok")
	}
	arrive()
	deleteTopic(t, c, k, from)
	time.Sleep(15 * time.Second)
	for _, a := range agents {
		a.signal(t, syscall.Signal(0)) // it has not ended
		a.awaitReady(t, fmt.Sprintf("topic %q: %v", from, kafka.ErrNoTopic))
	}
	send(other)
	arrive()
	must(t, k.Create(t.Context(), kafka.Topic{Name: from, Partitions: 1, Replicas: 1, Config: forever}))
	send(from)
	arrive()
	for _, a := range agents {
		a.awaitReady(t, "ok")
		a.end(t)
	}
	m.end(t)
}

// A subscriber whose topic is away for a while keeps its rules, and follows the topic when it
// is back.
func TestSubscribeAway(t *testing.T) {
	t.Parallel()
	c := kafkatest.Shared(t)
	r := newRulesTopic(t, c.Brokers)
	a, _ := r.own(t, "a", 1)
	publish(t, a, "www.example.org", 1, "sid")
	path := filepath.Join(t.TempDir(), "rules.jsonl")
	s := startSubscriber(t, c.Brokers, r.name, path)
	holds := func() string {
		text, err := os.ReadFile(path)
		if err != nil {
			return ""
		}
		return paramsOf(t, string(text))
	}
	eventually(t, func() bool { return holds() == "www.example.org:sid" })
	k := openKafka(t, kafka.Options{Brokers: c.Brokers})
	deleteTopic(t, c, k, r.name)
	time.Sleep(15 * time.Second)
	if s.signal(t, syscall.Signal(0)); holds() != "www.example.org:sid" { // it has not ended
		t.Fatalf("the subscriber holds %q\n%v", holds(), s)
	}
	if said := s.stderr.String(); strings.Count(said, kafka.ErrNoTopic.Error()) != 1 {
		t.Errorf("not said once:\n%s", said)
	}
	must(t, k.Create(t.Context(), kafka.Topic{Name: r.name, Partitions: 2, Replicas: 1, Config: compacted}))
	b, _ := r.own(t, "b", 2)
	publish(t, b, "www.example.org", 1, "ref")
	eventually(t, func() bool { return holds() == "www.example.org:ref" })
	s.end(t)
}
