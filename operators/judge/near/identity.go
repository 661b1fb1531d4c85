package near

import (
	"crypto/sha256"
	"encoding/binary"

	"dustbuster/operators/judge/sketch"
)

// ID names a content: the first half of a SHA-256.
type ID [16]byte

// BytesID returns the ID of the bytes of a document. Documents of one BytesID are
// near-duplicates.
func BytesID(s *sketch.Sketch) ID { return idOf("bytes", s.Digest[:]) }

// TextID returns the ID of the hashes of a sketch and, with Exact, of the words in order.
// Documents of one TextID are near-duplicates, and all resemble any third document to the
// same degree, so one of them suffices to look for others. ok is false if the sketch has no
// hashes.
func (o *Options) TextID(p *sketch.Page) (id ID, ok bool) {
	hashes := hashesOf(&p.Sketch)
	if len(hashes) == 0 {
		return id, false
	}
	text := make([]byte, 0, 8+8*sketch.Size)
	if o.Exact {
		text = binary.LittleEndian.AppendUint64(text, p.Text)
	}
	for _, h := range hashes {
		text = binary.LittleEndian.AppendUint64(text, h)
	}
	return idOf("text", text), true
}

// NotedID returns the ID of a digest that a crawler noted.
func NotedID(digest string) ID { return idOf("noted", []byte(digest)) }

// idOf returns different IDs for different kinds.
func idOf(kind string, text []byte) (id ID) {
	h := sha256.New()
	h.Write([]byte(kind))
	h.Write([]byte{0})
	h.Write(text)
	copy(id[:], h.Sum(nil))
	return id
}
