package tail

import (
	"bufio"
	"errors"
	"io"
	"os"

	"dustbuster/stream/lines"
)

// source is the text of a generation, decompressed.
type source interface {
	io.ReaderAt
	io.Closer
}

// packed is a compressed file. A read at the previous position, or slightly before,
// does not decompress again. A read further back starts over.
type packed struct {
	file   *os.File
	how    *lines.Packing
	stream io.ReadCloser
	pos    int64  // offset in stream, decompressed
	held   []byte // the last decompressed bytes before pos
	keep   int    // minimum length of held
	stop   <-chan struct{}
}

// openSource detects compression by the first bytes of a file. A plain file is its own
// source.
func openSource(file *os.File, keep int, stop <-chan struct{}) (text source, isPacked bool, err error) {
	head := make([]byte, lines.PackingHead)
	n, err := file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	if how := lines.DetectPacking(head[:n]); how != nil {
		if err := how.Unread(); err != nil {
			return nil, false, err
		}
		return &packed{file: file, how: how, keep: keep, stop: stop}, true, nil
	}
	return file, false, nil
}

// ReadAt reads from offset on. Unlike io.ReaderAt requires, two goroutines must not
// call ReadAt at once.
func (p *packed) ReadAt(b []byte, offset int64) (int, error) {
	if p.stream == nil || offset < p.pos-int64(len(p.held)) {
		if err := p.rewind(); err != nil {
			return 0, err
		}
	}
	for p.pos < offset {
		if _, err := p.pull(b[:min(int64(len(b)), offset-p.pos)]); err != nil {
			return 0, err
		}
	}
	n := copy(b, p.held[len(p.held)-int(p.pos-offset):])
	for n < len(b) {
		m, err := p.pull(b[n:])
		n += m
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func (p *packed) rewind() error {
	p.drop()
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	stream, err := p.how.Open(bufio.NewReaderSize(p.file, 64<<10))
	if err != nil {
		return err
	}
	p.stream = stream
	return nil
}

// drop closes the stream. The next read starts over.
func (p *packed) drop() {
	if p.stream != nil {
		_ = p.stream.Close() // of a decompressor: nothing is written
	}
	p.stream, p.pos, p.held = nil, 0, p.held[:0]
}

func (p *packed) pull(b []byte) (int, error) {
	select {
	case <-p.stop:
		return 0, ErrClosed
	default:
	}
	n, err := p.stream.Read(b)
	p.pos += int64(n)
	p.hold(b[:n])
	return n, err
}

func (p *packed) hold(b []byte) {
	if len(b) >= p.keep {
		p.held = append(p.held[:0], b[len(b)-p.keep:]...)
		return
	}
	if over := len(p.held) + len(b) - 2*p.keep; over > 0 {
		p.held = p.held[:copy(p.held, p.held[len(p.held)+len(b)-p.keep:])]
	}
	p.held = append(p.held, b...)
}

// Close closes the file.
func (p *packed) Close() error {
	p.drop()
	return p.file.Close()
}
