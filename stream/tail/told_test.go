package tail

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/operators/read/input"
)

// Lags reports each file of a log that has unprocessed lines or is followed.
func TestLags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	put(t, path, "one\ntwo\n")
	old := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(path, old, old))
	r, _ := open(t, quick(path), nil)
	reads(t, r, "one", "two")
	expect := func(what string, all ...Lag) {
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
	expect("all is behind", Lag{File: path, Bytes: 8})
	if since := time.Since(r.Lags()[0].Since); since < time.Hour || since > time.Hour+patience {
		t.Errorf("since %v, want an hour", since)
	}
	number := r.follower.last
	r.Positions(map[uint64]int64{number: 4})
	expect("half is behind", Lag{File: path, Bytes: 4})
	r.Positions(map[uint64]int64{number: 8})
	expect("nothing is behind", Lag{File: path})
	put(t, path, "three\n")
	expect("what is new is behind", Lag{File: path, Bytes: 6})
	if since := time.Since(r.Lags()[0].Since); since > patience {
		t.Errorf("since %v, although the bytes are new", since)
	}
	must(t, os.Rename(path, path+".1"))
	put(t, path, "four\n")
	expect("both are behind", Lag{File: path, Bytes: 5}, Lag{File: path + ".1", Bytes: 6})
	r.Positions(map[uint64]int64{number: 14})
	readsSorted(t, r, "four", "three")
	expect("the old one has gone", Lag{File: path, Bytes: 5})
}

// However long a backlog, since never returns a time after the arrival of the first
// unprocessed byte.
func TestBacklog(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var b backlog
		var all []mark
		size, dealt, now := int64(0), int64(0), time.Unix(1e9, 0)
		for range 500 {
			now = now.Add(time.Duration(rnd.IntN(1000)) * time.Millisecond)
			size += int64(rnd.IntN(100))
			b.grow(size, dealt, now)
			all = append(all, mark{size, now})
			if rnd.IntN(3) == 0 {
				dealt += rnd.Int64N(size - dealt + 1)
			}
			exact := backlog(all).since(dealt)
			got := b.since(dealt)
			if got.IsZero() != exact.IsZero() || got.After(exact) || len(b) > maxMarks {
				t.Fatalf("%d of %d dealt with: since %v, want %v or a little before; %d marks", dealt, size, got, exact, len(b))
			}
			if len(all) <= maxMarks && !got.Equal(exact) {
				t.Fatalf("few marks, and %v is not %v", got, exact)
			}
		}
	}
}

// Lines that wait in a file have waited since their arrival.
func TestSeconds(t *testing.T) {
	for _, c := range []struct {
		since    time.Time
		min, max float64
	}{
		{time.Time{}, 0, 0},
		{time.Now().Add(-time.Hour), 3600, 7200},
		{time.Now().Add(time.Hour), 0, 0}, // the clock was set back
	} {
		l := Lag{Since: c.since}
		if got := l.seconds(); got < c.min || got > c.max {
			t.Errorf("%v: %v seconds, want %v to %v", c.since, got, c.min, c.max)
		}
	}
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
	o := quick(path)
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

// The last error of a log is shown: of the path itself, of its rotated files and of its
// directory.
func TestInputsTrouble(t *testing.T) {
	one := followed{path: "/logs/access.log"}
	for path, about := range map[string]bool{"/logs/access.log": true, "/logs/access.log.1": true, "/logs": true, "/logs/other.log": false, "/": false} {
		f := newFollower(Options{}, nil)
		f.troubled(path, os.ErrPermission)
		shown := *f.shown.Load()
		shown.paths = []followed{one}
		s := shown.inputs()[0]
		if (s.LastError != "") != about || (s.LastErrorAt > 0) != about {
			t.Errorf("%s: %+v", path, s)
		}
		if shown.follow([]followed{one}); (len(shown.trouble) > 0) != about {
			t.Errorf("%s: kept %v", path, shown.trouble)
		}
	}
	if got := lossError(Lost, 7, ErrGone).Error(); got != "lost: 7 bytes are lost: "+ErrGone.Error() {
		t.Error(got)
	}
	if got := lossError(Truncated, 7, nil).Error(); got != "truncated: 7 bytes are lost" {
		t.Error(got)
	}
}

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
