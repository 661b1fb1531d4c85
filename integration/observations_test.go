package integration

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"dustbuster/operators/window/combine"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
)

var observedSites = flag.Int("observed-sites", 500, "sites of TestObservationsOfLine")

// observed is what an agent sends of the lines of many sites.
type observed struct {
	observations, bytes float64 // a line; bytes an observation, in batches for 12 partitions
	hits                float64 // a URL
}

// observe has an agent read the lines of many sites, mixed: 60 URLs of 5 forms a site, 16 bits of clients, and so many
// lines for each URL that there is. Few URLs are asked for twice in one batch.
func observe(t testing.TB, sites int, lines float64) observed {
	t.Helper()
	c, err := combine.New(combine.Options{Pane: 7200, Entries: 100 * sites, MaxBytes: 768 << 10, Key: [2]uint64{1, 2}})
	must(t, err)
	rng := rand.New(rand.NewPCG(53, 4))
	seen := map[[3]int]bool{}
	sent, bytes, all := 0, 0, int(lines*60*float64(sites))
	drain := func() {
		var batches [12][]byte
		for site, list := range c.Drain() {
			sent += len(list)
			value, _ := evidence.Append(nil, evidence.Head{Pane: 7200, Check: 7, Rule: 1, Sites: 7}, list)
			to := &batches[kafka.PartitionOf([]byte(site), len(batches))]
			*to = append(asRecord(*to, value), site...)
		}
		for _, batch := range batches {
			bytes += 61 + len(packer.EncodeAll(batch, nil))
		}
	}
	var url []byte
	for range all {
		site, n, form := rng.IntN(sites), rng.IntN(12), rng.IntN(5)
		url = fmt.Appendf(url[:0], [...]string{"/item/%d", "/old/%d", "/like/%d", "/look/%d", "/item/%d?ref="}[form], n)
		if form == 4 {
			url = fmt.Appendf(url, "%d", n%7)
		}
		seen[[3]int{site, n, form}] = true
		c.Add(wideHost(site), &evidence.Observation{URL: url, Time: 1, Min: int64(1000 + 50*n), Max: int64(1000 + 50*n), Clients: 1 << rng.IntN(16), Families: 1})
		if c.Full() {
			drain()
		}
	}
	drain()
	return observed{float64(sent) / float64(all), float64(bytes) / float64(sent), float64(all) / float64(len(seen))}
}

// Few observations go through Kafka for a line, whether a URL is asked for twice or often: of a settled URL nearly the
// first sighting alone.
func TestObservationsOfLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines, most float64
	}{{1.98, 0.55}, {62, 0.06}} {
		got := observe(t, *observedSites, c.lines)
		t.Logf("%.1f hits a URL: %.3f observations a line, of %.1f bytes; %.3f are the first of a URL", got.hits, got.observations, got.bytes, 1/got.hits)
		if got.observations > c.most || got.observations < 1/got.hits {
			t.Errorf("%.1f hits a URL: %.3f observations a line, want at most %v", got.hits, got.observations, c.most)
		}
	}
}
