// Package unpack tells by its first bytes how a file is compressed, and reads it.
package unpack

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

// maxZstdWindow bounds the memory that a zstd file may ask for, in bytes: what
// zstd itself decodes without --memory or --long.
const maxZstdWindow = 128 << 20

// Packing is a way of compressing files, told by the bytes they begin with.
type Packing struct {
	name string
	fits func(head []byte) bool
	open func(io.Reader) (io.ReadCloser, error) // nil: known, not read
	hint string                                 // where it is not read, the command that unpacks it to standard output
}

// packings are those that are told. The ones without open are there so
// that the user is told what the file is, and not shown malformed lines.
var packings = []Packing{
	{name: "gzip", fits: begins("\x1f\x8b\x08"), open: openGzip},
	{name: "zstd", fits: beginsZstd, open: openZstd},
	{name: "bzip2", fits: beginsBzip2, open: openBzip2},
	{name: "xz", fits: begins("\xfd7zXZ\x00"), hint: "xz -dc"},
	{name: "lz4", fits: begins("\x04\x22\x4d\x18"), hint: "lz4 -dc"},
	{name: "compress", fits: begins("\x1f\x9d"), hint: "gzip -dc"},
	{name: "zip", fits: begins("PK\x03\x04"), hint: "unzip -p"},
}

// HeadSize is enough to tell any of them.
const HeadSize = 10

// Tell finds the packing by a file's first HeadSize bytes, or all it has; nil is
// a plain file.
func Tell(head []byte) *Packing {
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

// beginsZstd allows a frame of other data in front, as pzstd writes it.
func beginsZstd(b []byte) bool {
	skippable := len(b) >= 4 && b[0]&0xf0 == 0x50 && string(b[1:4]) == "\x2a\x4d\x18"
	return skippable || begins("\x28\xb5\x2f\xfd")(b)
}

// beginsBzip2 asks for more than the three letters, with which a line of text
// may begin: a level and the mark of a block (the digits of pi) or of the end
// (those of its root) must follow.
func beginsBzip2(b []byte) bool {
	return len(b) >= HeadSize && string(b[:3]) == "BZh" && b[3] >= '1' && b[3] <= '9' &&
		(string(b[4:10]) == "1AY&SY" || string(b[4:10]) == "\x17\x72\x45\x38\x50\x90")
}

// Open returns the plain bytes of a packed stream. Closing them leaves the
// stream open. A packing that is known and not read is an error that says what
// to do.
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

// Unread is the error for a packing that is known and not read.
func (p *Packing) Unread() error {
	if p.open != nil {
		return nil
	}
	return fmt.Errorf("%s files are not read\nunpack it into standard input: %s FILE | dustbuster mine -", p.name, p.hint)
}

// NewReader tells the packing of a stream and returns its plain bytes.
func NewReader(stream *bufio.Reader) (io.ReadCloser, error) {
	head, err := stream.Peek(HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if p := Tell(head); p != nil {
		return p.Open(stream)
	}
	return io.NopCloser(stream), nil
}

// unpacking names the packing in errors.
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

func openGzip(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }

func openBzip2(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil }

// openZstd decodes in the caller's goroutine: the Reader's is one already.
func openZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}
