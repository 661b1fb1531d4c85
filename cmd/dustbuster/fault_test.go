package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"dustbuster/stream/journal"
)

// faultVariable makes the test binary a daemon with a faulty disk. Its value is a
// specification for newFaultyFS.
const faultVariable = "DUSTBUSTER_TEST_FAULT"

// faultyFS is a disk on which some steps fail. A step is a change to a file or a sync.
// Changes to the lock file do not count.
type faultyFS struct {
	journal.FS
	mu    sync.Mutex
	step  int
	steps map[string]int
	files []*faultyFile
	o     faults
}

// faults configure a faulty file system. At the Nth of the steps with a name, the process
// is killed. From step From to before step To, counted over all steps, writing and syncing
// fail. At step To the end of the failures is printed.
type faults struct {
	Nth, From, To int
	Name          string // such as write/journal
}

const diskWorks = "the disk works again"

func newFaultyFS(spec string) *faultyFS {
	f := &faultyFS{FS: journal.Disk(), steps: map[string]int{}}
	if _, err := fmt.Sscanf(spec, "%d %d %d %s", &f.o.Nth, &f.o.From, &f.o.To, &f.o.Name); err != nil {
		panic(err)
	}
	return f
}

func (o faults) String() string {
	return fmt.Sprintf("%d %d %d %s", o.Nth, o.From, o.To, cmp.Or(o.Name, "-"))
}

// at is called before each step.
func (f *faultyFS) at(op, path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.step++
	name := op + "/" + filepath.Base(path)
	if f.steps[name]++; name == f.o.Name && f.steps[name] == f.o.Nth {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	if f.step == f.o.To {
		fmt.Fprintln(os.Stderr, diskWorks)
	}
	if f.step < f.o.From || f.step >= f.o.To {
		return nil
	}
	switch op {
	case "write":
		return &os.PathError{Op: op, Path: path, Err: syscall.ENOSPC}
	case "sync":
		return &os.PathError{Op: op, Path: path, Err: syscall.EIO}
	}
	return nil
}

func (f *faultyFS) OpenFile(path string, flag int) (journal.File, error) {
	if flag&os.O_CREATE != 0 {
		_ = f.at("create", path)
	}
	file, err := f.FS.OpenFile(path, flag)
	if err != nil {
		return nil, err
	}
	opened := &faultyFile{file, f, path}
	f.files = append(f.files, opened)
	return opened, nil
}

func (f *faultyFS) Rename(from, to string) error {
	_ = f.at("rename", from)
	for _, file := range f.files {
		if file.path == from {
			file.path = to
		}
	}
	return f.FS.Rename(from, to)
}

func (f *faultyFS) Remove(path string) error {
	_ = f.at("remove", path)
	return f.FS.Remove(path)
}

func (f *faultyFS) SyncDir(dir string) error {
	_ = f.at("syncdir", "state")
	return f.FS.SyncDir(dir)
}

func (f *faultyFS) Lock(path string) (io.Closer, error) { return f.FS.Lock(path) }

type faultyFile struct {
	journal.File
	fs   *faultyFS
	path string
}

// WriteAt fails half-way.
func (f *faultyFile) WriteAt(p []byte, at int64) (int, error) {
	if err := f.fs.at("write", f.path); err != nil {
		n, _ := f.File.WriteAt(p[:len(p)/2], at)
		return n, err
	}
	return f.File.WriteAt(p, at)
}

func (f *faultyFile) Sync() error {
	if err := f.fs.at("sync", f.path); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f *faultyFile) Truncate(size int64) error {
	_ = f.fs.at("truncate", f.path)
	return f.File.Truncate(size)
}
