// Package octets looks at eight bytes of a line at once. A processor does not foresee where a loop over so few bytes
// ends, and a call of bytes.IndexByte pays only for a byte that is further away.
//
// The bytes of a word are in the order of the text: the first is the lowest.
package octets

import (
	"bytes"
	endian "encoding/binary"
	"math/bits"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
	lows  = 0x7f7f7f7f7f7f7f7f
	size  = 8
)

// Load returns the first eight bytes of b, which must hold them.
func Load(b []byte) uint64 { return endian.LittleEndian.Uint64(b) }

// Index is bytes.IndexByte, for a c that probably stands among the first bytes.
func Index(b []byte, c byte) int {
	if len(b) >= 16 {
		if m := zeros(Load(b) ^ ones*uint64(c)); m != 0 {
			return bits.TrailingZeros64(m) / size
		}
		if m := zeros(Load(b[size:]) ^ ones*uint64(c)); m != 0 {
			return size + bits.TrailingZeros64(m)/size
		}
	}
	return bytes.IndexByte(b, c)
}

// Nth returns the index of the n-th c of b, from 1; -1 if there are fewer.
func Nth(b []byte, c byte, n int) int {
	i := 0
	for ; i+size <= len(b); i += size {
		found := marks(Load(b[i:]), c)
		count := bits.OnesCount64(found)
		if count >= n {
			for ; n > 1; n-- {
				found &= found - 1
			}
			return i + bits.TrailingZeros64(found)/size
		}
		n -= count
	}
	for ; i < len(b); i++ {
		if b[i] == c {
			if n--; n == 0 {
				return i
			}
		}
	}
	return -1
}

// Places appends the indexes of the first most c of b.
func Places(all []int32, b []byte, c byte, most int) []int32 {
	i := 0
	for ; i+size <= len(b) && len(all) < most; i += size {
		for found := marks(Load(b[i:]), c); found != 0; found &= found - 1 {
			all = append(all, int32(i+bits.TrailingZeros64(found)/size))
		}
	}
	for ; i < len(b) && len(all) < most; i++ {
		if b[i] == c {
			all = append(all, int32(i))
		}
	}
	return all[:min(len(all), most)]
}

// marks returns the highest bit of each byte of x that is c, and of no other.
func marks(x uint64, c byte) uint64 {
	x ^= ones * uint64(c)
	return ^(x&lows + lows | x | lows)
}

// Escaped reports whether a byte after b is escaped: b ends in an odd number of backslashes.
func Escaped(b []byte) bool {
	n := len(b)
	for n > 0 && b[n-1] == '\\' {
		n--
	}
	return (len(b)-n)%2 == 1
}

// StringEnd returns the index of the first quote of b that is not escaped; -1 if there is none.
func StringEnd(b []byte) int {
	i := Index(b, '"')
	if i <= 0 || b[i-1] != '\\' {
		return i
	}
	for ; i+size <= len(b); i += size { // where one quote is escaped, others are
		for found := marks(Load(b[i:]), '"'); found != 0; found &= found - 1 {
			if at := i + bits.TrailingZeros64(found)/size; !Escaped(b[:at]) {
				return at
			}
		}
	}
	for ; i < len(b); i++ {
		if b[i] == '"' && !Escaped(b[:i]) {
			return i
		}
	}
	return -1
}

// zeros returns a word whose lowest bit stands in the first byte of x that is 0; 0 if none is.
func zeros(x uint64) uint64 { return (x - ones) &^ x & highs }

// Outside returns how many of the first eight bytes of x stand before the first that is not in a range of ASCII; 8 if
// all are.
func Outside(x uint64, least, most byte) int {
	above := x&^highs + (0x7f-uint64(most))*ones
	notBelow := (x | highs) - uint64(least)*ones
	return bits.TrailingZeros64((above|^notBelow|x)&highs) / size
}

// Digits returns the value of eight digits. A byte of 0 counts as a digit 0. Each step joins neighbors.
func Digits(x uint64) int64 {
	x = (x & 0x0f0f0f0f0f0f0f0f) * (1 + 10<<8) >> 8
	x = (x & 0x00ff00ff00ff00ff) * (1 + 100<<16) >> 16
	return int64((x & 0x0000ffff0000ffff) * (1 + 10000<<32) >> 32)
}
