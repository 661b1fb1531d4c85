package integration

import (
	"flag"
	"fmt"
	"syscall"
	"testing"
	"time"

	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"

	"github.com/dchest/siphash"
)

// restoreURLs is how many URLs a miner restores.
var restoreURLs = flag.Int("restoreurls", 100_000, "URLs that a miner restores from its topic")

// A miner that begins reads its partitions from their start: how long that takes,
// and how many observations a second it folds.
func TestRestore(t *testing.T) {
	t.Parallel()
	lines := sixLogs(t)
	c, k := sharedKafka(t)
	const partitions = 4
	d := newTopics(t, c, k, partitions)
	key := hashKeys()
	head := evidence.Head{Check: uint32(siphash.Hash(key[0], key[1], []byte("observations")))}
	whole := tablesOf(t, "vhost_combined", lines)
	urls, list := 0, 0
	for copied := 0; urls < *restoreURLs; copied++ {
		for site, known := range whole {
			var all []evidence.Observation
			distinct := map[string]bool{}
			for o := range known.Observations() {
				all = append(all, *o)
				all[len(all)-1].Time = 0 // one pane without end
				distinct[string(o.URL)] = true
			}
			urls += len(distinct)
			list += len(all)
			for len(all) > 0 {
				value, n := evidence.Append(nil, head, all)
				all = all[n:]
				key := fmt.Appendf(nil, "%d.%s", copied, site)
				must(t, k.Produce(t.Context(), d.observations, kafka.PartitionOf(key, partitions), []kafka.Record{{Key: key, Value: value}}))
			}
		}
	}
	began := time.Now()
	m := startMiner(t, c, d, "restoring", "--refine-interval", "1s", "--log-level", "warn")
	await(t, 5*time.Minute, "a miner that is ready", func() (string, bool) { return m.get("/api/v1/status"), m.get("/readyz") != "" }, m)
	took := time.Since(began)
	m.signal(t, syscall.SIGTERM)
	<-m.ended
	usage := m.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	t.Logf("%d URLs of %d observations restored in %v, of which the process was started for a part; %v of processor time; %d MB resident at most",
		urls, list, took.Round(time.Millisecond), (m.cmd.ProcessState.UserTime() + m.cmd.ProcessState.SystemTime()).Round(time.Millisecond), usage.Maxrss>>10)
}
