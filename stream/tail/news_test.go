package tail

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Steps are told as they happen: a start, a rotation, and a restart.
func TestNews(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "access.log")
	var mu sync.Mutex
	var told []string
	o := quick(path)
	o.News = func(n News) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, fmt.Sprintf("%s %s %d", n.Step, strings.TrimPrefix(n.File, dir+"/"), n.Offset))
	}
	expect := func(all ...string) {
		t.Helper()
		var last []string
		for until := time.Now().Add(patience); time.Now().Before(until); time.Sleep(time.Millisecond) {
			mu.Lock()
			last = slices.Clone(told)
			mu.Unlock()
			if slices.Equal(last, all) {
				return
			}
		}
		t.Fatalf("told %q, want %q", last, all)
	}
	put(t, path, "one\n")
	put(t, path+".2", "old\n")
	long := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(path+".2", long, long))
	o.Window = time.Minute
	r, _ := open(t, o, nil)
	texts(t, r, 1)
	expect("begun access.log 0", "passed access.log.2 4")
	must(t, os.Rename(path, path+".1"))
	put(t, path, "two\nand\n")
	texts(t, r, 2)
	expect("begun access.log 0", "passed access.log.2 4", "rotated access.log.1 4", "begun access.log 0", "finished access.log.1 4")
	positions := r.Positions(map[uint64]int64{1: 4, 3: 4})
	must(t, r.Close())
	told = nil
	r, _ = open(t, o, over(t, positions))
	texts(t, r, 1)
	expect("resumed access.log 4")
}
