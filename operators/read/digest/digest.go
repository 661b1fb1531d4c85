// Package digest makes numbers of the digests of contents that logs name. Equal numbers stand
// for equal contents, or for sketches that are equal. All functions are pure.
package digest

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
)

// Of returns a sketch column as 64 bits. Exactly 16 hexadecimal digits are the digest itself.
// Any other text is hashed (FNV-1a, then a finalizer, since FNV leaves the high bits of short
// strings weak). Of returns 0 if the text is empty or a dash.
func Of(text []byte) uint64 {
	if len(text) == 0 || len(text) == 1 && text[0] == '-' {
		return 0
	}
	if len(text) == 16 {
		var b [8]byte
		if _, err := hex.Decode(b[:], text); err == nil {
			return max(1, binary.BigEndian.Uint64(b[:]))
		}
	}
	h := uint64(14695981039346656037)
	for _, c := range text {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	return max(1, h)
}

// nothing is the SHA-1 of empty content, in base 32. Like a size of 0, this digest is no
// evidence that two pages are alike.
const nothing = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"

// OfPayload returns the digest of a content in the notation of archives, with or without the
// name of the hash in front: "sha1:3EM7YXZ...". It is 0 if there is none.
func OfPayload(text []byte) uint64 {
	if i := bytes.IndexByte(text, ':'); i >= 0 {
		text = text[i+1:]
	}
	if string(text) == nothing {
		return 0
	}
	return Of(text)
}
