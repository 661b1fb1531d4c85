package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

// triedPairs is how many pairs of a site a miner remembers.
func (m *member) triedPairs(site string) int {
	var status struct {
		Validate struct {
			Sites map[string]struct{ Pairs int }
		}
	}
	_ = json.Unmarshal([]byte(m.get("/api/v1/status")), &status)
	return status.Validate.Sites[site].Pairs
}

// A trial under way when a miner is killed is gone on with by the next owner of the
// partition: before its first request has an answer it knows the pairs tried.
func TestTrialMovesWithPartition(t *testing.T) {
	c := kafkatest.Shared(t)
	k := openKafka(t, kafka.Options{Brokers: c.Brokers})
	s := newTopics(t, c, k, 1)
	site := &liveSite{asked: map[string]int{}, agents: map[string]bool{}}
	var closed atomic.Bool
	gate := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if closed.Load() {
			select {
			case <-gate:
			case <-r.Context().Done():
				return
			}
		}
		site.ServeHTTP(w, r)
	}))
	defer web.Close()
	lines := crowdLines(1)
	args := []string{"--fetch-kinds", "any", "--origin", web.URL, "--fetch-delay", "30ms", "--fetch-budget", "0", "--publish-interval", "1s", "--hold-share", "1"}
	one := startMiner(t, c, s, "one", args...)
	a := sendLines(t, c, s.observations, lines)
	const name, least = "s0.example", 12
	eventually(t, func() bool { return one.triedPairs(name) >= least })
	tried := one.triedPairs(name)
	time.Sleep(500 * time.Millisecond) // some checkpoints
	closed.Store(true)
	one.kill(t)
	two := startMiner(t, c, s, "two", args...)
	eventually(t, func() bool { return two.triedPairs(name) > 0 })
	if now := two.triedPairs(name); now < tried {
		t.Errorf("%d pairs were tried, the next owner knows %d\n%s", tried, now, &two.stderr)
	}
	close(gate)
	r := follows(t, k, s.rules)
	eventually(t, func() bool { return r.held()[name] != "" })
	if said := fmt.Sprint(r.wrong); len(r.wrong) > 0 {
		t.Error(said)
	}
	a.end(t)
}
