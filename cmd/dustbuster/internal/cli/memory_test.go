package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

// The number of sites follows from the memory, unless it is given.
func TestMostSites(t *testing.T) {
	for _, c := range []struct {
		want   int
		limit  int64
		tried  bool
		expect int
	}{{7, 2 << 30, true, 7}, {0, 2 << 30, true, 45_875}, {0, 2 << 30, false, 65_536}, {0, 256 << 20, true, 5734}, {0, 0, true, 10_000}, {0, 30 << 10, true, 1}} {
		if got := MostSites(c.want, TableBytes(c.limit, c.tried)); got != c.expect {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// A small heap is collected seldom, a large one often.
func TestPaceCollections(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	t.Setenv("GOGC", "")
	PaceCollections()
	if got := debug.SetGCPercent(mostGrowth); got != mostGrowth {
		t.Errorf("a small heap grows by %d %%", got)
	}
	large := make([]byte, 3*doublingHeap)
	got, ok := expect.Poll(10*time.Second, func() (int, bool) {
		runtime.GC()
		got := debug.SetGCPercent(mostGrowth)
		return got, 50 <= got && got < 60
	})
	if runtime.KeepAlive(large); !ok {
		t.Errorf("a heap of three times the size grows by %d %%", got)
	}
	for _, c := range []struct {
		live uint64
		want int
	}{{0, 600}, {1 << 20, 600}, {smallHeap / 4, 300}, {smallHeap / 3, 200}, {doublingHeap / 2, 141}, {doublingHeap, 100}, {4 * doublingHeap, 50}, {100 * doublingHeap, 10}} {
		if got := growthOf(c.live); got != c.want {
			t.Errorf("a heap of %d bytes grows by %d %%, want %d", c.live, got, c.want)
		}
	}
}
