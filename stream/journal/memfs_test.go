package journal

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// memFS is a file system of one directory with a page cache and a disk. A power cut
// empties the cache and leaves some of the unsynced sectors on the disk.
type memFS struct {
	rnd    *rand.Rand
	names  map[string]*inode // as the process sees them
	disk   map[string]*inode // as they are on the disk
	moves  []func()          // changes of names not yet on the disk, in order
	locked bool

	step  int // number of steps so far
	fault func(step int, name string) fault
	seen  []string // names of the steps, if note is set
	note  bool
}

// fault is a failure at a step.
type fault int

const (
	none   fault = iota
	fail         // the step is an error, perhaps half done
	before       // the process is killed before the step
	after        // the process is killed after the step
)

// killed is the panic value of a killed process.
type killed struct{}

func newMemFS(seed uint64) *memFS {
	return &memFS{rnd: rand.New(rand.NewPCG(seed, 1)), names: map[string]*inode{}, disk: map[string]*inode{}}
}

// do runs one step. Without a fault, do calls effect. A failing step may call part, the
// partial effect.
func (m *memFS) do(op, path string, part, effect func()) error {
	m.step++
	name := op + " " + filepath.Base(path)
	if m.note {
		m.seen = append(m.seen, name)
	}
	f := none
	if m.fault != nil {
		f = m.fault(m.step, name)
	}
	switch f {
	case fail:
		part()
		if op == "sync" || op == "syncdir" {
			return fmt.Errorf("%s %s: %w", op, path, syscall.EIO)
		}
		return &os.PathError{Op: op, Path: path, Err: syscall.ENOSPC}
	case before:
		part()
		panic(killed{})
	}
	effect()
	if f == after {
		panic(killed{})
	}
	return nil
}

func nothing() {}

// kill ends the process: the lock is released, and the page cache stays.
func (m *memFS) kill() { m.locked = false }

// powerCut keeps the content of the disk and a random part of the unsynced changes.
func (m *memFS) powerCut() {
	m.kill()
	for _, move := range m.moves[:m.rnd.IntN(len(m.moves)+1)] {
		move()
	}
	m.moves = nil
	m.names = maps.Clone(m.disk)
	for _, name := range slices.Sorted(maps.Keys(m.names)) {
		m.names[name].powerCut(m.rnd)
	}
}

func (m *memFS) MkdirAll(dir string) error { return m.do("mkdir", dir, nothing, nothing) }

func (m *memFS) Lock(path string) (io.Closer, error) {
	if m.locked {
		return nil, &StateError{Kind: ErrLocked, Path: path}
	}
	err := m.do("lock", path, nothing, func() { m.locked = true })
	if err != nil {
		return nil, err
	}
	return memLock{m}, nil
}

type memLock struct{ m *memFS }

func (l memLock) Close() error { l.m.locked = false; return nil }

func (m *memFS) OpenFile(path string, flag int) (File, error) {
	n := m.names[path]
	if n == nil && flag&os.O_CREATE == 0 {
		return nil, &os.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	op := "open"
	if n == nil {
		op = "create"
	}
	err := m.do(op, path, nothing, func() {
		if n == nil {
			n = &inode{path: path}
			m.names[path] = n
			m.moves = append(m.moves, func() { m.disk[path] = n })
		} else if flag&os.O_TRUNC != 0 {
			n.change(change{})
		}
	})
	if err != nil {
		return nil, err
	}
	return &memFile{m: m, n: n}, nil
}

// Rename, when it fails, may have happened, as over a network.
func (m *memFS) Rename(from, to string) error {
	effect := func() {
		n := m.names[from]
		delete(m.names, from)
		m.names[to], n.path = n, to
		m.moves = append(m.moves, func() { delete(m.disk, from); m.disk[to] = n })
	}
	part := nothing
	if m.rnd.IntN(2) == 0 {
		part = effect
	}
	return m.do("rename", from, part, effect)
}

func (m *memFS) Remove(path string) error {
	if m.names[path] == nil {
		return &os.PathError{Op: "remove", Path: path, Err: fs.ErrNotExist}
	}
	return m.do("remove", path, nothing, func() {
		delete(m.names, path)
		m.moves = append(m.moves, func() { delete(m.disk, path) })
	})
}

// SyncDir, when it fails, lies from then on: the changes count as written.
func (m *memFS) SyncDir(dir string) error {
	return m.do("syncdir", dir, func() { m.moves = nil }, func() {
		m.disk, m.moves = maps.Clone(m.names), nil
	})
}

// put makes a durable file.
func (m *memFS) put(path string, data []byte) {
	n := &inode{path: path, cache: slices.Clone(data), disk: slices.Clone(data)}
	m.names[path], m.disk[path] = n, n
}
