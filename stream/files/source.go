package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// FileError says that a file could not be read, or not to its end. The lines
// before the damage have been delivered; a line torn by it has not.
type FileError struct {
	Path string // as Expand names it
	Err  error  // the cause, without the path
}

// Error names the file and the cause.
func (e *FileError) Error() string { return fmt.Sprintf("read %q: %v", e.Path, e.Err) }

// Unwrap gives the cause.
func (e *FileError) Unwrap() error { return e.Err }

// open opens a path of Expand's.
func (r *Reader) open(path string) (io.ReadCloser, error) {
	if path == Stdin {
		return NewPipe(func() (io.ReadCloser, error) { return io.NopCloser(r.options.Stdin), nil }, r.stop), nil
	}
	open := func() (io.ReadCloser, error) { return os.Open(path) }
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Type()&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0 {
		return NewPipe(open, r.stop), nil
	}
	return open()
}

// bare takes the operation and the path off a file system's error, since a
// FileError names the path itself.
func bare(err error) error {
	if in := (*fs.PathError)(nil); errors.As(err, &in) {
		return in.Err
	}
	return err
}

// sourceBuffer is how much of a compressed file is read at once, in bytes. A
// plain file goes past this buffer, straight into the batch.
const sourceBuffer = 64 << 10

// counted adds what is read from a source to a counter, and ends when stop is
// closed: a line without end is skipped here, below the loop over batches.
type counted struct {
	source io.Reader
	read   *atomic.Int64
	stop   <-chan struct{}
}

func (c counted) Read(p []byte) (int, error) {
	select {
	case <-c.stop:
		return 0, ErrClosed
	default:
	}
	n, err := c.source.Read(p)
	c.read.Add(int64(n))
	return n, err
}
