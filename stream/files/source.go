package files

import (
	"fmt"
	"io"
	"io/fs"
	"os"

	"dustbuster/stream/columnar"
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

// open opens a file. What is read of it is counted.
func (r *Reader) open(path string) (io.ReadCloser, error) {
	if path == Stdin {
		return counted{NewPipe(func() (io.ReadCloser, error) { return io.NopCloser(r.options.Stdin), nil }, r.stop), r}, nil
	}
	open := func() (io.ReadCloser, error) { return os.Open(path) }
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return counted{folder.NewReader(path), r}, nil
	}
	if info.Mode().Type()&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0 {
		return counted{NewPipe(open, r.stop), r}, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && isIndex(file) {
		return openIndex(countedAt{file, r}, info.Size())
	}
	return counted{file, r}, nil
}

// isIndex reports whether a file is a columnar index, by its first bytes.
func isIndex(file *os.File) bool {
	var head [len(columnar.Magic)]byte
	_, err := file.ReadAt(head[:], 0)
	return err == nil && string(head[:]) == columnar.Magic
}

// index is a columnar index, and its file.
type index struct {
	*columnar.Reader
	file io.Closer
}

func openIndex(file countedAt, size int64) (io.ReadCloser, error) {
	text, err := columnar.NewReader(file, size)
	if err != nil {
		_ = file.file.Close()
		return nil, err
	}
	return index{text, file.file}, nil
}

// Close closes the index and the file.
func (i index) Close() error {
	_ = i.Reader.Close()
	return i.file.Close()
}

// sourceBuffer is the number of bytes of a compressed file read at once. Reads of a
// plain file bypass this buffer and fill the batch directly.
const sourceBuffer = 64 << 10

// counted counts the bytes read from a source and returns ErrClosed once the Reader is closed.
// The check stands here, because a line without end is skipped below the loop over batches.
type counted struct {
	io.ReadCloser
	reader *Reader
}

func (c counted) Read(p []byte) (int, error) {
	return c.reader.count(func() (int, error) { return c.ReadCloser.Read(p) })
}

// countedAt is counted for a file that is read at places.
type countedAt struct {
	file   *os.File
	reader *Reader
}

func (c countedAt) ReadAt(p []byte, at int64) (int, error) {
	return c.reader.count(func() (int, error) { return c.file.ReadAt(p, at) })
}

func (r *Reader) count(read func() (int, error)) (int, error) {
	select {
	case <-r.stop:
		return 0, ErrClosed
	default:
	}
	n, err := read()
	r.got += int64(n)
	r.read.Add(int64(n))
	return n, err
}
