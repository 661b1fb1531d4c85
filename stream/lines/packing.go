package lines

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxZstdWindow bounds the memory that a zstd file may ask for, in bytes. The zstd
// command has the same limit without --memory or --long.
const maxZstdWindow = 128 << 20

// Packing is a compression format, detected by the first bytes of a file.
type Packing struct {
	name string
	fits func(head []byte) bool
	open func(io.Reader) (io.ReadCloser, error) // nil: detected, but not supported
	hint string                                 // for an unsupported format, the command that unpacks a file to standard output
}

// packings are the formats detected. The formats without open are listed so that the
// user gets an error that names the format instead of a count of malformed lines.
var packings = []Packing{
	{name: "gzip", fits: begins("\x1f\x8b\x08"), open: openGzip},
	{name: "zstd", fits: beginsZstd, open: openZstd},
	{name: "bzip2", fits: beginsBzip2, open: openBzip2},
	{name: "xz", fits: begins("\xfd7zXZ\x00"), hint: "xz -dc"},
	{name: "lz4", fits: begins("\x04\x22\x4d\x18"), hint: "lz4 -dc"},
	{name: "compress", fits: begins("\x1f\x9d"), hint: "gzip -dc"},
	{name: "zip", fits: begins("PK\x03\x04"), hint: "unzip -p"},
}

// PackingHead is the number of first bytes that suffice to detect any packing.
const PackingHead = 10

// DetectPacking detects the packing from the first PackingHead bytes of a file, or from
// the whole of a shorter file. The result is nil for a plain file.
func DetectPacking(head []byte) *Packing {
	for i := range packings {
		if packings[i].fits(head) {
			return &packings[i]
		}
	}
	return nil
}

func begins(magic string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }
}

// beginsZstd accepts a skippable frame in front, as pzstd writes one.
func beginsZstd(b []byte) bool {
	skippable := len(b) >= 4 && b[0]&0xf0 == 0x50 && string(b[1:4]) == "\x2a\x4d\x18"
	return skippable || begins("\x28\xb5\x2f\xfd")(b)
}

// beginsBzip2 requires more than the three letters, because a line of text may begin with them.
// A level and the mark of a block (the digits of π) or of the end (those of its square root)
// must follow.
func beginsBzip2(b []byte) bool {
	return len(b) >= PackingHead && string(b[:3]) == "BZh" && b[3] >= '1' && b[3] <= '9' &&
		(string(b[4:10]) == "1AY&SY" || string(b[4:10]) == "\x17\x72\x45\x38\x50\x90")
}

// PackingError is the error of a packing that is detected, but not supported.
type PackingError struct {
	Packing string
	Unpack  string // the command that unpacks a file to standard output, without the file's name
}

func (e *PackingError) Error() string { return e.Packing + " files are not supported" }

// Open returns the plain bytes of a packed stream. Closing the result leaves the stream
// open. An unsupported packing is a *PackingError.
func (p *Packing) Open(stream io.Reader) (io.ReadCloser, error) {
	if err := p.Unread(); err != nil {
		return nil, err
	}
	plain, err := p.open(stream)
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", p.name, err)
	}
	return unpacking{plain, p.name}, nil
}

// Unread returns the error for an unsupported packing, or nil for a supported packing.
func (p *Packing) Unread() error {
	if p.open != nil {
		return nil
	}
	return &PackingError{p.name, p.hint}
}

// Unpack detects the packing of a stream and returns its plain bytes.
func Unpack(stream *bufio.Reader) (io.ReadCloser, error) {
	head, err := stream.Peek(PackingHead)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if p := DetectPacking(head); p != nil {
		return p.Open(stream)
	}
	return io.NopCloser(stream), nil
}

// unpacking adds the name of the packing to errors.
type unpacking struct {
	io.ReadCloser
	name string
}

func (u unpacking) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("unpack %s: %w", u.name, err)
	}
	return n, err
}

func openGzip(r io.Reader) (io.ReadCloser, error) {
	in, ok := r.(*bufio.Reader)
	if !ok {
		in = bufio.NewReader(r)
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &members{z, in}, nil
}

// members reads the members of a gzip file, one after the other. Zero bytes may follow the last, as on tapes and in
// copies of blocks; gzip ignores them as well.
type members struct {
	*gzip.Reader
	in *bufio.Reader
}

func (m *members) Read(p []byte) (n int, err error) {
	for n == 0 && len(p) > 0 {
		if n, err = m.Reader.Read(p); !errors.Is(err, io.EOF) {
			return n, err
		}
		if next := m.next(); next != nil {
			return n, next
		}
	}
	return n, nil
}

// next begins the next member. The error is io.EOF if there is none.
func (m *members) next() error {
	head, err := m.in.Peek(1)
	switch {
	case err != nil:
		return err
	case head[0] == 0:
		return m.skipZeros()
	}
	if err := m.Reset(m.in); err != nil {
		return err
	}
	m.Multistream(false)
	return nil
}

// skipZeros reads to the end. Another byte than zero is an error.
func (m *members) skipZeros() error {
	for {
		b, err := m.in.ReadByte()
		if err != nil {
			return err
		}
		if b != 0 {
			return gzip.ErrHeader
		}
	}
}

func openBzip2(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil }

// openZstd decodes in the caller's goroutine, because the Reader already has a
// goroutine.
func openZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}
