package evidence

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Head holds the members shared by all observations of a value.
type Head struct {
	Pane  int64  // seconds of a pane; 0: one endless pane
	Check uint32 // of the key by which clients were hashed: hashes under different keys must not meet
	Rule  uint8  // client.Version of the program that read the lines; 0: a version before it
	Sites uint32 // of the settings by which hosts become sites; 0: not told

	Crawlers uint32 // crawler.Addresses.Mark of the networks by which fake crawlers are known; 0: none
}

// String returns the pane in seconds, and marks of the other settings.
func (h Head) String() string {
	text := fmt.Sprintf("pane %d s, key %08x, sites %08x, clients by version %d", h.Pane, h.Check, h.Sites, h.Rule)
	if h.Crawlers != 0 {
		text += fmt.Sprintf(", crawlers' addresses %08x", h.Crawlers)
	}
	return text
}

// Difference is what sets the observations of two programs apart.
type Difference int

// The differences, the worst first.
const (
	Same          Difference = iota
	OtherPane                // nothing can be folded
	OtherKey                 // clients do not compare
	OtherSites               // the URLs of one site may come under two names
	OtherRule                // clients do not compare
	OtherCrawlers            // one takes a client for a crawler that the other takes for a fake
	Differences              // their number
)

// Differs returns the worst difference of two heads.
func (h Head) Differs(from Head) Difference {
	switch {
	case h.Pane != from.Pane:
		return OtherPane
	case h.Check != from.Check:
		return OtherKey
	case h.Sites != from.Sites && h.Sites != 0 && from.Sites != 0:
		return OtherSites
	case h.Rule != from.Rule:
		return OtherRule
	case h.Crawlers != from.Crawlers:
		return OtherCrawlers
	}
	return Same
}

// Compares reports whether the clients of two values compare: they were read by one rule, and hashed
// under one key.
func (h Head) Compares(with Head) bool { return h.Check == with.Check && h.Rule == with.Rule }

const (
	version   = 5
	uncrawled = 4 // without Crawlers: written if there are none to tell
	siteless  = 3 // without Sites too: written if there are none to tell
	unruled   = 2 // without Rule too, still read
)

// Bits of a tag.
const (
	sameClass = 1 << iota
	samePane
	hasSize
	oneSize
	hasDigest
	oneDigest
	oneClient
	hasFamilies
)

// MaxURL is the length of the longest URL that a value can hold, in bytes.
const MaxURL = 64 << 10

// Bounds of a value. The encoder stops at the first bound. A decoder that enforces the
// other bounds therefore refuses no value written by an encoder.
const (
	target   = 64 << 10 // bytes of a value after which the value ends
	maxValue = target + MaxURL + 64
	maxText  = 4 << 20 // bytes of URLs
)

// Append appends a value of the first n of a site's observations: as many as belong in one
// record, about 64 KiB, and at least one. Neighbors in the list take less room the more bytes
// they share, so it should be sorted by URL. Contents impossible for a hit (a size or digest
// span that ends before its beginning, or below 1) are left out of an observation. An
// observation with a URL longer than MaxURL counts in n and is left out of the value.
func Append(b []byte, h Head, list []Observation) (value []byte, n int) {
	start := len(b)
	of := uint8(siteless)
	switch {
	case h.Crawlers != 0:
		of = version
	case h.Sites != 0:
		of = uncrawled
	}
	b = binary.LittleEndian.AppendUint32(append(b, of), h.Check)
	b = append(b, h.Rule)
	if of > siteless {
		b = binary.LittleEndian.AppendUint32(b, h.Sites)
	}
	if of > uncrawled {
		b = binary.LittleEndian.AppendUint32(b, h.Crawlers)
	}
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
		{oneClient, bits.OnesCount16(o.Clients) == 1},
		{hasFamilies, o.Families != 0},
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
	if tag&oneClient != 0 {
		e.b = append(e.b, uint8(bits.TrailingZeros16(o.Clients)))
	} else {
		e.b = binary.LittleEndian.AppendUint16(e.b, o.Clients)
	}
	if tag&hasFamilies != 0 {
		e.b = binary.AppendUvarint(e.b, uint64(o.Families))
	}
}

func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
