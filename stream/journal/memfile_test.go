package journal

import (
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
)

const sector = 512

// inode is a file, whatever its names.
type inode struct {
	path        string
	cache, disk []byte
	dirty       []change // changes not yet on the disk
}

// change is a write, or with nil data a truncation.
type change struct {
	at   int64
	data []byte
}

func (c change) apply(b []byte) []byte {
	if c.data == nil {
		if c.at <= int64(len(b)) {
			return b[:c.at]
		}
		return append(b, make([]byte, c.at-int64(len(b)))...)
	}
	if end := c.at + int64(len(c.data)); end > int64(len(b)) {
		b = append(b, make([]byte, end-int64(len(b)))...)
	}
	copy(b[c.at:], c.data)
	return b
}

// sectors splits a write at the boundaries where the disk may tear it.
func (c change) sectors() []change {
	var all []change
	for c.data != nil && int64(len(c.data)) > sector-c.at%sector {
		n := sector - c.at%sector
		all = append(all, change{c.at, c.data[:n]})
		c = change{c.at + n, c.data[n:]}
	}
	return append(all, c)
}

func (n *inode) powerCut(rnd *rand.Rand) {
	odds := []float64{0, 0.2, 0.5, 0.9, 1}[rnd.IntN(5)]
	n.write(rnd, odds)
	if longer := len(n.cache) - len(n.disk); longer > 0 && rnd.IntN(2) == 0 { // the new size reached the disk, the data did not
		tail := make([]byte, rnd.IntN(longer+1))
		if rnd.IntN(3) == 0 { // keeps the previous content
			for i := range tail {
				tail[i] = byte(rnd.Uint32())
			}
		}
		n.disk = append(n.disk, tail...)
	}
	n.cache = slices.Clone(n.disk)
}

// write writes each dirty sector to the disk with probability odds. The other sectors
// are forgotten, although the cache holds them.
func (n *inode) write(rnd *rand.Rand, odds float64) {
	for _, c := range n.dirty {
		for _, s := range c.sectors() {
			if odds == 1 || rnd.Float64() < odds {
				n.disk = s.apply(n.disk)
			}
		}
	}
	n.dirty = nil
}

type memFile struct {
	m      *memFS
	n      *inode
	closed bool
}

func (n *inode) change(c change) {
	n.cache = c.apply(n.cache)
	n.dirty = append(n.dirty, c)
}

func (f *memFile) ReadAt(b []byte, at int64) (int, error) {
	if f.closed {
		return 0, fs.ErrClosed
	}
	if at >= int64(len(f.n.cache)) {
		return 0, io.EOF
	}
	n := copy(b, f.n.cache[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memFile) WriteAt(b []byte, at int64) (n int, err error) {
	if f.closed {
		return 0, fs.ErrClosed
	}
	put := func(n int) func() {
		return func() { f.n.change(change{at, append([]byte{}, b[:n]...)}) }
	}
	if err := f.m.do("write", f.n.path, put(f.m.rnd.IntN(len(b)+1)), put(len(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (f *memFile) Truncate(size int64) error {
	return f.m.do("truncate", f.n.path, nothing, func() { f.n.change(change{at: size}) })
}

// Sync, when it fails, has written some sectors and forgets the others.
func (f *memFile) Sync() error {
	return f.m.do("sync", f.n.path, func() { f.n.write(f.m.rnd, 0.5) }, func() { f.n.write(f.m.rnd, 1) })
}

func (f *memFile) Close() error {
	if f.closed {
		return fs.ErrClosed
	}
	f.closed = true
	return nil
}

func (f *memFile) Stat() (os.FileInfo, error) { return memInfo{size: int64(len(f.n.cache))}, nil }

type memInfo struct {
	os.FileInfo
	size int64
}

func (i memInfo) Size() int64 { return i.size }
