package journal

import (
	"encoding/binary"
	"errors"
	"iter"
)

// errPayload is the error of a payload that no encoder wrote, although the checksum is
// right.
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
