package integration

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
)

// The likely rules of many sites are listed within a minute after their partitions are read, while rules are tried.
func TestKafkaLikely(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 12)
	_, trials := serveWide(t, true, 1)
	lines := wideLines()
	log := write(t, "access.log", bytes.Join(lines, nil))
	agent := startAgent(t, c, s.observations, "--tail", log, "--state", t.TempDir(), "--format", wideFormat, "--window", "0")
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		if s, _ := agent.status(t); s.Lines["all"] == len(lines) && s.Waiting == 0 && s.Sent.Observations > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the agent has not sent all lines")
		}
	}
	agent.end(t)
	miner := startMiner(t, c, s, "miner", trials...)
	read := func() bool {
		lags := slices.Collect(strings.Lines(miner.get("/metrics")))
		lags = slices.DeleteFunc(lags, func(l string) bool { return !strings.HasPrefix(l, "dustbuster_partition_lag{") })
		return len(lags) == 12 && !slices.ContainsFunc(lags, func(l string) bool { return !strings.HasSuffix(l, " 0\n") })
	}
	began := time.Now()
	for !read() {
		if time.Sleep(50 * time.Millisecond); time.Since(began) > patience {
			t.Fatal("the partitions are not read")
		}
	}
	caught, busy := time.Now(), secondsOf(t, miner.pid())
	want := string(mineLines(t, lines, "--format", wideFormat))
	awaitLikely(t, want, time.Until(caught.Add(time.Minute)), miner)
	t.Logf("%d sites: read after %v, and %d likely rules listed at most %v later (%.1f s of the processor)", *wideSites, caught.Sub(began).Round(time.Millisecond),
		strings.Count(want, "\n"), time.Since(caught).Round(time.Millisecond), secondsOf(t, miner.pid())-busy)
	end(t, miner)
}
