package journal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// The layout of the file: see the package comment.
const (
	fileMagic       = "dustjrnl"
	ackMagic        = "dustmark"
	frameMagic      = 0x9f1eaed1 // arbitrary; rare in text
	version         = 5
	fileHeaderSize  = 64
	frameHeaderSize = 40
	ackSize         = 32

	commitFlag = 1 // the frame is the last of its checkpoint
)

// Bounds of a frame, which limit its memory, and let the reader refuse what no writer wrote.
const (
	frameTarget = 1 << 20 // bytes of payload after which a frame ends; a small fsync either way
	maxEntries  = 1 << 16 // entries of a frame
	maxEntry    = 4 << 20 // bytes of the name and the value of an entry
	maxPayload  = frameTarget + maxEntry + 1<<10
)

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	little     = binary.LittleEndian
)

// checksum returns the CRC-32C of b.
func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// fileHeader is the header of the file.
type fileHeader struct {
	pane      int64  // seconds
	key       uint64 // Options.Key
	id        uint64 // random id of this file
	whole     int64  // bytes that were durable before the file got its name
	compacted int64  // bytes after the last compaction
	copies    uint32 // number of times the file was copied; see renew
}

func (h *fileHeader) encode() []byte {
	b := append(make([]byte, 0, fileHeaderSize), fileMagic...)
	b = little.AppendUint32(b, version)
	b = little.AppendUint32(b, checksum(b))
	b = little.AppendUint64(b, uint64(h.pane))
	b = little.AppendUint64(b, h.key)
	b = little.AppendUint64(b, h.id)
	b = little.AppendUint64(b, uint64(h.whole))
	b = little.AppendUint64(b, uint64(h.compacted))
	b = little.AppendUint32(b, h.copies)
	return little.AppendUint32(b, checksum(b))
}

// readFileHeader parses a header. The error is the kind of a StateError, and detail
// adds the specifics.
func readFileHeader(b []byte) (h fileHeader, detail string, kind error) {
	switch {
	case len(b) == 0:
		return h, "the file is empty", ErrDamaged
	case !bytes.HasPrefix(b, []byte(fileMagic)[:min(len(b), len(fileMagic))]):
		return h, "", ErrForeign
	case len(b) < 16:
		return h, "the file ends within its header", ErrDamaged
	case little.Uint32(b[12:]) != checksum(b[:12]):
		return h, "the checksum of the format's version does not match", ErrDamaged
	case little.Uint32(b[8:]) > version:
		return h, formats(b), ErrNewer
	case little.Uint32(b[8:]) < version:
		return h, formats(b), ErrOlder
	case len(b) < fileHeaderSize:
		return h, "the file ends within its header", ErrDamaged
	case little.Uint32(b[60:]) != checksum(b[:60]):
		return h, "the header's checksum does not match", ErrDamaged
	}
	return fileHeader{
		pane: int64(little.Uint64(b[16:])), key: little.Uint64(b[24:]), id: little.Uint64(b[32:]),
		whole: int64(little.Uint64(b[40:])), compacted: int64(little.Uint64(b[48:])),
		copies: little.Uint32(b[56:]),
	}, "", nil
}

// formats names the format of a file's header, and that of this program.
func formats(b []byte) string {
	return fmt.Sprintf("format %d, this program knows %d", little.Uint32(b[8:]), version)
}

// frameHeader is the header of a frame.
type frameHeader struct {
	size   int    // bytes of payload
	number uint64 // counted from 1
	acked  int64  // acknowledged bytes of the file at the time of writing the frame
	chain  uint32 // seal of the previous frame
	commit bool
	sum    uint32 // checksum of the payload
	seal   uint32 // checksum of the fields above
}

// encode writes the header to b and sets the seal.
func (h *frameHeader) encode(b []byte, id uint64) {
	little.PutUint32(b, frameMagic)
	little.PutUint32(b[4:], uint32(h.size))
	little.PutUint64(b[8:], h.number)
	little.PutUint64(b[16:], uint64(h.acked))
	little.PutUint32(b[24:], h.chain)
	flags := uint32(0)
	if h.commit {
		flags = commitFlag
	}
	little.PutUint32(b[28:], flags)
	little.PutUint32(b[32:], h.sum)
	h.seal = seal(b, id)
	little.PutUint32(b[36:], h.seal)
}

// readFrameHeader parses a frame header of the journal with the given id. Ok is false
// if b is not such a header.
func readFrameHeader(b []byte, id uint64) (h frameHeader, ok bool) {
	flags := little.Uint32(b[28:])
	h = frameHeader{
		size: int(little.Uint32(b[4:])), number: little.Uint64(b[8:]), acked: int64(little.Uint64(b[16:])),
		chain: little.Uint32(b[24:]), commit: flags == commitFlag, sum: little.Uint32(b[32:]), seal: little.Uint32(b[36:]),
	}
	return h, little.Uint32(b) == frameMagic && flags <= commitFlag && h.size <= maxPayload && h.seal == seal(b, id)
}

// seal returns the checksum of a frame's header in the journal with the given id.
func seal(b []byte, id uint64) uint32 {
	var salt [8]byte
	little.PutUint64(salt[:], id)
	return crc32.Update(checksum(salt[:]), castagnoli, b[:36])
}
