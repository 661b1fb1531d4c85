package evidence

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrNewer means that a value has a version unknown to this program.
var ErrNewer = errors.New("decode observations: the value was written by a newer version: update this one")

// ErrOlder means that a value has a version that this program reads no more.
var ErrOlder = errors.New("decode observations: the value was written by an older version: read the logs again")

// errMalformed means that no encoder wrote the value.
var errMalformed = errors.New("decode observations: the value is damaged, or holds no observations")

// Value is a decoded value.
type Value struct {
	Head
	List    []Observation
	Refused int // observations left out because their URLs are refused
}

// Forget makes the clients of all observations none, as if no line had named one. It returns the newest
// time of an observation that loses its clients, and whether there is one.
func (v *Value) Forget() (newest int64, any bool) {
	for i := range v.List {
		o := &v.List[i]
		if o.Clients == 0 {
			continue
		}
		if o.Clients = 0; !any || o.Time > newest {
			newest, any = o.Time, true
		}
	}
	return newest, any
}

// Decoder reads values. A Decoder allocates nothing once the Decoder has grown to the
// largest value, some megabytes at most. A Decoder belongs to one goroutine.
type Decoder struct {
	refuse func(url []byte) bool
	rest   []byte
	bad    bool
	text   []byte // of the value's URLs, which alias text or an earlier array of text
	value  Value
	prev   Observation
	pane   int64
}

// NewDecoder returns a decoder that leaves out the observations of URLs for which refuse
// returns true. If refuse is nil, no observation is left out.
func NewDecoder(refuse func(url []byte) bool) *Decoder {
	if refuse == nil {
		refuse = func([]byte) bool { return false }
	}
	return &Decoder{refuse: refuse}
}

// Decode reads a value. The bytes may be arbitrary. The result is valid until the next
// Decode.
func (d *Decoder) Decode(value []byte) (*Value, error) {
	switch {
	case len(value) == 0 || len(value) > maxValue:
		return nil, errMalformed
	case value[0] > version:
		return nil, fmt.Errorf("%w (version %d)", ErrNewer, value[0])
	case value[0] < unruled:
		return nil, fmt.Errorf("%w (version %d)", ErrOlder, value[0])
	}
	d.rest, d.bad, d.text, d.prev, d.pane = value[1:], false, d.text[:0], Observation{}, 0
	d.value = Value{List: d.value.List[:0]}
	d.value.Check = uint32(d.fixed(4))
	if value[0] > unruled {
		d.value.Rule = uint8(d.fixed(1))
	}
	if value[0] > siteless {
		d.value.Sites = uint32(d.fixed(4))
	}
	if value[0] > uncrawled {
		d.value.Crawlers = uint32(d.fixed(4))
	}
	d.value.Pane = d.size()
	for len(d.rest) > 0 && !d.bad {
		d.observation()
	}
	if d.bad {
		return nil, errMalformed
	}
	return &d.value, nil
}

func (d *Decoder) observation() {
	tag := uint8(d.fixed(1))
	o := Observation{Class: d.prev.Class}
	if tag&sameClass == 0 {
		o.Class = uint8(d.fixed(1))
	}
	if tag&samePane == 0 {
		d.pane += d.varint()
	}
	o.Time = PaneStart(d.pane, d.value.Pane)
	o.URL = d.url()
	d.spans(tag, &o)
	if d.bad {
		return
	}
	d.prev = o
	if d.refuse(o.URL) {
		d.value.Refused++
		return
	}
	d.value.List = append(d.value.List, o)
}

// url joins the shared beginning of the previous URL and the rest of this URL.
func (d *Decoder) url() []byte {
	before := d.prev.URL
	shared := d.uvarint()
	rest := d.take(d.uvarint())
	if d.bad || shared > uint64(len(before)) || int(shared)+len(rest) > MaxURL || len(d.text)+int(shared)+len(rest) > maxText {
		d.bad = true
		return nil
	}
	start := len(d.text)
	d.text = append(append(d.text, before[:shared]...), rest...)
	return d.text[start:len(d.text):len(d.text)]
}

// spans reads sizes, digests, clients and families.
func (d *Decoder) spans(tag uint8, o *Observation) {
	if tag&hasSize != 0 {
		o.Min = d.size()
		o.Max = o.Min
		if tag&oneSize == 0 {
			o.Max += d.size()
		}
		d.bad = d.bad || o.Min < 1 || o.Max < o.Min // an overflowed sum is below Min
	}
	if tag&hasDigest != 0 {
		o.DigestMin = d.fixed(8)
		o.DigestMax = o.DigestMin
		if tag&oneDigest == 0 {
			o.DigestMax = d.fixed(8)
		}
		d.bad = d.bad || o.DigestMin == 0 || o.DigestMax < o.DigestMin
	}
	if tag&oneClient != 0 {
		bit := d.fixed(1)
		d.bad = d.bad || bit > 15
		o.Clients = 1 << bit
	} else {
		o.Clients = uint16(d.fixed(2))
	}
	if tag&hasFamilies != 0 {
		families := d.uvarint()
		d.bad = d.bad || families == 0 || families > math.MaxUint32
		o.Families = uint32(families)
	}
}

// take reads n bytes. If too few bytes are left, the value is bad and the result is empty.
func (d *Decoder) take(n uint64) []byte {
	if n > uint64(len(d.rest)) {
		d.bad, d.rest = true, nil
		return nil
	}
	taken := d.rest[:n]
	d.rest = d.rest[n:]
	return taken
}

// fixed reads a little-endian number of n bytes.
func (d *Decoder) fixed(n uint64) (v uint64) {
	for i, b := range d.take(n) {
		v |= uint64(b) << (8 * i)
	}
	return v
}

func (d *Decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	d.skip(n)
	return v
}

func (d *Decoder) varint() int64 {
	v, n := binary.Varint(d.rest)
	d.skip(n)
	return v
}

// skip passes a varint of n bytes. If n is not positive, there was none.
func (d *Decoder) skip(n int) {
	if n <= 0 {
		d.bad, d.rest = true, nil
		return
	}
	d.rest = d.rest[n:]
}

// size reads a number of bytes or seconds.
func (d *Decoder) size() int64 {
	v := d.uvarint()
	if int64(v) < 0 {
		d.bad = true
		return 0
	}
	return int64(v)
}
