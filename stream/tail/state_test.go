package tail

import (
	"math/rand/v2"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// A vanished generation is dropped once it is processed, and after some time in any case.
func TestGoneGenerationsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFollower(Options{}, nil)
		for number := range uint64(2) {
			f.note(&generation{number: number, handed: 10, finished: true, gone: time.Now()})
		}
		left := func(want int) {
			t.Helper()
			if got := f.shown.Load().positions(map[uint64]int64{1: 10}); len(got) != want || want > 0 && got[0].Finished {
				t.Errorf("%+v, want %d", got, want)
			}
		}
		left(1)
		time.Sleep(overdue)
		left(1)
		time.Sleep(time.Second)
		left(0)
	})
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

// The last error of a log is shown: of the path itself, of its rotated files and of its
// directory.
func TestInputsTrouble(t *testing.T) {
	one := followed{path: "/logs/access.log"}
	for _, c := range []struct {
		path  string
		about bool
	}{{"/logs/access.log", true}, {"/logs/access.log.1", true}, {"/logs", true}, {"/logs/other.log", false}, {"/", false}} {
		f := newFollower(Options{}, nil)
		f.troubled(c.path, os.ErrPermission)
		shown := *f.shown.Load()
		shown.paths = []followed{one}
		s := shown.inputs()[0]
		if (s.LastError != "") != c.about || (s.LastErrorAt > 0) != c.about {
			t.Errorf("%s: %+v", c.path, s)
		}
		if shown.follow([]followed{one}); (len(shown.trouble) > 0) != c.about {
			t.Errorf("%s: kept %v", c.path, shown.trouble)
		}
	}
	if got := lossError(Lost, 7, ErrGone).Error(); got != "lost: 7 bytes are lost: "+ErrGone.Error() {
		t.Error(got)
	}
	if got := lossError(Truncated, 7, nil).Error(); got != "truncated: 7 bytes are lost" {
		t.Error(got)
	}
}
