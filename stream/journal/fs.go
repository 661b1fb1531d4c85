package journal

import (
	"io"
	"os"
)

// FS is what the journal needs of a file system, so that tests can fail, tear
// and lose what they like. Each method is one step of a checkpoint or of a
// compaction, told apart by the file's name.
type FS interface {
	MkdirAll(dir string) error                    // with mode 0700; durable when it returns
	Lock(path string) (io.Closer, error)          // for this process alone, or a [StateError]
	OpenFile(path string, flag int) (File, error) // with mode 0600
	Rename(from, to string) error                 // over what is there, atomically
	Remove(path string) error                     // os.ErrNotExist if there is none
	SyncDir(dir string) error                     // the names in a directory
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

// Disk is the operating system's FS, and what a test's own stands on.
func Disk() FS { return diskFS{} }

type diskFS struct{}

func (diskFS) Rename(from, to string) error { return os.Rename(from, to) }
func (diskFS) Remove(path string) error     { return os.Remove(path) }

func (diskFS) OpenFile(path string, flag int) (File, error) {
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, err // and not a File that is a nil *os.File
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
	return d.SyncDir(parent(dir))
}

func (diskFS) SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
