package files

import (
	"context"
	"io"
)

// Pipe wraps a source that may block forever, such as a terminal, so that reads end when stop
// is closed. A goroutine opens the source, reads it and hands over the bytes. It ends with the
// source, or at the first opportunity after stop is closed.
type Pipe struct {
	chunks chan chunk
	stop   <-chan struct{}
	rest   chunk
}

type chunk struct {
	data []byte
	err  error // delivered after data
}

// NewPipe starts the goroutine, which first calls open: opening a named pipe blocks
// until there is a writer.
func NewPipe(open func() (io.ReadCloser, error), stop <-chan struct{}) *Pipe {
	p := &Pipe{chunks: make(chan chunk), stop: stop}
	go p.pump(open)
	return p
}

// pump fills two buffers in turn. When a buffer has been sent, the reader is done with
// the other buffer.
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

// ReadContext is like Read and also returns when ctx ends, with the error of ctx. No
// bytes are lost: the next call continues.
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

// Close does nothing: the goroutine closes the source at its end.
func (p *Pipe) Close() error { return nil }
