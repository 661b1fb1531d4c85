package pipe

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"dustbuster/stream/files"
)

// Pipe is standard input or a named pipe. One Reader at a time reads it.
type Pipe struct {
	path   string
	start  sync.Once
	open   func() (io.ReadCloser, error)
	source *files.Pipe // once started
	cut    files.Splitter
	stop   chan struct{}
	info   os.FileInfo // nil: standard input
}

// Path is the path of a named pipe, or "-".
func (p *Pipe) Path() string { return p.path }

// begin starts the goroutine that reads the pipe.
func (p *Pipe) begin() {
	p.start.Do(func() { p.source = files.NewPipe(p.open, p.stop) })
}

// Set is the pipes of a process. Its methods may be called from any goroutine.
type Set struct {
	stdin io.Reader

	mu    sync.Mutex
	pipes []*Pipe
}

// NewSet returns a set of no pipes; stdin is what "-" reads.
func NewSet(stdin io.Reader) *Set { return &Set{stdin: stdin} }

// Open returns the pipe of a path, or "-" of standard input: the same one each time,
// also by another path that leads to it. A named pipe is opened now, so that its
// writers need not wait; nothing is read before a Reader does.
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

// get returns the pipe that is known already, or else adds the new one.
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

// Keep closes all named pipes but those given. Standard input stays, since what was
// read of it cannot be had again.
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

// close has the goroutine end, or closes what it would have read.
func (p *Pipe) close() {
	p.start.Do(func() {
		if source, err := p.open(); err == nil {
			_ = source.Close() // read only
		}
	})
	close(p.stop)
}
