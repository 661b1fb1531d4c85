package pipe

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// again is how long a named pipe without a writer is left alone.
const again = 100 * time.Millisecond

// fifo is a named pipe that does not end. One goroutine reads it.
type fifo struct {
	path string
	file *os.File
	torn bool // the last byte was no newline
	stop <-chan struct{}
}

// openFIFO opens a named pipe without waiting for a writer.
func openFIFO(path string, stop <-chan struct{}) (*fifo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return &fifo{path: path, file: file, stop: stop}, nil
}

// Read waits for bytes until stop is closed; then it returns io.EOF. When the last
// writer has gone in the middle of a line, the line is ended.
func (f *fifo) Read(b []byte) (int, error) {
	for !f.stopped() {
		_ = f.file.SetReadDeadline(time.Now().Add(again)) // to look at stop
		n, err := f.file.Read(b)
		switch {
		case n > 0:
			f.torn = b[n-1] != '\n'
			return n, nil
		case errors.Is(err, io.EOF) && f.torn:
			f.torn = false
			b[0] = '\n'
			return 1, nil
		case errors.Is(err, io.EOF):
			f.reopen()
			time.Sleep(again)
		case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
			return 0, err
		}
	}
	return 0, io.EOF
}

func (f *fifo) stopped() bool {
	select {
	case <-f.stop:
		return true
	default:
		return false
	}
}

// reopen goes over to the named pipe that now lies at the path, if it is another.
func (f *fifo) reopen() {
	now, err := os.Stat(f.path)
	if err != nil || now.Mode().Type() != os.ModeNamedPipe {
		return
	}
	if held, err := f.file.Stat(); err != nil || os.SameFile(held, now) {
		return
	}
	if next, err := openFIFO(f.path, f.stop); err == nil {
		_ = f.file.Close() // read only
		f.file = next.file
	}
}

// Close closes the pipe.
func (f *fifo) Close() error { return f.file.Close() }
