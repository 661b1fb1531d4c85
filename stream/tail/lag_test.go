package tail

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Lags reports each file of a log that has unprocessed lines or is followed.
func TestLags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	put(t, path, "one\ntwo\n")
	old := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(path, old, old))
	r, _ := open(t, quick(path), nil)
	got, _ := texts(t, r, 2)
	want(t, got, "one", "two")
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
	got, _ = texts(t, r, 2)
	want(t, sorted(got), "four", "three")
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
