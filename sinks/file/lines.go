package file

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// Lines is a file that lines are appended to, for its owner's eyes. Any goroutine may use
// it.
type Lines struct {
	path string
	fs   fileSystem

	mu     sync.Mutex
	closed bool
	out    output
}

// OpenLines opens the file at a path, or makes it. If its last line has no end, as after a
// crash, the next line gives it one.
func OpenLines(path string) (*Lines, error) { return openLines(path, disk{private: true}) }

func openLines(path string, files fileSystem) (*Lines, error) {
	out, err := openOutput(files, path)
	if err != nil {
		return nil, err
	}
	return &Lines{path: path, fs: files, out: out}, nil
}

// Append writes one line, with its newline. After an error the file has the line whole, or
// not at all, or a part of it, of which the next Append writes the rest. Nothing is synced:
// what a crash of the machine takes is lost.
func (l *Lines) Append(line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return os.ErrClosed
	}
	if err := l.out.finish(); err != nil {
		return err
	}
	_, err := l.out.write(&chunk{text: line, ends: []int{len(line)}}, 1)
	return err
}

// Reopen opens the path anew, after somebody has renamed the file. On an error the old
// file is kept.
func (l *Lines) Reopen() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return os.ErrClosed
	}
	out, err := openOutput(l.fs, l.path)
	if err != nil {
		return fmt.Errorf("reopen: %w", err)
	}
	owed, err := l.out.abandon()
	out.owe(owed)
	l.out = out
	return err
}

// Close closes the file.
func (l *Lines) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	return errors.Join(l.out.finish(), l.out.sync(), l.out.file.Close())
}
