package search

import "hash/maphash"

// Numbers finds the number of a text in a list. Unlike a map, it does not hold the texts, and takes
// 11 to 22 bytes for each. Numbers does not change, and any goroutine may use it.
type Numbers struct {
	seed  maphash.Seed
	slots []uint64 // open addressing with linear probing: upper half of the hash, and number + 1; 0: free
	text  func(number int) string
}

// NewNumbers reads n texts, numbered from 0. The texts must differ. O(bytes).
func NewNumbers(n int, text func(number int) string) *Numbers {
	size := 2
	for 4*n > 3*size {
		size *= 2
	}
	x := &Numbers{seed: maphash.MakeSeed(), slots: make([]uint64, size), text: text}
	for n := range n {
		h := maphash.String(x.seed, text(n))
		at := h & uint64(size-1)
		for x.slots[at] != 0 {
			at = (at + 1) & uint64(size-1)
		}
		x.slots[at] = h>>32<<32 | uint64(n+1)
	}
	return x
}

// Of returns the number of a text. ok is false if the text is not in the list.
func (x *Numbers) Of(text []byte) (number int, ok bool) {
	number, _, ok = x.Find(text)
	return number, ok
}

// Find is Of with the hash of the text, under a key that NewNumbers draws. The hashes of two of n other texts
// are equal with a probability of n² / 2⁶⁵.
func (x *Numbers) Find(text []byte) (number int, hash uint64, ok bool) {
	h := maphash.Bytes(x.seed, text)
	for at := h & uint64(len(x.slots)-1); ; at = (at + 1) & uint64(len(x.slots)-1) {
		s := x.slots[at]
		if s == 0 {
			return 0, h, false
		}
		if number = int(uint32(s)) - 1; s>>32 == h>>32 && x.text(number) == string(text) {
			return number, h, true
		}
	}
}
