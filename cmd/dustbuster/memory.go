package main

import (
	"bufio"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"

	"dustbuster/config"
	"dustbuster/stream/learn"
	"dustbuster/stream/loop"

	"go.uber.org/zap"
)

// limitMemory returns the memory limit of the process, and sets the garbage collector's
// soft limit below it, unless GOMEMLIMIT sets that. 0: there is no limit.
func limitMemory(want config.Size) int64 {
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
	looksShare  = 0.1 // for a look of learners at a window
)

// lookURLs returns the number of URLs that learners may look at within the limit; 0: any.
func lookURLs(limit int64) int { return int(looksShare * float64(limit) / learn.Bytes) }

// tableBytes returns the tables' part of the limit; 0: no limit.
func tableBytes(limit int64, tried bool) int64 {
	if tried {
		return int64(triedShare * float64(limit))
	}
	return int64(tablesShare * float64(limit))
}

// tableBudget is the same for loops; nil: any.
func tableBudget(limit int64, tried bool) *loop.Memory {
	if limit <= 0 {
		return nil
	}
	return loop.NewMemory(tableBytes(limit, tried))
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

// reportHidden logs the likely rules that are withheld, which mine lists.
func reportHidden(log *zap.Logger) func(loop.Withheld, int) {
	return func(w loop.Withheld, sites int) {
		log.Info("likely rules are withheld, neither told nor tried: they look like secrets, or come from one client; mine lists them, and --no-withhold tells them",
			zap.Int("rules", w.Sum()), zap.Int("secret", w.Secret), zap.Int("one_client", w.OneClient), zap.Int("sites", sites))
	}
}

// reportShed logs the URLs and hits left out for want of memory.
func reportShed(log *zap.Logger) func(loop.Shed) {
	return func(s loop.Shed) {
		log.Warn("left out for want of room: give more with --memory, --max-urls or --max-sites, or name the hosts that count with --hosts",
			zap.Int("urls_shed", s.URLs), zap.Int("sites_cut", s.Sites), zap.Int("hits_on_urls_left_out", s.Hits),
			zap.Int("hits_beyond_max_sites", s.Beyond), zap.Int64("used_bytes", s.Used), zap.Int64("budget_bytes", s.Budget))
	}
}
