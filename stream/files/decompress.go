package files

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

// compression is a way of packing files, told by the bytes they begin with.
type compression struct {
	name string
	fits func(head []byte) bool
	open func(io.Reader) (io.ReadCloser, error) // nil: known, not read
	hint string                                 // where it is not read, the command that unpacks it to standard output
}

// compressions are those that are told. The ones without open are there so
// that the user is told what the file is, and not shown malformed lines.
var compressions = []compression{
	{name: "gzip", fits: begins("\x1f\x8b\x08"), open: openGzip},
	{name: "zstd", fits: beginsZstd, open: openZstd},
	{name: "bzip2", fits: beginsBzip2, open: openBzip2},
	{name: "xz", fits: begins("\xfd7zXZ\x00"), hint: "xz -dc"},
	{name: "lz4", fits: begins("\x04\x22\x4d\x18"), hint: "lz4 -dc"},
	{name: "compress", fits: begins("\x1f\x9d"), hint: "gzip -dc"},
	{name: "zip", fits: begins("PK\x03\x04"), hint: "unzip -p"},
}

// magicBytes is enough to tell any of the compressions.
const magicBytes = 10

// tell finds the compression by a file's first bytes; nil is a plain file.
func tell(head []byte) *compression {
	for i := range compressions {
		if compressions[i].fits(head) {
			return &compressions[i]
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
	return len(b) >= magicBytes && string(b[:3]) == "BZh" && b[3] >= '1' && b[3] <= '9' &&
		(string(b[4:10]) == "1AY&SY" || string(b[4:10]) == "\x17\x72\x45\x38\x50\x90")
}

// decompress tells the compression of source by content and returns its plain
// bytes. Closing the result leaves source open.
func decompress(source *bufio.Reader) (io.ReadCloser, error) {
	head, err := source.Peek(magicBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	packed := tell(head)
	if packed == nil {
		return io.NopCloser(source), nil
	}
	if packed.open == nil {
		return nil, fmt.Errorf("%s files are not read\nunpack it into standard input: %s FILE | dustbuster mine -", packed.name, packed.hint)
	}
	plain, err := packed.open(source)
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", packed.name, err)
	}
	return unpacking{plain, packed.name}, nil
}

// unpacking names the compression in errors.
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
