package integration

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// The only broker is stopped, and killed with -9, while lines flow through an agent
// to two miners: each time the rules are those of mine over the lines so far, soon
// after the broker is there again, and nobody gathers memory while it is away.
func TestMinersOutliveBroker(t *testing.T) {
	t.Parallel()
	c, k := ownKafka(t)
	d := newTopics(t, c, k, 3)
	var lines [][]byte
	for i, line := range logLines(t, "testdata/semicomplete.log.gz") {
		lines = append(lines, fmt.Appendf(nil, "s%d.example:80 %s", i%4, line))
	}
	log := &server{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: lines}
	const blows = 4
	log.write(len(lines) / (blows + 1))
	a := startAgent(t, c, d.observations, "--tail", log.path, "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0")
	members := []*running{startMiner(t, c, d, "one"), startMiner(t, c, d, "two")}
	soFar := func() string {
		return string(mineLines(t, slices.Clone(lines[:len(lines)-len(log.lines)]), "--format", "vhost_combined"))
	}
	awaitLikely(t, soFar(), patience, members...)
	for blow := range blows {
		down := []func(testing.TB, int){c.Kill, c.Stop}[blow%2]
		down(t, 1)
		for range 6 {
			log.write(len(lines) / (blows + 1) / 6)
			time.Sleep(time.Second)
		}
		c.Run(t, 1)
		up := time.Now()
		awaitLikely(t, soFar(), patience, members...)
		t.Logf("%s: the rules of mine %v after the broker was there again; resident: agent %d MB, miners %d and %d MB", []string{"killed", "stopped"}[blow%2],
			time.Since(up).Round(time.Millisecond), resident(a), resident(members[0]), resident(members[1]))
	}
	log.write(len(lines))
	awaitLikely(t, soFar(), patience, members...)
	for _, r := range append(members, a) {
		if most := resident(r); most == 0 || most > 400 {
			t.Errorf("%s has grown to %d MB", r.name, most)
		}
		r.end(t)
	}
}

// resident is how much memory a program has had at most, in MB.
func resident(r *running) int { return peakOf(r.pid()) >> 20 }
