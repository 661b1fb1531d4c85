package files

import (
	"fmt"
	"io"
	"io/fs"
	"os"

	"dustbuster/stream/folder"
)

// FileError is the error of a file that could not be read to its end. The lines before
// the damage have been returned. A line torn by the damage is left out.
type FileError struct {
	Path string // the path, as listed by Expand
	Err  error  // the cause, without the path
}

// Error returns the path and the cause.
func (e *FileError) Error() string { return fmt.Sprintf("read %q: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

func (r *Reader) open(path string) (io.ReadCloser, error) {
	if path == Stdin {
		return NewPipe(func() (io.ReadCloser, error) { return io.NopCloser(r.options.Stdin), nil }, r.stop), nil
	}
	open := func() (io.ReadCloser, error) { return os.Open(path) }
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return folder.NewReader(path), nil
	}
	if info.Mode().Type()&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0 {
		return NewPipe(open, r.stop), nil
	}
	return open()
}

// sourceBuffer is the number of bytes of a compressed file read at once. Reads of a
// plain file bypass this buffer and fill the batch directly.
const sourceBuffer = 64 << 10

// counted counts the bytes read from a source and returns ErrClosed once the Reader is closed.
// The check stands here, because a line without end is skipped below the loop over batches.
type counted struct {
	source io.Reader
	reader *Reader
}

func (c counted) Read(p []byte) (int, error) {
	select {
	case <-c.reader.stop:
		return 0, ErrClosed
	default:
	}
	n, err := c.source.Read(p)
	c.reader.got += int64(n)
	c.reader.read.Add(int64(n))
	return n, err
}
