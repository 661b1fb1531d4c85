// Package pipe reads lines that can be read only once, from standard input and from
// named pipes.
//
//	set := pipe.NewSet(os.Stdin)
//	p, err := set.Open("-")            // or the path of a named pipe
//	r := pipe.NewReader(p, Options{})  // a records.Source
//
// A pipe has no positions, and its bytes cannot be read again. So a Pipe outlives its Readers:
// the bytes that a stopped Reader has received and not returned, including half a line, go to
// the next Reader. The caller must process every batch returned. Bytes not processed when the
// process dies are lost.
//
// A named pipe reaches its end when its last writer closes it. Another may follow, so reading
// goes on, and half a line at that end counts as a whole. Standard input ends once.
package pipe

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"dustbuster/stream/files"
	"dustbuster/stream/lines"
)

// Pipe is standard input or a named pipe. One Reader at a time reads it.
type Pipe struct {
	path   string
	start  sync.Once
	open   func() (io.ReadCloser, error)
	source *files.Pipe // nil until started
	cut    lines.Splitter
	stop   chan struct{}
	info   os.FileInfo // nil: standard input
}

// Path returns the path of a named pipe, or "-" for standard input.
func (p *Pipe) Path() string { return p.path }

func (p *Pipe) begin() {
	p.start.Do(func() { p.source = files.NewPipe(p.open, p.stop) })
}

// Set holds the pipes of a process. Any goroutine may call the methods.
type Set struct {
	stdin io.Reader

	mu    sync.Mutex
	pipes []*Pipe
}

// NewSet returns an empty set. Stdin is the source of the path "-".
func NewSet(stdin io.Reader) *Set { return &Set{stdin: stdin} }

// Open returns the pipe of a path, or standard input for "-". Equal paths, and
// different paths to one file, return the same Pipe. Open opens a named pipe at once,
// so that writers do not block. Nothing is read before the first Read of a Reader.
func (s *Set) Open(path string) (*Pipe, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if path == files.Stdin {
		return s.get(nil, &Pipe{path: path, open: func() (io.ReadCloser, error) { return io.NopCloser(s.stdin), nil }})
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return s.get(info, &Pipe{path: filepath.Clean(path), info: info})
}

// get returns the known pipe of the file, or adds fresh.
func (s *Set) get(info os.FileInfo, fresh *Pipe) (*Pipe, error) {
	i := slices.IndexFunc(s.pipes, func(p *Pipe) bool {
		return info == nil && p.info == nil || info != nil && p.info != nil && os.SameFile(info, p.info)
	})
	if i >= 0 {
		return s.pipes[i], nil
	}
	fresh.stop = make(chan struct{})
	if info != nil {
		f, err := openFIFO(fresh.path, fresh.stop)
		if err != nil {
			return nil, err
		}
		fresh.open = func() (io.ReadCloser, error) { return f, nil }
	}
	s.pipes = append(s.pipes, fresh)
	return fresh, nil
}

// Keep closes all named pipes except the given pipes. Standard input stays open,
// because bytes already read from it cannot be read again.
func (s *Set) Keep(pipes ...*Pipe) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pipes = slices.DeleteFunc(s.pipes, func(p *Pipe) bool {
		drop := p.info != nil && !slices.Contains(pipes, p)
		if drop {
			p.close()
		}
		return drop
	})
}

// close ends the goroutine of the pipe. If the goroutine was never started, close
// closes the file.
func (p *Pipe) close() {
	p.start.Do(func() {
		if source, err := p.open(); err == nil {
			_ = source.Close() // read only
		}
	})
	close(p.stop)
}
