package integration

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

const otherKey = "ff0102030405060708090a0b0c0d0e0f"

// startAgentOf is startAgent with another hash key.
func startAgentOf(t *testing.T, key string, c *kafkatest.Cluster, to string, args ...string) *running {
	t.Helper()
	admin := freeAddress(t)
	cmd := exec.Command(program, append([]string{"agent", "--brokers", strings.Join(c.Brokers, ","), "--observations-topic", to, "--admin-listen", admin,
		"--checkpoint-interval", "100ms", "--state", t.TempDir(), "--format", "vhost_combined", "--rules-topic", "nosuch"}, args...)...)
	cmd.Env = append(os.Environ(), "DUSTBUSTER_KEEP_HASH_KEY="+key)
	a := begin(t, "the agent", cmd)
	a.admin, a.begun = admin, []string{"following logs"}
	return a
}

// An agent whose key, pane, window or grouping is not that of the newest observations does not begin:
// it names both values and what to do, and nothing is sent. One with these settings begins, and so does
// one that is told that they were changed.
func TestAgentUnlike(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	topic := topicOf(t, k, 2, forever)
	log := filepath.Join(t.TempDir(), "access.log")
	s := &server{t: t, path: log, lines: recreatedLines("www.one.example", 40)}
	s.write(40)
	first := startAgentOf(t, hashKey, c, topic, "--tail", log)
	first.awaits(t, "/metrics", "\ndustbuster_sent_observations_total 40\n")
	first.end(t)
	sent, err := k.Offsets(t.Context(), topic)
	must(t, err)
	for _, test := range []struct {
		name, key string
		args      []string
		says      []string
	}{
		{"key", otherKey, nil, []string{"keep.hash_key is another: its mark is ", " here: clients cannot be compared"}},
		{"pane", hashKey, []string{"--pane", "1h"}, []string{"read.pane is 2h there, and read.pane is 1h here: miners leave out"}},
		{"window", hashKey, []string{"--window", "0"}, []string{"read.pane is 2h there, and read.window is 0 here: miners leave out"}},
		{"domain", hashKey, []string{"--site-by", "domain"}, []string{"site.by or site.groups are others: their mark is ", "two names"}},
		{"group", hashKey, []string{"--group", "shop=www.one.example two.example"}, []string{"site.by or site.groups are others: their mark is ", "two names"}},
	} {
		a := startAgentOf(t, test.key, c, topic, append(test.args, "--tail", log)...)
		<-a.ended
		if code := a.cmd.ProcessState.ExitCode(); code != 78 {
			t.Errorf("%s: exit code %d, want 78: %v", test.name, code, a)
		}
		for _, text := range append(test.says, topic, "were written with other settings", "give this agent the settings of the others", "kafka.settings_changed") {
			if !strings.Contains(a.stderr.String(), text) {
				t.Errorf("%s: %q is not said: %v", test.name, text, a)
			}
		}
	}
	if now, err := k.Offsets(t.Context(), topic); err != nil || now[0] != sent[0] || now[1] != sent[1] {
		t.Errorf("offsets %v, %v, were %v", now, err, sent)
	}
	for _, a := range []*running{startAgentOf(t, hashKey, c, topic, "--tail", log, "--window", "48h"), startAgentOf(t, otherKey, c, topic, "--tail", log, "--settings-changed")} {
		a.awaits(t, "/readyz", "ok")
		a.end(t)
	}
}

// Miners say that agents with other settings send, by setting, count their observations, and are not
// ready. Observations of another pane are counted as refused.
func TestMinersUnlike(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 1)
	m := startMiner(t, c, s, "one")
	m.awaits(t, "/readyz", "ok")
	log := filepath.Join(t.TempDir(), "access.log")
	(&server{t: t, path: log, lines: recreatedLines("www.one.example", 40)}).write(40)
	counted := func(setting string, n int) {
		t.Helper()
		m.awaits(t, "/metrics", `dustbuster_unlike_observations_total{partition="0",setting="`+setting+`"} `+strconv.Itoa(n)+"\n")
	}
	counted("hash_key", 0)
	for _, a := range []struct {
		key     string
		args    []string
		setting string
		says    string
	}{
		{otherKey, []string{"--window", "0"}, "hash_key", "keep.hash_key is another: its mark is "},
		{hashKey, []string{"--window", "24h"}, "pane", "read.pane is 2h there, and read.window is 0 here: miners leave out"},
		{hashKey, []string{"--window", "0", "--group", "shop=www.one.example"}, "sites", "site.by or site.groups are others"},
	} {
		sender := startAgentOf(t, a.key, c, s.observations, append(a.args, "--tail", log, "--settings-changed")...)
		counted(a.setting, 40)
		m.stderr.awaits(t, a.says)
		m.awaitReady(t, a.says)
		sender.end(t)
	}
	if said := m.stderr.String(); strings.Count(said, "observations of agents with other settings are skipped") != 3 {
		t.Errorf("not said once for each: %v", m)
	}
	m.awaits(t, "/metrics", `dustbuster_partition_refused_observations_total{partition="0"} 40`+"\n")
	m.end(t)
}

// An agent that may not read the observations says that it does not compare, and sends.
func TestAgentMayNotCompare(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	topic := topicOf(t, k, 1, forever)
	must(t, k.Produce(t.Context(), topic, 0, []kafka.Record{{Key: []byte("a.example"), Value: []byte("no observations")}}))
	log := filepath.Join(t.TempDir(), "access.log")
	(&server{t: t, path: log, lines: recreatedLines("www.one.example", 4)}).write(4)
	a := startAgentOf(t, hashKey, c, topic, "--tail", log)
	a.stderr.awaits(t, "whether other agents have the same settings is not checked")
	a.awaits(t, "/metrics", "\ndustbuster_sent_observations_total 4\n")
	a.end(t)
}
