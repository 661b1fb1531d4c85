package file

import (
	"io"
	"os"
	"runtime"
)

// fileSystem is the part of a file system that the sinks use, so that tests can fail
// any step.
type fileSystem interface {
	open(path string, flag int) (handle, error)
	stat(path string) (os.FileInfo, error)
	rename(from, to string) error
	remove(path string) error
	syncDir(dir string) error // makes the names in a directory durable
}

// handle is an open file. Its methods are those of [os.File].
type handle interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.Closer
	Stat() (os.FileInfo, error)
	Sync() error
}

// mode is the mode of new files, which other users may read.
const mode = 0o644

// Modes of new files that not every user may read.
const (
	private = 0o600 // only the owner
	group   = 0o640 // the owner and the group
)

// disk is the operating system's file system.
type disk struct {
	perm os.FileMode // of new files; 0: mode
}

func (disk) stat(path string) (os.FileInfo, error) { return os.Stat(path) }
func (disk) rename(from, to string) error          { return os.Rename(from, to) }
func (disk) remove(path string) error              { return os.Remove(path) }

func (d disk) open(path string, flag int) (handle, error) {
	perm := d.perm
	if perm == 0 {
		perm = mode
	}
	f, err := os.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err // not a handle that holds a nil *os.File
	}
	return f, nil
}

func (disk) syncDir(dir string) error {
	if runtime.GOOS == "windows" { // has no such call
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
