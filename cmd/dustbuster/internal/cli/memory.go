package cli

import (
	"bufio"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"

	"dustbuster/config"
)

// LimitMemory returns the memory limit of the process, and sets the garbage collector's
// soft limit below it, unless GOMEMLIMIT sets that. 0: there is no limit.
func LimitMemory(want config.Size) int64 {
	if want != config.Auto && want <= 0 {
		return 0
	}
	limit, named := int64(want), debug.SetMemoryLimit(-1)
	if want == config.Auto {
		limit = min(cgroupLimit(os.DirFS("/")), named)
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
// with the sites. If rules are tried, the validator holds two windows, their canonical
// forms, and a second set of indexes.
const (
	tablesShare = 0.5
	triedShare  = 0.2
)

// TableBytes returns the tables' part of the limit; 0: no limit.
func TableBytes(limit int64, tried bool) int64 {
	if tried {
		return int64(triedShare * float64(limit))
	}
	return int64(tablesShare * float64(limit))
}

// CollectSeldom lets the heap of a run that ends grow by 200 % between two collections of garbage
// instead of 100, until smallHeap bytes are live (a tenth less user time for 9 MB more, in mine of a
// log of 8,000 URLs), unless GOGC says how much.
func CollectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
		afterCollection(func() (again bool) {
			live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
			if metrics.Read(live); live[0].Value.Uint64() <= smallHeap {
				return true
			}
			debug.SetGCPercent(100)
			return false
		})
	}
}

const smallHeap = 64 << 20

// afterCollection calls do after each collection, in a goroutine of the runtime, until do returns
// false.
func afterCollection(do func() (again bool)) {
	runtime.AddCleanup(&[64]byte{}, func(struct{}) {
		if do() {
			afterCollection(do)
		}
	}, struct{}{})
}

// cgroupLimit returns the least memory limit of the process' cgroup and the cgroups above,
// of version 1 or 2; math.MaxInt64 without a limit.
func cgroupLimit(root fs.FS) int64 {
	limit := int64(math.MaxInt64)
	file, err := root.Open("proc/self/cgroup")
	if err != nil {
		return limit
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); { // hierarchy:controllers:path
		parts := strings.SplitN(lines.Text(), ":", 3)
		if len(parts) < 3 {
			continue
		}
		switch {
		case parts[0] == "0":
			limit = min(limit, leastAbove(root, "sys/fs/cgroup", parts[2], "memory.max"),
				leastAbove(root, "sys/fs/cgroup/unified", parts[2], "memory.max"))
		case strings.Contains(","+parts[1]+",", ",memory,"):
			limit = min(limit, leastAbove(root, "sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes"))
		}
	}
	return limit
}

// leastAbove returns the least limit in a cgroup's folder and the folders above. In a
// container, the path may not exist: then the mount itself is the cgroup.
func leastAbove(root fs.FS, mount, group, name string) int64 {
	limit := int64(math.MaxInt64)
	for group = path.Clean("/" + group); ; group = path.Dir(group) {
		text, err := fs.ReadFile(root, path.Join(mount, group, name))
		if n, bad := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && bad == nil && n < noLimit {
			limit = min(limit, n)
		}
		if group == "/" {
			return limit
		}
	}
}

// noLimit is less than the value for no limit in version 1: the greatest number of whole
// pages.
const noLimit = 1 << 60
