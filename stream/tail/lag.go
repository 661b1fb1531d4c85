package tail

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Lag says how far behind a file is whose lines are not all dealt with, or which is
// still followed.
type Lag struct {
	File  string    // where it was last seen
	Bytes int64     // on disk and not dealt with
	Since time.Time // the first of them are there at least since then; zero where there are none
}

// Lags lists the files followed, in the order of their paths, with what of them has
// not been dealt with: as far as the consumer has said in Positions. Any goroutine may
// ask.
func (r *Reader) Lags() []Lag {
	reg := r.follower.registry
	reg.mu.Lock()
	defer reg.mu.Unlock()
	all := map[string]Lag{}
	for _, known := range reg.records {
		if lag, ok := known.lag(); ok {
			all[lag.File] = lag.with(all[lag.File])
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b Lag) int { return cmp.Compare(a.File, b.File) })
}

// with is both of two generations that were seen in one place, as when a file was
// emptied.
func (l Lag) with(o Lag) Lag {
	l.Bytes += o.Bytes
	if l.Since.IsZero() || !o.Since.IsZero() && o.Since.Before(l.Since) {
		l.Since = o.Since
	}
	return l
}

// lag is that of a generation; false if it has been dealt with.
func (r *record) lag() (Lag, bool) {
	p := &r.position
	if p.Finished && p.Offset >= r.end {
		return Lag{}, false
	}
	l := Lag{File: p.File, Bytes: max(0, p.Size-p.Offset)}
	if r.packed { // offsets are of what it unpacks to
		l.Bytes = p.Size
	}
	l.Since = r.backlog.since(p.Offset)
	if l.Bytes == 0 {
		l.Since = time.Time{}
	}
	return l, true
}

// backlog remembers when a file had grown to which size. It holds a few marks, which
// lie further apart the more there are to hold.
type backlog []mark

type mark struct {
	size int64
	at   time.Time
}

// maxMarks bounds a backlog; one that is followed closely has two or three.
const maxMarks = 64

// grow notes a size, and forgets the sizes that have been dealt with.
func (b *backlog) grow(size, dealt int64, at time.Time) {
	passed := slices.IndexFunc(*b, func(m mark) bool { return m.size > dealt })
	if passed < 0 {
		passed = len(*b)
	}
	*b = slices.Delete(*b, 0, passed)
	if n := len(*b); n > 0 && size <= (*b)[n-1].size || size <= dealt {
		return
	}
	if len(*b) == maxMarks {
		b.thin()
	}
	*b = append(*b, mark{size, at})
}

// thin makes one mark of two: all up to the second is there since the first.
func (b *backlog) thin() {
	half := (*b)[:0]
	for i := 0; i+1 < len(*b); i += 2 {
		half = append(half, mark{(*b)[i+1].size, (*b)[i].at})
	}
	*b = half
}

// since tells since when, at least, there is more than has been dealt with.
func (b backlog) since(dealt int64) time.Time {
	for _, m := range b {
		if m.size > dealt {
			return m.at
		}
	}
	return time.Time{}
}
