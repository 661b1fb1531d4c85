package pipe

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// again is the pause before a named pipe without a writer is read again.
const again = 100 * time.Millisecond

// fifo is a named pipe that never reports the end of the file. One goroutine reads a
// fifo.
type fifo struct {
	path string
	file *os.File
	torn bool // the last byte was not a newline
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

// Read blocks until there are bytes or stop is closed; then the error is io.EOF. If the last
// writer closes the pipe in the middle of a line, Read adds the newline.
func (f *fifo) Read(b []byte) (int, error) {
	for !f.stopped() {
		_ = f.file.SetReadDeadline(time.Now().Add(again)) // so that stop is checked
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

// reopen switches to the named pipe at the path, if that is another file by now.
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
