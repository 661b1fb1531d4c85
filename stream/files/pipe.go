package files

import (
	"context"
	"io"
)

// Pipe makes a source that may block for ever, such as a terminal, one that
// gives way when stop is closed. A goroutine opens and reads it and hands over
// what it gets; it ends with the source or at the first chance after stop.
type Pipe struct {
	chunks chan chunk
	stop   <-chan struct{}
	rest   chunk
}

type chunk struct {
	data []byte
	err  error // comes after data
}

// NewPipe starts the goroutine, which calls open first: opening a named pipe
// waits for its writer.
func NewPipe(open func() (io.ReadCloser, error), stop <-chan struct{}) *Pipe {
	p := &Pipe{chunks: make(chan chunk), stop: stop}
	go p.pump(open)
	return p
}

// pump fills two buffers in turn. Sending one means that the reader is done
// with the other.
func (p *Pipe) pump(open func() (io.ReadCloser, error)) {
	source, err := open()
	if err != nil {
		p.send(chunk{err: err})
		return
	}
	defer source.Close()
	now, next := make([]byte, sourceBuffer), make([]byte, sourceBuffer)
	for {
		n, err := source.Read(now)
		if !p.send(chunk{now[:n], err}) || err != nil {
			return
		}
		now, next = next, now
	}
}

func (p *Pipe) send(c chunk) bool {
	select {
	case <-p.stop:
		return false
	case p.chunks <- c:
		return true
	}
}

// Read returns ErrClosed once stop is closed.
func (p *Pipe) Read(b []byte) (int, error) { return p.ReadContext(context.Background(), b) }

// ReadContext is Read that also gives way when ctx ends, with its error. Nothing is
// lost by that: the next call reads on.
func (p *Pipe) ReadContext(ctx context.Context, b []byte) (int, error) {
	if len(p.rest.data) == 0 && p.rest.err == nil {
		select {
		case <-p.stop:
			return 0, ErrClosed
		case <-ctx.Done():
			return 0, ctx.Err()
		case p.rest = <-p.chunks:
		}
	}
	n := copy(b, p.rest.data)
	p.rest.data = p.rest.data[n:]
	if len(p.rest.data) > 0 {
		return n, nil
	}
	return n, p.rest.err
}

// Close does nothing: the goroutine closes the source when it is done.
func (p *Pipe) Close() error { return nil }
