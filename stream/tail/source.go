package tail

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// source is the text of a generation, decompressed.
type source interface {
	io.ReaderAt
	io.Closer
}

// maxZstdWindow bounds the memory that a zstd file may ask for, in bytes.
const maxZstdWindow = 128 << 20

// packings are the compressions that are read, told by a file's first bytes.
var packings = []struct {
	fits func(head []byte) bool
	open func(io.Reader) (io.ReadCloser, error)
}{
	{begins("\x1f\x8b\x08"), func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
	{begins("\x28\xb5\x2f\xfd"), openZstd},
	{beginsBzip2, func(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil }},
}

func begins(magic string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }
}

// beginsBzip2 asks for the mark of a block or of the end, too: a line of text
// may begin with the three letters.
func beginsBzip2(b []byte) bool {
	return len(b) >= 10 && string(b[:3]) == "BZh" &&
		(string(b[4:10]) == "1AY&SY" || string(b[4:10]) == "\x17\x72\x45\x38\x50\x90")
}

// openZstd decodes in the caller's goroutine.
func openZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// packed is a compressed file. It is read on from where the last read stood,
// or a little before, without decompressing again; further back it starts over.
type packed struct {
	file   *os.File
	open   func(io.Reader) (io.ReadCloser, error)
	stream io.ReadCloser
	pos    int64  // of stream, decompressed
	held   []byte // the last bytes before pos
	keep   int    // how many of them, at least
	stop   <-chan struct{}
}

// unpack tells by its first bytes whether a file is compressed; if not, the
// file is its own source.
func unpack(file *os.File, keep int, stop <-chan struct{}) (text source, isPacked bool, err error) {
	head := make([]byte, 10)
	n, err := file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	for _, p := range packings {
		if p.fits(head[:n]) {
			return &packed{file: file, open: p.open, keep: keep, stop: stop}, true, nil
		}
	}
	return file, false, nil
}

// ReadAt reads from offset on. Other than the contract of io.ReaderAt has it,
// it must not be called from two goroutines.
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
	stream, err := p.open(bufio.NewReaderSize(p.file, 64<<10))
	if err != nil {
		return err
	}
	p.stream = stream
	return nil
}

// drop closes the stream, so that the next read starts over.
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
