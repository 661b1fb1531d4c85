package journal

import (
	"cmp"
	"encoding/binary"
)

// Records of a payload. A tag byte comes first. Texts are a length and bytes; numbers
// are varints.
//
//	positions:     text
//	act:           key text, version 3 numbers, value text
//	observations:  site text, value text
const (
	tagPositions = iota
	tagAct
	tagObservations
)

// encoder gathers the records of one frame, behind room for the frame's header.
type encoder struct {
	target  int // bytes of payload at which the frame is full: frameTarget, except in tests
	buf     []byte
	records int
}

// reset begins a frame.
func (e *encoder) reset() {
	if e.buf == nil {
		e.target = cmp.Or(e.target, frameTarget)
		e.buf = make([]byte, 0, 4<<10)
	}
	e.buf = append(e.buf[:0], make([]byte, frameHeaderSize)...)
	e.records = 0
}

// payload returns the records gathered so far.
func (e *encoder) payload() []byte { return e.buf[frameHeaderSize:] }

// full reports whether the frame should end before the next record.
func (e *encoder) full() bool { return len(e.payload()) >= e.target || e.records >= maxRecords }

func (e *encoder) positions(p []byte) {
	e.records++
	e.buf = append(e.buf, tagPositions)
	e.buf = appendText(e.buf, p)
}

func (e *encoder) act(a *Act) {
	e.records++
	e.buf = append(e.buf, tagAct)
	e.buf = appendText(e.buf, a.Key)
	for _, v := range a.Version {
		e.buf = binary.AppendUvarint(e.buf, v)
	}
	e.buf = appendText(e.buf, a.Value)
}

func (e *encoder) observations(o *Observations) {
	e.records++
	e.buf = append(e.buf, tagObservations)
	e.buf = appendText(e.buf, o.Site)
	e.buf = appendText(e.buf, o.Value)
}

func appendText[T string | []byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}
