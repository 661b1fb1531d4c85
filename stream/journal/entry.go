package journal

import (
	"cmp"
	"encoding/binary"
	"errors"
	"iter"
)

// Entry is one entry of a checkpoint. Kind, name and value have a meaning for the caller alone.
// In a payload, name and value are a length, as a varint, and bytes.
type Entry struct {
	Kind  byte
	Name  string
	Value []byte
}

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

// errPayload is the error of a payload that no encoder wrote, although its checksum is right.
var errPayload = errors.New("the checksums match, but the contents are invalid")

// decoder turns payloads into entries.
type decoder struct {
	cursor
	names map[string]string // all names so far: one string for each
}

// decode returns the entries of a payload. An entry aliases the payload.
func (d *decoder) decode(payload []byte) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		d.cursor = cursor{rest: payload}
		for entries := 1; len(d.rest) > 0; entries++ {
			e := Entry{Kind: d.uint8(), Name: d.name(), Value: d.text()}
			if d.bad || entries > maxEntries {
				yield(Entry{}, errPayload)
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (d *decoder) name() string {
	text := d.text()
	name, known := d.names[string(text)]
	if !known {
		name = string(text)
		d.names[name] = name
	}
	return name
}

// cursor reads values from bytes. If too few bytes are left, the cursor becomes bad and
// returns zeros.
type cursor struct {
	rest []byte
	bad  bool
}

func (c *cursor) take(n uint64) []byte {
	if n > uint64(len(c.rest)) {
		c.bad = true
		return nil
	}
	taken := c.rest[:n:n]
	c.rest = c.rest[n:]
	return taken
}

func (c *cursor) uint8() uint8 {
	b := c.take(1)
	if c.bad {
		return 0
	}
	return b[0]
}

func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.rest)
	if n <= 0 {
		c.bad = true
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

func (c *cursor) text() []byte { return c.take(c.uvarint()) }
