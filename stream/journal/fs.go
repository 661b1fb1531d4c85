package journal

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// FS is the part of a file system that the journal uses. Tests replace FS to let steps
// fail and to lose data. Each method is one step of a checkpoint or of a compaction.
// The names of the files distinguish the steps.
type FS interface {
	MkdirAll(dir string) error                    // with mode 0700; durable on return
	Lock(path string) (io.Closer, error)          // exclusive to this process; the error may be a [StateError]
	OpenFile(path string, flag int) (File, error) // with mode 0600
	Rename(from, to string) error                 // atomic; replaces an existing file
	Remove(path string) error                     // os.ErrNotExist if there is no file
	SyncDir(dir string) error                     // makes the names in a directory durable
}

// File is an open file. Its methods are those of [os.File].
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
	Stat() (os.FileInfo, error)
}

// Disk returns the operating system's FS. The FS of a test may build on Disk.
func Disk() FS { return diskFS{} }

type diskFS struct{}

func (diskFS) Rename(from, to string) error { return os.Rename(from, to) }
func (diskFS) Remove(path string) error     { return os.Remove(path) }

func (diskFS) OpenFile(path string, flag int) (File, error) {
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, err // not a File that holds a nil *os.File
	}
	return f, nil
}

func (d diskFS) MkdirAll(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return d.SyncDir(filepath.Dir(filepath.Clean(dir)))
}

func (diskFS) SyncDir(dir string) error {
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
