package integration

import (
	"regexp"
	"strconv"
	"testing"
)

// failures is a miner's count of errors, by the reason.
func failures(m *running, reason string) (n int) {
	found := regexp.MustCompile(`dustbuster_errors_total\{reason="` + reason + `"\} (\d+)`).FindStringSubmatch(m.get("/metrics"))
	if found != nil {
		n, _ = strconv.Atoi(found[1]) // they are digits
	}
	return n
}

// A save that the brokers refuse is counted and told: what is left out for its size, and what cannot be read
// or claimed meanwhile.
func TestKafkaRefusedSave(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 1)
	_, origin, _ := startLive(t)
	m := startMiner(t, c, s, "the miner", trialArgs(origin, 1)...)
	m.awaitReady(t, "ok")
	must(t, k.Alter(t.Context(), s.rules, map[string]string{"max.message.bytes": "400"}))
	a := sendLines(t, c, s.observations, crowdLines(1))
	eventually(t, func() bool { return failures(m, "refused") > 0 })
	m.stderr.awaits(t, "cannot save s0.example")
	m.awaits(t, "/api/v1/status", `"last_error": "save s0.example`)
	deleteTopic(t, c, k, s.rules) // the partition cannot be served
	eventually(t, func() bool { return failures(m, "read") > 0 })
	if failures(m, "refused") == 0 {
		t.Error("the count has gone with the loop")
	}
	end(t, a, m)
}
