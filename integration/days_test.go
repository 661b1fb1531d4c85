package integration

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/urllist"
)

// mostDayBytes is the most memory that the sizes by day may take of a URL.
const mostDayBytes = 12

// lastFolded is the memory of what was folded last, beside an eighth more places of 4 bytes than URLs.
const lastFolded = 56 << 10

// The sizes by day take few bytes a URL: of a log of random names, each with a size or two, and of
// real logs.
func TestDaysMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	random := foldDays(t, func(fold func(o *evidence.Observation)) {
		for i := range 40_000 {
			size := 200 + rng.Int64N(20_000)
			for range 1 + rng.IntN(3) {
				fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%x", i*2654435761), Time: 1_500_000_000 + rng.Int64N(30*evidence.SecondsOfDay), Min: size, Max: size})
			}
		}
	})
	if random > mostDayBytes {
		t.Errorf("random names: %.1f bytes a URL, want at most %d", random, mostDayBytes)
	}
	t.Logf("random names: %.1f bytes a URL", random)
	dir := os.Getenv("DUSTBUSTER_DATA")
	if dir == "" {
		return
	}
	for _, name := range []string{"bplogs", "erddap", "nspw"} {
		bytes := foldDays(t, func(fold func(o *evidence.Observation)) {
			eachObservation(t, logLines(t, filepath.Join(dir, "logs", name+".log.gz")), fold)
		})
		if bytes > mostDayBytes && name == "bplogs" { // nspw has few URLs, whose sizes change each day
			t.Errorf("%s: %.1f bytes a URL, want at most %d", name, bytes, mostDayBytes)
		}
		t.Logf("%s: %.1f bytes a URL", name, bytes)
	}
}

// foldDays returns the memory of the days of observations, in bytes a URL: what a table takes more
// with days than without. It does not count what is not copied to a view: what was folded last, in any
// table the same, and the room for further URLs.
func foldDays(t *testing.T, all func(fold func(o *evidence.Observation))) float64 {
	with := table.New(table.Options{MaxURLs: 1e7, Days: true}, urllist.New())
	without := table.New(table.Options{MaxURLs: 1e7}, urllist.New())
	all(func(o *evidence.Observation) { with.Fold(o); without.Fold(o) })
	view := func(t *table.Table) int64 { return int64(t.View(urllist.New()).Bytes()) }
	days := view(with) - view(without)
	if last := int64(with.Bytes()-without.Bytes()) - days; last > lastFolded+int64(with.Len()) {
		t.Errorf("what was folded last takes %d bytes beside %d URLs, want at most %d", last, with.Len(), lastFolded)
	}
	return float64(days) / float64(with.Len())
}
