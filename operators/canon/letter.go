package canon

import "dustbuster/operators/dust"

// letter is what the automaton reads at a time: one byte that is no letter or
// digit, or up to 8 of a word, packed; a longer word is several letters. As
// ASCII leaves the top bit of each byte free, there is room for two marks, and
// equal letters are equal text in equal places of a word.
type letter uint64

const (
	wordBytes = 8

	begins letter = 0x100 // ^; two bytes of a word are greater
	ends   letter = 0x101 // $

	continues letter = 1 << 15 // the word began before; on one byte too
	goesOn    letter = 1 << 63 // the word ends later; on 8 bytes only
)

// nextLetter reads the letter at offset i of a URL or a part of one, and where it
// ends.
func nextLetter[S ~string | ~[]byte](s S, i int) (letter, int) {
	l, end := letter(s[i]), i+1
	if !dust.IsAlnum(s[i]) {
		return l, end
	}
	for end < len(s) && end < i+wordBytes && dust.IsAlnum(s[end]) {
		l = l<<8 | letter(s[end])
		end++
	}
	if i > 0 && dust.IsAlnum(s[i-1]) {
		l |= continues
	}
	if end < len(s) && dust.IsAlnum(s[end]) {
		l |= goesOn
	}
	return l, end
}
