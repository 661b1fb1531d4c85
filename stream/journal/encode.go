package journal

import (
	"cmp"
	"encoding/binary"
)

// Records of a payload. A record begins with a tag byte: tagPositions, tagAct, or a tag
// with tagObservation set, whose other bits say which fields are left out because they
// are zero or as in the previous observation. Texts are a length and bytes. Numbers are
// varints, and signed numbers use zigzag. Digests are stored in full.
//
//	positions:    text
//	act:          key text, version 3 numbers, value text
//	observation:  class byte
//	              site number     unless sameSite; a new number is followed by its text
//	              pane signed     unless samePane; the difference to the previous pane
//	              shared number   length of the URL's beginning shared with the previous URL
//	              rest text       of the URL
//	              min signed      if hasSize
//	              max-min signed  if hasSize, unless oneSize
//	              digests 8 or 16 if hasDigest; one, if oneDigest
//	              clients 1 or 2  one, if oneClient
//
// Neighbouring URLs take less room the more they share, so callers should keep sorted
// URLs sorted.
const (
	tagPositions = 0
	tagAct       = 1

	sameSite       = 1 << 0
	samePane       = 1 << 1
	hasSize        = 1 << 2
	oneSize        = 1 << 3
	hasDigest      = 1 << 4
	oneDigest      = 1 << 5
	oneClient      = 1 << 6
	tagObservation = 1 << 7
)

// encoder collects the records of one frame, after room for the frame's header.
type encoder struct {
	target  int // bytes of payload at which the frame is full: frameTarget, except in tests
	buf     []byte
	records int
	raw     int               // bytes of URLs
	sites   map[string]uint64 // numbers of the sites in this frame
	site    string            // site of the previous observation
	url     []byte
	pane    int64
}

// reset begins a frame.
func (e *encoder) reset() {
	if e.sites == nil {
		e.target = cmp.Or(e.target, frameTarget)
		e.buf = make([]byte, 0, 4<<10)
		e.sites = map[string]uint64{}
	}
	clear(e.sites)
	e.buf = append(e.buf[:0], make([]byte, frameHeaderSize)...)
	e.records, e.raw, e.site, e.url, e.pane = 0, 0, "", e.url[:0], 0
}

// payload returns the records collected.
func (e *encoder) payload() []byte { return e.buf[frameHeaderSize:] }

// full reports whether the frame should end before the next record.
func (e *encoder) full() bool {
	return len(e.payload()) >= e.target || e.raw >= rawTarget || e.records >= maxRecords
}

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

func (e *encoder) observation(o *Observation) {
	e.records++
	e.raw += len(o.URL)
	tag := e.tag(o)
	e.buf = append(e.buf, tag, o.Class)
	if tag&sameSite == 0 {
		e.appendSite(o.Site)
	}
	if tag&samePane == 0 {
		e.buf = binary.AppendVarint(e.buf, o.Pane-e.pane)
	}
	shared := common(e.url, o.URL)
	e.buf = binary.AppendUvarint(e.buf, uint64(shared))
	e.buf = appendText(e.buf, o.URL[shared:])
	e.appendValues(tag, o)
	e.pane, e.url = o.Pane, append(e.url[:shared], o.URL[shared:]...)
}

// tag returns the tag of an observation, with the bits of the fields left out.
func (e *encoder) tag(o *Observation) uint8 {
	tag := uint8(tagObservation)
	for _, part := range [...]struct {
		bit uint8
		set bool
	}{
		{sameSite, len(e.sites) > 0 && o.Site == e.site},
		{samePane, o.Pane == e.pane},
		{hasSize, o.Min != 0 || o.Max != 0},
		{oneSize, o.Min == o.Max},
		{hasDigest, o.DigestMin != 0 || o.DigestMax != 0},
		{oneDigest, o.DigestMin == o.DigestMax},
		{oneClient, o.ClientMin == o.ClientMax},
	} {
		if part.set {
			tag |= part.bit
		}
	}
	return tag
}

func (e *encoder) appendSite(site string) {
	number, known := e.sites[site]
	if !known {
		number = uint64(len(e.sites))
		e.sites[site] = number
	}
	e.buf = binary.AppendUvarint(e.buf, number)
	if !known {
		e.buf = appendText(e.buf, site)
	}
	e.site = site
}

func (e *encoder) appendValues(tag uint8, o *Observation) {
	if tag&hasSize != 0 {
		e.buf = binary.AppendVarint(e.buf, o.Min)
		if tag&oneSize == 0 {
			e.buf = binary.AppendVarint(e.buf, o.Max-o.Min)
		}
	}
	if tag&hasDigest != 0 {
		e.buf = little.AppendUint64(e.buf, o.DigestMin)
		if tag&oneDigest == 0 {
			e.buf = little.AppendUint64(e.buf, o.DigestMax)
		}
	}
	e.buf = append(e.buf, o.ClientMin)
	if tag&oneClient == 0 {
		e.buf = append(e.buf, o.ClientMax)
	}
}

func appendText[T string | []byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// common returns the length of the common prefix of a and b.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
