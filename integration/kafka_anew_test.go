package integration

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
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

// ready is what a miner's /readyz says: "ok", or why it is not ready.
func (m *member) ready() string {
	client := http.Client{Timeout: 2 * time.Second}
	resp, err := client.Get("http://" + m.admin + "/readyz")
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}

// awaitReady waits until /readyz of a miner says a text.
func (m *member) awaitReady(t testing.TB, want string) {
	t.Helper()
	said := ""
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if said = m.ready(); strings.Contains(said, want) {
			return
		}
	}
	t.Fatalf("%s: /readyz says %q, want %q\n%s", m.name, said, want, &m.stderr)
}

// sendLines has an agent of its own send lines.
func sendLines(t *testing.T, c *kafkatest.Cluster, to string, lines [][]byte) *agent {
	t.Helper()
	path := filepath.Join(t.TempDir(), "access.log")
	writeFile(t, path, joined(lines))
	return startAgent(t, c, to, "--tail", path, "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0")
}

func joined(lines [][]byte) (all []byte) {
	for _, line := range lines {
		all = append(all, line...)
	}
	return all
}

// A topic of observations that is deleted and, some time later, made anew is read by
// the miners that are running: while it is away they are not ready and say why, and
// afterwards they share its partitions again, also if it has another number of them.
func TestMinersTopicMadeAnew(t *testing.T) {
	t.Parallel()
	c := kafkatest.Shared(t)
	k := openKafka(t, kafka.Options{Brokers: c.Brokers})
	s := newTopics(t, c, k, 4)
	lines := crowdLines(8)
	want := string(mineLines(t, lines, "--format", "vhost_combined"))
	miners := []*member{startMiner(t, c, s, "one"), startMiner(t, c, s, "two")}
	a := sendLines(t, c, s.observations, lines)
	awaitLikely(t, want, patience, miners...)
	for round, partitions := range []int{4, 3} {
		a.end(t)
		deleteTopic(t, c, k, s.observations)
		time.Sleep(10 * time.Second)
		for _, m := range miners {
			m.awaitReady(t, fmt.Sprintf("topic %q: %v", s.observations, kafka.ErrNoTopic))
		}
		must(t, k.Create(t.Context(), kafka.Topic{Name: s.observations, Partitions: partitions, Replicas: 1}))
		a = sendLines(t, c, s.observations, lines)
		awaitLikely(t, want, patience, miners...)
		for _, m := range miners {
			m.awaitReady(t, "ok")
			if m.get("/api/v1/rules?state=likely") == "" {
				t.Errorf("round %d: %s has no part in it\n%s", round, m.name, &m.stderr)
			}
		}
	}
	a.end(t)
	for _, m := range miners {
		m.end(t)
	}
}

// A miner without a partition is ready while others own all of them.
func TestMinersMoreThanPartitions(t *testing.T) {
	t.Parallel()
	c := kafkatest.Shared(t)
	k := openKafka(t, kafka.Options{Brokers: c.Brokers})
	s := newTopics(t, c, k, 1)
	miners := []*member{startMiner(t, c, s, "one"), startMiner(t, c, s, "two")}
	for _, m := range miners {
		m.awaitReady(t, "ok")
	}
	for _, m := range miners {
		m.end(t)
	}
}
