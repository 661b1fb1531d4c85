package integration

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

// Topics are changed while members run: each change is told, and the members are not ready as long as
// they would not start.
func TestTopicsChanged(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 2)
	m := startMiner(t, c, s, "one")
	log := &server{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: crowdLines(2)}
	log.write(len(log.lines))
	a := startAgent(t, c, s.observations, "--tail", log.path, "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0", "--rules-topic", s.rules)
	for _, r := range []*running{m, a} {
		r.awaits(t, "/readyz", "ok")
	}

	const cut = "retention.ms is 3600000 (1h), want -1 (for ever)"
	must(t, k.Alter(t.Context(), s.observations, map[string]string{"retention.ms": "3600000"}))
	m.stderr.awaits(t, `topic \"`+s.observations+`\": `+cut)
	m.awaitReady(t, cut)
	must(t, k.Alter(t.Context(), s.observations, map[string]string{"retention.ms": "-1"}))
	m.awaits(t, "/readyz", "ok")

	recreate(t, c, k, s.events, 2)
	m.stderr.awaits(t, `topic \"`+s.events+`\": was deleted and made again: its events are lost`)

	must(t, k.Grow(t.Context(), s.rules, 3))
	for _, r := range []*running{m, a} {
		r.stderr.awaits(t, `topic \"`+s.rules+`\": has 3 partitions, want 2 as topic`)
		r.awaitReady(t, "has 3 partitions, want 2 as topic")
	}
	if n := strings.Count(m.stderr.String(), cut); n != 1 {
		t.Errorf("told %d times: %v", n, m)
	}
	end(t, m, a)
}

// Records of rules, or of observations that all count, are deleted by hand. The next owner of the
// partition says so and counts them, and so does the owner while it runs.
func TestRecordsDeleted(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 1)
	m := startMiner(t, c, s, "one")
	sendAll(t, c, s.observations, crowdLines(2))
	eventually(t, func() bool { return likelyOf(m) != "" })
	m.awaits(t, "/metrics", `dustbuster_partition_deleted_offsets{partition="0",topic="observations"} 0`)
	m.awaits(t, "/metrics", `dustbuster_partition_deleted_offsets{partition="0",topic="rules"} 0`)
	deleteRecords(t, c, s.observations, 0, 2)
	must(t, k.Alter(t.Context(), s.rules, map[string]string{"cleanup.policy": "delete", "retention.ms": "1"})) // of a compacted topic nobody may delete records
	m.awaitReady(t, "cleanup.policy is delete, want compact")
	eventually(t, func() bool { ranges, err := k.Offsets(t.Context(), s.rules); return err == nil && ranges[0].First > 0 })
	must(t, k.Alter(t.Context(), s.rules, map[string]string{"cleanup.policy": "compact", "retention.ms": "-1"}))
	ranges, err := k.Offsets(t.Context(), s.rules)
	must(t, err)
	for _, topic := range []string{s.rules, s.observations} {
		m.stderr.awaits(t, `topic \"`+topic+`\": 1 partition begins above offset 0: records were deleted`)
	}
	m.end(t)
	next := startMiner(t, c, s, "two")
	next.awaits(t, "/metrics", `dustbuster_partition_deleted_offsets{partition="0",topic="observations"} 2`)
	next.awaits(t, "/metrics", `dustbuster_partition_deleted_offsets{partition="0",topic="rules"} `+fmt.Sprintln(ranges[0].First))
	next.awaits(t, "/metrics", `dustbuster_partition_lost_records_total{partition="0"} 2`)
	next.stderr.awaits(t, "the partition begins at offset 2: the offsets before are deleted")
	next.stderr.awaits(t, "partition 0 of "+s.rules+" begins at offset "+fmt.Sprint(ranges[0].First)+": the records before were deleted")
	next.end(t)
}

// An agent whose observations are not acknowledged is not ready, and says why, and is ready again when
// they are. Without a line to send, it is not ready while no broker answers.
func TestAgentCannotWrite(t *testing.T) {
	t.Parallel()
	o := &gate{}
	o.without.Store(-1)
	port := o.start(t)
	c := kafkatest.Start(t, kafkatest.Options{Advertise: map[int]int{1: port}})
	o.to.Store(int64(c.Ports[0]))
	k := openKafka(t, kafka.Options{Brokers: c.Brokers})
	topic := topicOf(t, k, 2, nil)
	log := &server{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: recreatedLines("one.example", 300)}
	a := startAgent(t, c, topic, "--tail", log.path, "--state", t.TempDir(), "--format", "vhost_combined", "--rules-topic", "nosuch")
	log.write(100)
	a.awaits(t, "/readyz", "ok")
	a.awaits(t, "/metrics", "\ndustbuster_unacknowledged_seconds 0\n")

	o.without.Store(produce)
	log.write(100)
	a.awaitReady(t, "no acknowledgement from Kafka for ")
	a.awaitReady(t, "write to partition ")
	o.without.Store(-1)
	a.awaits(t, "/readyz", "ok")
	follow(t, k, topic).await(t, tablesOf(t, "vhost_combined", recreatedLines("one.example", 200)), a)
	a.awaits(t, "/metrics", "\ndustbuster_unacknowledged_seconds 0\n")

	c.Stop(t, 1)
	a.awaitReady(t, "no broker has answered since ")
	c.Run(t, 1)
	a.awaits(t, "/readyz", "ok")
	a.end(t)
}
