package evidence

import (
	"encoding/binary"
)

// Head is what all observations of a value have in common.
type Head struct {
	Pane  int64  // seconds of a pane; 0: one without end
	Check uint32 // of the key by which clients were hashed: hashes under different keys must not meet
}

const version = 1

// Bits of a tag.
const (
	sameClass = 1 << iota
	samePane
	hasSize
	oneSize
	hasDigest
	oneDigest
	oneClient
	unknown
)

// MaxURL is the bytes of the longest URL that a value can hold.
const MaxURL = 64 << 10

// Bounds of a value. An encoder stops at the first, so a decoder that refuses
// what is beyond the others refuses nothing that an encoder made.
const (
	target   = 64 << 10 // bytes of a value after which it ends
	maxValue = target + MaxURL + 64
	maxText  = 4 << 20 // bytes of URLs
)

// Append appends a value of the first n of a site's observations, as many as
// should be in one record, at least one: about 64 KiB. Those next to each other
// take the less room the more they have in common, so they should come sorted by
// URL. What no hit can say (a size or digest span that ends before it begins, or
// below 1) is left out of an observation; one whose URL is longer than MaxURL
// counts in n and is not in the value.
func Append(b []byte, h Head, list []Observation) (value []byte, n int) {
	start := len(b)
	b = append(b, version)
	b = binary.LittleEndian.AppendUint32(b, h.Check)
	b = binary.AppendUvarint(b, uint64(max(0, h.Pane)))
	e := encoder{b: b, length: h.Pane}
	text := 0
	for n < len(list) && (n == 0 || len(e.b)-start < target && text+len(list[n].URL) <= maxText) {
		if o := &list[n]; len(o.URL) <= MaxURL {
			e.append(o)
			text += len(o.URL)
		}
		n++
	}
	return e.b, n
}

type encoder struct {
	b      []byte
	length int64  // of a pane
	class  uint8  // of the observation before
	pane   int64  //
	url    []byte //
}

func (e *encoder) append(o *Observation) {
	pane := PaneOf(o.Time, e.length)
	tag := e.tag(o, pane)
	e.b = append(e.b, tag)
	if tag&sameClass == 0 {
		e.b = append(e.b, o.Class)
	}
	if tag&samePane == 0 {
		e.b = binary.AppendVarint(e.b, pane-e.pane)
	}
	shared := common(e.url, o.URL)
	e.b = binary.AppendUvarint(e.b, uint64(shared))
	e.b = binary.AppendUvarint(e.b, uint64(len(o.URL)-shared))
	e.b = append(e.b, o.URL[shared:]...)
	e.values(tag, o)
	e.class, e.pane, e.url = o.Class, pane, o.URL
}

// tag says what an observation has.
func (e *encoder) tag(o *Observation, pane int64) (tag uint8) {
	for _, part := range [...]struct {
		bit uint8
		set bool
	}{
		{sameClass, o.Class == e.class},
		{samePane, pane == e.pane},
		{hasSize, 0 < o.Min && o.Min <= o.Max},
		{oneSize, o.Min == o.Max},
		{hasDigest, 0 < o.DigestMin && o.DigestMin <= o.DigestMax},
		{oneDigest, o.DigestMin == o.DigestMax},
		{oneClient, o.ClientMin >= o.ClientMax},
	} {
		if part.set {
			tag |= part.bit
		}
	}
	return tag
}

func (e *encoder) values(tag uint8, o *Observation) {
	if tag&hasSize != 0 {
		e.b = binary.AppendUvarint(e.b, uint64(o.Min))
		if tag&oneSize == 0 {
			e.b = binary.AppendUvarint(e.b, uint64(o.Max-o.Min))
		}
	}
	if tag&hasDigest != 0 {
		e.b = binary.LittleEndian.AppendUint64(e.b, o.DigestMin)
		if tag&oneDigest == 0 {
			e.b = binary.LittleEndian.AppendUint64(e.b, o.DigestMax)
		}
	}
	e.b = append(e.b, o.ClientMin)
	if tag&oneClient == 0 {
		e.b = append(e.b, o.ClientMax)
	}
}

// common is the length of the beginning that a and b share.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
