package sketch

import (
	"unicode"
	"unicode/utf8"
)

// longestListed is the most bytes of a word in a list. The rest of a longer word is left out.
const longestListed = 256

// list collects the words of a text for people: what stands between white space, and each character of
// a script without spaces.
type list struct {
	text []byte
	word []byte // the current word
	full bool   // there were more words
}

// read reads a piece of text. The end of a piece ends a word.
func (l *list) read(piece []byte) {
	for len(piece) > 0 && !l.full {
		r, n := utf8.DecodeRune(piece)
		alone := r >= firstUnspaced && unicode.In(r, unspaced...)
		if alone || unicode.IsSpace(r) {
			l.end()
		}
		if !unicode.IsSpace(r) && len(l.word)+n <= longestListed {
			l.word = append(l.word, piece[:n]...)
		}
		if alone {
			l.end()
		}
		piece = piece[n:]
	}
	l.end()
}

func (l *list) end() {
	if len(l.word) == 0 || l.full {
		return
	}
	if l.full = len(l.text)+len(l.word) >= MaxList; !l.full {
		l.text = append(append(l.text, l.word...), '\n')
	}
	l.word = l.word[:0]
}
