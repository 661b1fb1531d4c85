package file

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// Lines is a file to which lines are appended, readable only by its owner. Any
// goroutine may use Lines.
type Lines struct {
	path string
	fs   fileSystem

	mu     sync.Mutex
	closed bool
	out    output
}

// OpenLines opens or creates the file at a path. If the last line has no newline, as
// after a crash, the next Append ends the line.
func OpenLines(path string) (*Lines, error) { return openLines(path, disk{perm: private}) }

func openLines(path string, files fileSystem) (*Lines, error) {
	out, err := openOutput(files, path)
	if err != nil {
		return nil, err
	}
	return &Lines{path: path, fs: files, out: out}, nil
}

// Append writes one line, with its newline. After an error the file holds the whole
// line, no part of the line, or a part whose rest the next Append writes. Nothing is
// synced, so a crash of the machine may lose lines.
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

// Reopen opens the path again, after another program has renamed the file. After an
// error the old file stays open.
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
