package journal

import (
	"bytes"
	"fmt"
	"io"
)

// tip is the place of the next frame.
type tip struct {
	at     int64  // offset
	number uint64 // number of the previous frame; 0: none
	seal   uint32 // seal of the previous frame
}

// start returns the tip of a journal without frames.
func start(id uint64) tip { return tip{at: fileHeaderSize, seal: uint32(id)} }

// scanner reads the frames of a file one by one.
type scanner struct {
	file  io.ReaderAt
	id    uint64
	size  int64 // bytes of the file to read
	tip   tip   // after the last frame read
	acked int64 // end of the last checkpoint read

	frame []byte // the last frame read, with its header
	head  frameHeader
}

func scan(file io.ReaderAt, id uint64, size int64) *scanner {
	t := start(id)
	return &scanner{file: file, id: id, size: size, tip: t, acked: t.at}
}

// invalid says why the bytes at the scanner's tip are not the next frame.
type invalid struct{ why string }

func (e *invalid) Error() string { return e.why }

// next reads a frame, which is valid until the next call. The error is io.EOF at the
// end, an *invalid if the bytes are not a frame, or a read error. The tip moves only if
// the error is nil.
func (s *scanner) next() error {
	left := s.size - s.tip.at
	if left == 0 {
		return io.EOF
	}
	if left < frameHeaderSize {
		return &invalid{fmt.Sprintf("the file ends %d bytes into the header of frame %d", left, s.tip.number+1)}
	}
	if err := s.read(0, frameHeaderSize); err != nil {
		return err
	}
	h, ok := readFrameHeader(s.frame, s.id)
	if !ok || h.number != s.tip.number+1 || h.chain != s.tip.seal || h.acked != s.acked {
		return &invalid{fmt.Sprintf("there is no header of frame %d", s.tip.number+1)}
	}
	if left -= frameHeaderSize; left < int64(h.size) {
		return &invalid{fmt.Sprintf("the file ends %d bytes into the %d bytes of frame %d", left, h.size, h.number)}
	}
	if err := s.read(frameHeaderSize, h.size); err != nil {
		return err
	}
	if checksum(s.payload()) != h.sum {
		return &invalid{fmt.Sprintf("the checksum of frame %d does not match", h.number)}
	}
	s.advance(h)
	return nil
}

func (s *scanner) advance(h frameHeader) {
	s.head = h
	s.tip = tip{at: s.tip.at + int64(len(s.frame)), number: h.number, seal: h.seal}
	if h.commit {
		s.acked = s.tip.at
	}
}

func (s *scanner) payload() []byte { return s.frame[frameHeaderSize:] }

// read fills the frame with n bytes from an offset within it.
func (s *scanner) read(from, n int) error {
	if cap(s.frame) < from+n {
		s.frame = append(make([]byte, 0, from+n), s.frame[:from]...)
	}
	s.frame = s.frame[:from+n]
	return readFull(s.file, s.frame[from:], s.tip.at+int64(from))
}

// readFull reads exactly len(b) bytes.
func readFull(file io.ReaderAt, b []byte, at int64) error {
	if n, err := file.ReadAt(b, at); n < len(b) {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("read at offset %d: %w", at, err)
	}
	return nil
}

// claimed searches the bytes after the tip for frame headers, and returns the greatest
// acknowledged length in these headers. Claimed is the slow path for torn or damaged
// files: O(remaining bytes).
func (s *scanner) claimed() (acked int64, err error) {
	const step = 1 << 20
	magic := little.AppendUint32(nil, frameMagic)
	buf := make([]byte, min(step+frameHeaderSize, s.size-s.tip.at))
	for at := s.tip.at; s.size-at >= frameHeaderSize; at += step {
		b := buf[:min(int64(len(buf)), s.size-at)]
		if err := readFull(s.file, b, at); err != nil {
			return 0, err
		}
		for {
			i := bytes.Index(b, magic)
			if i < 0 || len(b)-i < frameHeaderSize {
				break
			}
			if h, ok := readFrameHeader(b[i:], s.id); ok {
				acked = max(acked, h.acked)
			}
			b = b[i+1:]
		}
	}
	return acked, nil
}
