package envelope

import (
	"encoding/binary"
	"math/bits"
)

// keys are the secret numbers of one index. They are drawn anew for each, so no
// log can be written to collide (a mined string is ASCII, and no eight bytes of
// that are the constants of mix), and nothing that leaves the index depends on
// them.
//
// Envelopes and sides are known by 64 bits. Among n of them two are confused
// with probability n²/2^65: 3 in 10^6 for 10^7, 3 in 10^4 for 10^8. The
// partners of a URL are compared byte by byte all the same, so a confusion can
// make a bucket seem crowded, but never invents a pair.
type keys struct{ token, prefix, suffix, cell, inner, pair uint64 }

// mix is the folded 64 by 64 bit product of wyhash and its kin.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd1b54a32d192ed03)
	return hi ^ lo
}

// hashBytes is a hash of b under a key. O(len(b)/8).
func hashBytes(key uint64, b []byte) uint64 {
	h := key ^ uint64(len(b))
	for len(b) > 8 {
		h = mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	return mix(h, load(b))
}

// load packs up to eight bytes in a number; the length is hashed elsewhere.
func load(b []byte) uint64 {
	switch n := len(b); {
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<32
	case n > 0:
		return uint64(b[0]) | uint64(b[n/2])<<8 | uint64(b[n-1])<<16
	}
	return 0
}

// The two anchors, as tokens: no hash of bytes, with overwhelming probability.
func (k *keys) startToken() uint64 { return mix(k.token, 1) }
func (k *keys) endToken() uint64   { return mix(k.token, 2) }

func (k *keys) tokenOf(b []byte) uint64 { return hashBytes(k.token, b) }

// longerPrefix and longerSuffix extend a hash by one token.
func (k *keys) longerPrefix(p, token uint64) uint64 { return mix(p^k.prefix, token) }
func (k *keys) longerSuffix(s, token uint64) uint64 { return mix(s^k.suffix, token) }

// cellOf is the key of the envelope (p, s), in the wide staircase or inside a block.
func (k *keys) cellOf(p, s uint64, inner bool) uint64 {
	if inner {
		s ^= k.inner
	}
	return mix(p^k.cell, s)
}

// side is the hash of one side of a pair, anchors included.
func (k *keys) side(b []byte, atStart, atEnd bool) uint64 {
	key := k.pair
	if atStart {
		key ^= 0xa0761d6478bd642f
	}
	if atEnd {
		key ^= 0xe7037ed1a0b428db
	}
	return hashBytes(key, b)
}

// pairOf is the key of two sides in either order.
func (k *keys) pairOf(a, b uint64) uint64 {
	if a > b {
		a, b = b, a
	}
	return mix(a^k.pair, b)
}
