package journal

import (
	"cmp"
	"encoding/binary"
)

// An entry in a payload is its kind, its name and its value. Name and value are a length, as
// a varint, and bytes.

// encoder gathers the entries of one frame, behind room for the frame's header.
type encoder struct {
	target  int // bytes of payload at which the frame is full: frameTarget, except in tests
	buf     []byte
	entries int
}

// reset begins a frame.
func (e *encoder) reset() {
	if e.buf == nil {
		e.target = cmp.Or(e.target, frameTarget)
		e.buf = make([]byte, 0, 4<<10)
	}
	e.buf = append(e.buf[:0], make([]byte, frameHeaderSize)...)
	e.entries = 0
}

// payload returns the entries gathered so far.
func (e *encoder) payload() []byte { return e.buf[frameHeaderSize:] }

// full reports whether the frame should end before the next entry.
func (e *encoder) full() bool { return len(e.payload()) >= e.target || e.entries >= maxEntries }

func (e *encoder) entry(n *Entry) {
	e.entries++
	e.buf = append(e.buf, n.Kind)
	e.buf = appendText(e.buf, n.Name)
	e.buf = appendText(e.buf, n.Value)
}

func appendText[T string | []byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}
