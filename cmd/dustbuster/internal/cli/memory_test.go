package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/fstest"
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
	}{{7, 2 << 30, true, 7}, {0, 2 << 30, true, 73_400}, {0, 2 << 30, false, 104_857}, {0, 256 << 20, true, 9175}, {0, 0, true, 10_000}, {0, 30 << 10, true, 1}} {
		if got := MostSites(c.want, TableBytes(c.limit, c.tried)); got != c.expect {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// The limit of the process's cgroup or of a cgroup above applies, in both versions, and
// also if a container sees its cgroup as the root.
func TestCgroupLimit(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  int64
	}{
		"nothing": {fstest.MapFS{}, math.MaxInt64},
		"version 2": {fstest.MapFS{"proc/self/cgroup": file("0::/a/b\n"),
			"sys/fs/cgroup/a/b/memory.max": file("536870912\n"), "sys/fs/cgroup/a/memory.max": file("max\n")}, 512 << 20},
		"version 2, above": {fstest.MapFS{"proc/self/cgroup": file("0::/a/b\n"),
			"sys/fs/cgroup/a/b/memory.max": file("max\n"), "sys/fs/cgroup/a/memory.max": file("1000\n")}, 1000},
		"version 2, in a container": {fstest.MapFS{"proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("1000\n")}, 1000},
		"version 2, without limit":  {fstest.MapFS{"proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("max\n")}, math.MaxInt64},
		"version 1": {fstest.MapFS{"proc/self/cgroup": file("5:cpu,memory:/a\n4:cpuset:/c\n0::/\n"),
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": file("1000\n")}, 1000},
		"version 1, a path of the host": {fstest.MapFS{"proc/self/cgroup": file("4:memory:/docker/1234\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes": file("1000\n")}, 1000},
		"version 1, without limit": {fstest.MapFS{"proc/self/cgroup": file("4:memory:/a\n"),
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": file("9223372036854771712\n")}, math.MaxInt64},
		"nonsense": {fstest.MapFS{"proc/self/cgroup": file("x\n0::/\n"), "sys/fs/cgroup/memory.max": file("many\n")}, math.MaxInt64},
	} {
		if got := cgroupLimit(c.files); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
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
	for live, want := range map[uint64]int{0: 600, 1 << 20: 600, smallHeap / 4: 300, smallHeap / 3: 200, doublingHeap / 2: 141, doublingHeap: 100, 4 * doublingHeap: 50, 100 * doublingHeap: 10} {
		if got := growthOf(live); got != want {
			t.Errorf("a heap of %d bytes grows by %d %%, want %d", live, got, want)
		}
	}
}
