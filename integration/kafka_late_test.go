package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"

	"github.com/dchest/siphash"
)

// timed returns lines of one site with some times.
func timed(site string, n int, at time.Time) (lines [][]byte) {
	for i := range n {
		lines = append(lines, fmt.Appendf(nil, "%s:80 192.0.2.1 - - [%s] \"GET /%d/%d HTTP/1.1\" 200 1234 \"-\" \"Mozilla/5.0\"\n", site, at.Format("02/Jan/2006:15:04:05 -0700"), at.Unix(), i))
	}
	return lines
}

// One line 23 hours ahead moves no window, whether the agent refuses the line, or an agent whose clock is
// ahead has sent it. A site most of whose newest lines are late is told in the log, the status and the metrics.
func TestKafkaLate(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 1)
	m := startMiner(t, c, s, "the miner", "--window", "24h")
	now := time.Now()
	send := func(lines [][]byte) *running {
		return startAgent(t, c, s.observations, "--tail", write(t, "access.log", bytes.Join(lines, nil)), "--state", t.TempDir(), "--format", "vhost_combined")
	}
	const site = "www.example.org"
	key := hashKeys()
	head := evidence.Head{Pane: 7200, Check: uint32(siphash.Hash(key[0], key[1], []byte("observations")))}
	value, _ := evidence.Append(nil, head, []evidence.Observation{{URL: []byte("/far"), Time: now.Unix() + 23*3600, Min: 1, Max: 1}})
	must(t, k.Produce(t.Context(), s.observations, 0, []kafka.Record{{Key: []byte(site), Value: value}}))
	a := send(append(timed(site, 1, now.Add(23*time.Hour)), timed(site, 40, now.Add(-20*time.Hour))...))
	of := func(text string) (got struct {
		Dropped map[string]int `json:"hits_dropped"`
		Sites   []struct {
			URLs int
			Late int `json:"late_hits"`
		}
		Lines map[string]int
	}) {
		_ = json.Unmarshal([]byte(text), &got) // it may not answer yet
		return got
	}
	eventually(t, func() bool { return of(a.get("/api/v1/status")).Dropped["ahead_of_clock"] == 1 })
	eventually(t, func() bool {
		got := of(m.get("/api/v1/status"))
		return len(got.Sites) == 1 && got.Sites[0].URLs == 40
	})
	if got := of(m.get("/api/v1/status")); got.Lines["malformed"] != 1 || got.Dropped["late"] != 0 || strings.Contains(m.get("/metrics"), "dustbuster_late_sites 1") {
		t.Errorf("%+v", got)
	}
	b := send(append(timed(site, 1, now), timed(site, 60, now.Add(-3*24*time.Hour))...))
	m.stderr.awaits(t, "most new lines of a site are older than its window")
	eventually(t, func() bool { return strings.Contains(m.get("/metrics"), "dustbuster_late_sites 1") })
	if got := of(m.get("/api/v1/status")); got.Sites[0].Late < 33 || got.Dropped["late"] != 60 {
		t.Errorf("%+v", got)
	}
	end(t, a, b, m)
}
