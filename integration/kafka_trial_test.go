package integration

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// triedPairs is how many pairs of a site a miner remembers.
func triedPairs(t *testing.T, m *running, site string) int {
	t.Helper()
	s, _ := m.status(t)
	return s.Validate.Sites[site].Pairs
}

// A trial under way when a miner is killed is gone on with by the next owner of the
// partition: before its first request has an answer it knows the pairs tried.
func TestTrialMovesWithPartition(t *testing.T) {
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 1)
	site := newLive()
	var closed atomic.Bool
	gate := make(chan struct{})
	web := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if closed.Load() {
			select {
			case <-gate:
			case <-r.Context().Done():
				return
			}
		}
		site.ServeHTTP(w, r)
	}))
	lines := crowdLines(1)
	args := []string{"--hosts", "*.example", "--fetch-kinds", "any", "--origin", web.URL, "--fetch-delay", "30ms", "--fetch-budget", "0", "--publish-interval", "1s", "--hold-share", "1"}
	one := startMiner(t, c, s, "one", args...)
	a := sendLines(t, c, s.observations, lines)
	const name, least = "s0.example", 12
	eventually(t, func() bool { return triedPairs(t, one, name) >= least })
	tried := triedPairs(t, one, name)
	time.Sleep(500 * time.Millisecond) // some checkpoints
	closed.Store(true)
	one.kill(t)
	two := startMiner(t, c, s, "two", args...)
	eventually(t, func() bool { return triedPairs(t, two, name) > 0 })
	if now := triedPairs(t, two, name); now < tried {
		t.Errorf("%d pairs were tried, the next owner knows %d\n%s", tried, now, two)
	}
	close(gate)
	r := follows(t, k, s.rules)
	eventually(t, func() bool { return r.held()[name] != "" })
	if said := fmt.Sprint(r.wrong); len(r.wrong) > 0 {
		t.Error(said)
	}
	a.end(t)
}
