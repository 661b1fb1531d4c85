package tail_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/operators/read/input"
	"dustbuster/stream/tail"
)

// Lags reports each file of a log that has unprocessed lines or is followed.
func TestLags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	put(t, path, "one\ntwo\n")
	old := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(path, old, old))
	r, _ := open(t, tail.Quick(path), nil)
	reads(t, r, "one", "two")
	expect := func(what string, all ...tail.Lag) {
		t.Helper()
		eventually(t, what, func() bool {
			lags := r.Lags()
			if len(lags) != len(all) {
				return false
			}
			for i, l := range lags {
				if l.File != all[i].File || l.Bytes != all[i].Bytes || l.Since.IsZero() != (l.Bytes == 0) {
					return false
				}
			}
			return true
		})
	}
	expect("all is behind", tail.Lag{File: path, Bytes: 8})
	if since := time.Since(r.Lags()[0].Since); since < time.Hour || since > time.Hour+patience {
		t.Errorf("since %v, want an hour", since)
	}
	const number = 1 // of the only generation
	r.Positions(map[uint64]int64{number: 4})
	expect("half is behind", tail.Lag{File: path, Bytes: 4})
	r.Positions(map[uint64]int64{number: 8})
	expect("nothing is behind", tail.Lag{File: path})
	put(t, path, "three\n")
	expect("what is new is behind", tail.Lag{File: path, Bytes: 6})
	if since := time.Since(r.Lags()[0].Since); since > patience {
		t.Errorf("since %v, although the bytes are new", since)
	}
	must(t, os.Rename(path, path+".1"))
	put(t, path, "four\n")
	expect("both are behind", tail.Lag{File: path, Bytes: 5}, tail.Lag{File: path + ".1", Bytes: 6})
	r.Positions(map[uint64]int64{number: 14})
	readsSorted(t, r, "four", "three")
	expect("the old one has gone", tail.Lag{File: path, Bytes: 5})
}

// said is the part of a log's state that does not depend on the file system.
func said(s *input.State, dir string) string {
	size := int64(-1)
	if s.Size != nil {
		size = *s.Size
	}
	text := fmt.Sprintf("%s %d/%d, %d behind", strings.TrimPrefix(s.Name, dir), s.Offset, size, *s.LagBytes)
	for _, b := range s.Behind {
		text += fmt.Sprintf(", %s %d/%d", strings.TrimPrefix(b.File, dir), b.Offset, b.Size)
	}
	if s.CaughtUp {
		text += ", caught up"
	}
	return text
}

// Inputs describes each followed log: before its lines are processed, while its rotated
// generations are, and if it is missing or cannot be read.
func TestInputs(t *testing.T) {
	dir := t.TempDir()
	path, missing := filepath.Join(dir, "access.log"), filepath.Join(dir, "missing.log")
	put(t, path+".1", "one\n")
	put(t, path, "two\nhalf a line")
	o := tail.Quick(path)
	o.Paths = append(o.Paths, missing, filepath.Join(dir, "none", "*.log"))
	r, _ := open(t, o, nil)
	reads(t, r, "one", "two")
	expect := func(what string, all ...string) {
		t.Helper()
		eventually(t, what, func() bool {
			var last []string
			for _, s := range r.Inputs() {
				last = append(last, said(&s, dir))
			}
			return fmt.Sprint(last) == fmt.Sprint(all)
		})
	}
	none := []string{"/missing.log 0/-1, 0 behind", "/none/*.log 0/-1, 0 behind"}
	expect("all is behind", append([]string{"/access.log 0/15, 19 behind, /access.log.1 0/4"}, none...)...)
	r.Positions(map[uint64]int64{1: 4, 2: 4})
	expect("all is read", append([]string{"/access.log 4/15, 11 behind, caught up"}, none...)...)
	if s := r.Inputs()[0]; s.Generation == "" || s.File != path || s.LastError != "" || s.LagSeconds < 0 {
		t.Errorf("%+v", s)
	}
}

// Steps are told as they happen: a start, a rotation, and a restart.
func TestNews(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "access.log")
	var mu sync.Mutex
	var told []string
	o := tail.Quick(path)
	o.News = func(n tail.News) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, fmt.Sprintf("%s %s %d", n.Step, strings.TrimPrefix(n.File, dir+"/"), n.Offset))
	}
	expect := func(all ...string) {
		t.Helper()
		eventually(t, fmt.Sprintf("%q is told", all), func() bool {
			mu.Lock()
			defer mu.Unlock()
			return slices.Equal(told, all)
		})
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
