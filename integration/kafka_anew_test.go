package integration

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"

	kafkago "github.com/segmentio/kafka-go"
)

// deleteTopic deletes a topic and waits until the brokers do not know it any more.
func deleteTopic(t testing.TB, c *kafkatest.Cluster, k *kafka.Cluster, topic string) {
	t.Helper()
	client := kafkago.Client{Addr: kafkago.TCP(c.Brokers...)}
	res, err := client.DeleteTopics(t.Context(), &kafkago.DeleteTopicsRequest{Topics: []string{topic}})
	if err == nil {
		err = res.Errors[topic]
	}
	must(t, err)
	eventually(t, func() bool { _, err := k.Topic(t.Context(), topic); return err != nil })
}

// sendLines has an agent of its own send lines.
func sendLines(t *testing.T, c *kafkatest.Cluster, to string, lines [][]byte) *running {
	t.Helper()
	return startAgent(t, c, to, "--tail", write(t, "access.log", bytes.Join(lines, nil)), "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0")
}

// sendAll has an agent of its own send lines, and returns when the brokers hold what was sent.
func sendAll(t *testing.T, c *kafkatest.Cluster, to string, lines [][]byte) {
	t.Helper()
	cmd := exec.Command(program, "agent", "--once", "--brokers", strings.Join(c.Brokers, ","), "--observations-topic", to,
		"--format", "vhost_combined", "--window", "0", write(t, "access.log", bytes.Join(lines, nil)))
	cmd.Env = append(os.Environ(), "DUSTBUSTER_KEEP_HASH_KEY="+hashKey)
	succeed(t, cmd)
}

// A topic of observations that is deleted and, some time later, made anew is read by
// the miners that are running: while it is away they are not ready and say why, and
// afterwards they share its partitions again, also if it has another number of them. Then they are
// not ready: with these topics they would not start.
func TestMinersTopicMadeAnew(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 4)
	lines := crowdLines(8)
	want := string(mineLines(t, lines, "--format", "vhost_combined"))
	miners := []*running{startMiner(t, c, s, "one"), startMiner(t, c, s, "two")}
	a := sendLines(t, c, s.observations, lines)
	awaitLikely(t, want, patience, miners...)
	for round, partitions := range []int{4, 3} {
		a.end(t)
		deleteTopic(t, c, k, s.observations)
		time.Sleep(10 * time.Second)
		for _, m := range miners {
			m.awaitReady(t, fmt.Sprintf("topic %q: %v", s.observations, kafka.ErrNoTopic))
		}
		must(t, k.Create(t.Context(), kafka.Topic{Name: s.observations, Partitions: partitions, Replicas: 1, Config: forever}))
		made := time.Now()
		eventually(t, func() bool { return servedBy(miners...) == partitions })
		t.Logf("round %d: the miners share %d partitions %v after the topic was made", round, partitions, time.Since(made).Round(100*time.Millisecond))
		a = sendLines(t, c, s.observations, lines)
		awaitLikely(t, want, patience, miners...)
		for _, m := range miners {
			m.awaitReady(t, []string{"ok", "has 4 partitions, want 3 as topic"}[round])
			if m.get("/api/v1/rules?state=likely") == "" {
				t.Errorf("round %d: no part of it is of %v", round, m)
			}
		}
	}
	end(t, append(miners, a)...)
}

// servedBy is the number of partitions that miners serve.
func servedBy(miners ...*running) (n int) {
	for _, m := range miners {
		n += strings.Count(m.get("/metrics"), "\ndustbuster_partition_lag{")
	}
	return n
}

// A miner without a partition is ready while others own all of them.
func TestMinersMoreThanPartitions(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 1)
	miners := []*running{startMiner(t, c, s, "one"), startMiner(t, c, s, "two")}
	for _, m := range miners {
		m.awaitReady(t, "ok")
	}
	end(t, miners...)
}
