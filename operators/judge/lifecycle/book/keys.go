package book

import (
	"encoding/hex"
	"fmt"

	"dustbuster/operators/rule/dust"

	"github.com/dchest/siphash"
)

// Key identifies a pair of URLs by 128 bits of a keyed hash, however long they are. The probability
// that two of 65,536 pairs are confused is 10^-29.
type Key [2]uint64

// PairKey is the key of a PairAct.
type PairKey = Key

// Hasher computes keyed hashes of pairs and texts. Any number of goroutines may use it.
type Hasher struct {
	Secret [2]uint64
}

// hashed is the room for hashed texts on the stack; longer texts are copied to the heap.
type hashed [256]byte

// Pair returns the key of (u, v). No mined string holds a newline.
func (h *Hasher) Pair(u, v string) Key {
	var room hashed
	a, b := siphash.Hash128(h.Secret[0], h.Secret[1], append(append(append(room[:0], u...), '\n'), v...))
	return Key{a, b}
}

// Hash returns a keyed hash. Hashes of equal texts under different salts are unrelated.
func (h *Hasher) Hash(s string, salt uint64) uint64 {
	var room hashed
	return siphash.Hash(h.Secret[0], h.Secret[1]^salt, append(room[:0], s...))
}

// MarshalText writes a key as 32 hexadecimal digits.
func (k Key) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x%016x", k[0], k[1]), nil }

// UnmarshalText reads a key written by MarshalText.
func (k *Key) UnmarshalText(text []byte) error {
	var b [16]byte
	if len(text) != 32 {
		return fmt.Errorf("read key %q: want 32 digits", text)
	}
	if _, err := hex.Decode(b[:], text); err != nil {
		return fmt.Errorf("read key %q: %w", text, err)
	}
	for i, c := range b {
		k[i/8] = k[i/8]<<8 | uint64(c)
	}
	return nil
}

// Common returns the longest prefix and suffix of whole tokens that two URLs share, without overlap.
func Common(u, v string) (prefix, suffix string) {
	n, most := 0, min(len(u), len(v))
	for n < most && u[n] == v[n] {
		n++
	}
	for !dust.Boundary(u, n) || !dust.Boundary(v, n) {
		n--
	}
	k := 0
	for k < most-n && u[len(u)-1-k] == v[len(v)-1-k] {
		k++
	}
	for !dust.Boundary(u, len(u)-k) || !dust.Boundary(v, len(v)-k) {
		k--
	}
	return u[:n], u[len(u)-k:]
}
