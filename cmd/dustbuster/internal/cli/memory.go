package cli

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"dustbuster/config"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// LimitMemory returns the memory limit of the process, and sets the garbage collector's
// soft limit below it, unless GOMEMLIMIT sets that. 0: there is no limit.
func LimitMemory(want config.Size) int64 {
	if want != config.Auto && want <= 0 {
		return 0
	}
	limit, named := int64(want), debug.SetMemoryLimit(-1)
	if want == config.Auto {
		limit = named
		if cgroup, err := memlimit.FromCgroup(); err == nil { // of the process' cgroup, and of those above
			limit = min(named, int64(min(cgroup, math.MaxInt64)))
		}
	}
	switch {
	case limit == math.MaxInt64:
		return 0
	case named == math.MaxInt64:
		debug.SetMemoryLimit(limit - limit/collectorShare)
	}
	return limit
}

// collectorShare is the part of the limit, one in so many, between the limit and the soft
// limit of the garbage collector. It is for memory outside the heap, such as the
// program's own pages.
const collectorShare = 10

// The part of the memory for the tables and indexes of all sites. The rest is for arrays
// that are copied as they grow, for garbage not yet collected, and for what does not grow
// with the sites. If rules are tried, views take a part, and so do fetched pages.
const (
	tablesShare = 0.5
	triedShare  = 0.35
)

// TableBytes returns the tables' part of the limit; 0: no limit.
func TableBytes(limit int64, tried bool) int64 {
	if tried {
		return int64(triedShare * float64(limit))
	}
	return int64(tablesShare * float64(limit))
}

// A site of 30 URLs and three rules takes at most 7 KB of tables when it rests (miner.TestRestingSite). With its
// lists of rules it takes 15 KB of the heap (BenchmarkSites of integration).
const (
	siteBytes      = 16 << 10 // of the tables' part
	unboundedSites = 10_000   // without a limit: a flood of invented hosts must not fill the memory
)

// MostSites returns how many sites are kept: the given number, or, if that is 0, as many as have room in the
// tables' part of the memory.
func MostSites(want int, tables int64) int {
	switch {
	case want > 0:
		return want
	case tables <= 0:
		return unboundedSites
	}
	return max(1, int(tables/siteBytes))
}

// The views that trials are made with: what is derived from the windows of the sites in trial. Views used
// least recently are dropped, and derived again when they are needed. Of 2 GiB, 8,000 sites of 30 URLs have one.
const (
	viewsShare = 0.12
	mostViews  = 1 << 30 // without a limit
)

// ViewBytes returns the views' part of the limit.
func ViewBytes(limit int64) int64 {
	if limit <= 0 {
		return mostViews
	}
	return int64(viewsShare * float64(limit))
}

// PageBytes returns the part of the limit for pages that were fetched. A page that was dropped is fetched anew for
// the next pair that needs it: with 8 pages for each of 1,000 sites, twice the requests were made as with 30. A page
// of manuals, 117 kB of HTML, takes 16 kB: of 2 GiB, 13,000 are kept, and many more of few words.
func PageBytes(limit int64) int64 {
	if limit <= 0 {
		return mostPages
	}
	return int64(pagesShare * float64(limit))
}

const (
	pagesShare = 0.1
	mostPages  = 256 << 20 // without a limit
)

// PaceCollections lets the heap of a run that ends grow, between two collections of garbage, by a part
// that falls with the square root of the live bytes, unless GOGC says how much. Time spent on
// collections and memory spent on garbage are then in balance at all sizes: twice as much live memory
// gets 1.4 times as much garbage (Kirisame, Shenoy and Panchekha, Optimal heap limits for reducing
// browser memory use, OOPSLA 2022). Compared with 100 % at all sizes, mine of a million URLs takes a
// quarter less memory. A heap below smallHeap has no collections. With 64 MB mine of a log of 8,000 URLs takes
// 16 MB more and 7 % longer, since fresh pages of memory cost more than collections.
func PaceCollections() {
	if os.Getenv("GOGC") == "" {
		pace.Do(func() {
			debug.SetGCPercent(growthOf(0))
			afterCollection(func() {
				live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
				metrics.Read(live)
				debug.SetGCPercent(growthOf(live[0].Value.Uint64()))
			})
		})
	}
}

var pace sync.Once // of the process

// A heap of so many live bytes doubles between two collections; a small heap grows to smallHeap.
const (
	doublingHeap = 48 << 20
	smallHeap    = 24 << 20
	mostGrowth   = 100 * smallHeap / (4 << 20) // percent: the runtime takes 4 MB for the least of heaps
)

// growthOf returns by how many percent a heap grows.
func growthOf(live uint64) (percent int) {
	balanced := min(200, 100*math.Sqrt(doublingHeap/float64(live)))
	return int(min(mostGrowth, max(balanced, 100*(smallHeap/float64(live)-1))))
}

// afterCollection calls do after each collection, in a goroutine of the runtime.
func afterCollection(do func()) {
	runtime.AddCleanup(&[64]byte{}, func(struct{}) {
		do()
		afterCollection(do)
	}, struct{}{})
}
