package journal

import (
	"encoding/binary"
	"errors"
)

// errPayload is the error of a payload that no encoder wrote, although the checksum is
// right.
var errPayload = errors.New("the checksums match, but the contents make no sense")

// decoder turns payloads into frames. A frame is valid until the next call.
type decoder struct {
	cursor
	frame Frame
	urls  []byte            // bytes of the frame's URLs; the Observations alias urls, or its array before urls grew
	sites []string          // sites of this frame, by number
	names map[string]string // all sites so far, so that each site has one string
	site  string            // site of the previous observation
	url   []byte
	pane  int64
}

// decode decodes a payload. The frame aliases the payload.
func (d *decoder) decode(payload []byte) (*Frame, error) {
	if d.names == nil {
		d.names = map[string]string{}
	}
	d.cursor = cursor{rest: payload}
	d.frame = Frame{Observations: d.frame.Observations[:0], Acts: d.frame.Acts[:0]}
	d.urls, d.sites, d.site, d.url, d.pane = d.urls[:0], d.sites[:0], "", nil, 0
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
	switch tag := d.uint8(); {
	case tag&tagObservation != 0:
		d.observation(tag)
	case tag == tagPositions:
		d.frame.Positions = d.text()
	case tag == tagAct:
		d.frame.Acts = append(d.frame.Acts, Act{
			Key: string(d.text()), Version: Version{d.uvarint(), d.uvarint(), d.uvarint()}, Value: d.text(),
		})
	default:
		d.bad = true
	}
}

func (d *decoder) observation(tag uint8) {
	o := Observation{Class: d.uint8()}
	if tag&sameSite == 0 {
		d.site = d.siteName()
	} else if len(d.sites) == 0 {
		d.bad = true
	}
	if tag&samePane == 0 {
		d.pane += d.varint()
	}
	o.Site, o.Pane, o.URL = d.site, d.pane, d.nextURL()
	d.values(tag, &o)
	d.frame.Observations = append(d.frame.Observations, o)
}

func (d *decoder) siteName() string {
	number := d.uvarint()
	if number < uint64(len(d.sites)) {
		return d.sites[number]
	}
	text := d.text()
	if number > uint64(len(d.sites)) {
		d.bad = true
	}
	name, known := d.names[string(text)]
	if !known {
		name = string(text)
		d.names[name] = name
	}
	d.sites = append(d.sites, name)
	return name
}

// nextURL joins the shared beginning of the previous URL and the rest.
func (d *decoder) nextURL() []byte {
	shared, rest := d.uvarint(), d.text()
	if shared > uint64(len(d.url)) || len(d.urls)+int(shared)+len(rest) > maxRaw {
		d.bad = true
		return nil
	}
	start := len(d.urls)
	d.urls = append(append(d.urls, d.url[:shared]...), rest...)
	d.url = d.urls[start:len(d.urls):len(d.urls)]
	return d.url
}

func (d *decoder) values(tag uint8, o *Observation) {
	if tag&hasSize != 0 {
		o.Min = d.varint()
		o.Max = o.Min
		if tag&oneSize == 0 {
			o.Max += d.varint()
		}
	}
	if tag&hasDigest != 0 {
		o.DigestMin = d.uint64()
		o.DigestMax = o.DigestMin
		if tag&oneDigest == 0 {
			o.DigestMax = d.uint64()
		}
	}
	o.ClientMin = d.uint8()
	o.ClientMax = o.ClientMin
	if tag&oneClient == 0 {
		o.ClientMax = d.uint8()
	}
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

func (c *cursor) uint64() uint64 {
	b := c.take(8)
	if len(b) < 8 {
		return 0
	}
	return little.Uint64(b)
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

func (c *cursor) varint() int64 {
	v, n := binary.Varint(c.rest)
	if n <= 0 {
		c.bad = true
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

func (c *cursor) text() []byte { return c.take(c.uvarint()) }
