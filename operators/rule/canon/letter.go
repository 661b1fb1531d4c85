package canon

import "dustbuster/operators/rule/dust"

// letter is a unit of the automaton's input, packed: up to 8 letters and digits of a
// token, an escape, or any other byte. Long tokens have marks in the top bits of bytes,
// which ASCII leaves free. So equal letters are equal texts in equal places of a token.
type letter uint64

const (
	wordBytes = 8

	begins letter = 0x100 // ^; two bytes of a word are greater
	ends   letter = 0x101 // $

	continues letter = 1 << 15 // the token began earlier; also set on a single byte
	goesOn    letter = 1 << 63 // the token ends later
)

// nextLetter returns the letter at an offset of a URL, or of a part of one, and its end.
// before is the previous letter, or 0.
func nextLetter[S ~string | ~[]byte](s S, at int, before letter) (letter, int) {
	l, end, more := letter(s[at]), at+1, false
	switch {
	case dust.IsAlnum(s[at]):
		for end < len(s) && end < at+wordBytes && dust.IsAlnum(s[end]) {
			l = l<<8 | letter(s[end])
			end++
		}
		more = end < len(s) && (dust.IsAlnum(s[end]) || s[end] == '%' && !dust.Boundary(s, end))
	case s[at] != '%' || dust.Boundary(s, end):
		return l, end
	default: // an escape
		for ; end < at+dust.EscapeBytes; end++ {
			l = l<<8 | letter(s[end])
		}
		more = !dust.Boundary(s, end)
	}
	if before&goesOn != 0 {
		l |= continues
	}
	if more {
		l |= goesOn
	}
	return l, end
}
