package envelope

import (
	"encoding/binary"
	"math/bits"
)

// keys are the secret numbers of one index. The keys are drawn anew for each index, so no
// log can be written to collide (a mined string is ASCII, and no eight ASCII bytes are the
// constants of mix). No output of the index depends on the keys.
//
// Envelopes and sides are identified by 64 bits. Among n of them, two are confused with
// probability n²/2^65: 3 in 10^6 for 10^7, 3 in 10^4 for 10^8. The partners of a URL are
// always compared byte by byte. A confusion can therefore make a bucket seem crowded, but
// never invents a pair.
type keys struct{ token, prefix, suffix, cell, inner, pair uint64 }

// mix is the folded 64 by 64 bit product of wyhash and similar hashes.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd1b54a32d192ed03)
	return hi ^ lo
}

// hashBytes returns a hash of b under a key. O(len(b)/8).
func hashBytes(key uint64, b []byte) uint64 {
	h := key ^ uint64(len(b))
	for len(b) > 8 {
		h = mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	return mix(h, load(b))
}

// load packs up to eight bytes into a number. The length must be hashed separately.
func load(b []byte) uint64 {
	switch n := len(b); {
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<32
	case n > 0:
		return uint64(b[0]) | uint64(b[n/2])<<8 | uint64(b[n-1])<<16
	}
	return 0
}

// The tokens of the two anchors, which with overwhelming probability equal no hash of
// bytes.
func (k *keys) startToken() uint64 { return mix(k.token, 1) }
func (k *keys) endToken() uint64   { return mix(k.token, 2) }

func (k *keys) tokenOf(b []byte) uint64 { return hashBytes(k.token, b) }

// longerPrefix and longerSuffix extend a hash by one token.
func (k *keys) longerPrefix(p, token uint64) uint64 { return mix(p^k.prefix, token) }
func (k *keys) longerSuffix(s, token uint64) uint64 { return mix(s^k.suffix, token) }

// cellOf returns the key of the envelope (p, s), in the wide staircase or inside a block.
func (k *keys) cellOf(p, s uint64, inner bool) uint64 {
	if inner {
		s ^= k.inner
	}
	return mix(p^k.cell, s)
}

// side returns the hash of one side of a pair, anchors included.
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

// pairOf returns the key of two sides in either order.
func (k *keys) pairOf(a, b uint64) uint64 {
	if a > b {
		a, b = b, a
	}
	return mix(a^k.pair, b)
}
