package journal

import (
	"encoding/binary"
	"errors"
)

// errPayload is the error of a payload that no encoder wrote, although the checksum is
// right.
var errPayload = errors.New("the checksums match, but the contents are invalid")

// decoder turns payloads into frames. A frame is valid until the next decode.
type decoder struct {
	cursor
	frame Frame
	names map[string]string // all sites so far: one string for each
}

// decode reads a payload. The frame aliases the payload.
func (d *decoder) decode(payload []byte) (*Frame, error) {
	if d.names == nil {
		d.names = map[string]string{}
	}
	d.cursor = cursor{rest: payload}
	d.frame = Frame{Observations: d.frame.Observations[:0], Acts: d.frame.Acts[:0]}
	for records := 1; len(d.rest) > 0; records++ {
		if records > maxRecords {
			return nil, errPayload
		}
		d.record()
		if d.bad {
			return nil, errPayload
		}
	}
	return &d.frame, nil
}

func (d *decoder) record() {
	switch d.uint8() {
	case tagPositions:
		d.frame.Positions = d.text()
	case tagAct:
		d.frame.Acts = append(d.frame.Acts, Act{
			Key: string(d.text()), Version: Version{d.uvarint(), d.uvarint(), d.uvarint()}, Value: d.text(),
		})
	case tagObservations:
		d.frame.Observations = append(d.frame.Observations, Observations{Site: d.site(), Value: d.text()})
	default:
		d.bad = true
	}
}

func (d *decoder) site() string {
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
	if len(c.rest) == 0 {
		c.bad = true
		return 0
	}
	b := c.rest[0]
	c.rest = c.rest[1:]
	return b
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
