package weblog

import "bytes"

func digit(c byte) bool { return c-'0' <= 9 }

// digits returns the length of the run of digits at the start of b.
func digits(b []byte) int {
	for i, c := range b {
		if !digit(c) {
			return i
		}
	}
	return len(b)
}

// maxDigits bounds the length of a number so that it cannot overflow 64 bits.
const maxDigits = 18

// number returns the value of b. All bytes must be digits. The value of an empty b and of
// "-" is 0.
func number(b []byte) (int64, bool) {
	if absent(b) {
		return 0, true
	}
	if len(b) > maxDigits {
		return 0, false
	}
	n := int64(0)
	for _, c := range b {
		if !digit(c) {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// two returns the value of two digits at i of b, or -1 if there are no digits. b must
// hold i+1.
func two(b []byte, i int) int {
	x, y := b[i]-'0', b[i+1]-'0'
	if x > 9 || y > 9 {
		return -1
	}
	return int(x)*10 + int(y)
}

// four returns the value of four digits at i of b, or a negative number if there are no
// digits.
func four(b []byte, i int) int {
	x, y := two(b, i), two(b, i+2)
	if x < 0 || y < 0 {
		return -1
	}
	return x*100 + y
}

// noStatus is the status that HAProxy logs if there was no response.
const noStatus = "-1"

// wholeNumber returns a number without a fraction of zeros. Shippers that keep all numbers
// as floats write 200.0. Another fraction stays, so number refuses it.
func wholeNumber(b []byte) []byte {
	dot := bytes.IndexByte(b, '.')
	if dot < 1 || dot+1 == len(b) || len(bytes.Trim(b[dot+1:], "0")) > 0 {
		return b
	}
	return b[:dot]
}
