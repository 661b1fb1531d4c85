package sketch

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// Width is the number of words in a shingle.
const Width = 8

const hashSize = 8 // bytes of a word's hash

// shingler splits text into words and words into shingles, and keeps the least hashes.
type shingler struct {
	word    []byte                 // the current word, in lower case
	window  [Width * hashSize]byte // hashes of the last Width words, oldest first
	words   int
	minHash [Size]uint64
	all     *shingleSet   // every shingle as well; nil: only the least hashes are kept
	text    xxhash.Digest // of all words in order, if all is set
	bag     *bag          // every word as well; nil: no words are kept
}

func newShingler() *shingler { return &shingler{minHash: noHashes()} }

// read reads a piece of text. The end of a piece ends a word.
func (s *shingler) read(text []byte) {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			s.ascii(c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		s.rune(r, text[i:i+n])
		i += n
	}
	s.endWord()
}

func (s *shingler) ascii(c byte) {
	if l := lower[c]; l != 0 {
		s.word = append(s.word, l)
	} else {
		s.endWord()
	}
}

func (s *shingler) rune(r rune, bytes []byte) {
	switch {
	case r == utf8.RuneError && len(bytes) == 1: // not UTF-8: a letter of another charset
		s.word = append(s.word, bytes...)
	case r >= firstUnspaced && unicode.In(r, unspaced...):
		s.endWord()
		s.word = append(s.word, bytes...)
		s.endWord()
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsDigit(r):
		s.word = utf8.AppendRune(s.word, unicode.ToLower(r))
	default:
		s.endWord()
	}
}

func (s *shingler) endWord() {
	if len(s.word) == 0 {
		return
	}
	copy(s.window[:], s.window[hashSize:])
	last := s.window[len(s.window)-hashSize:]
	h := xxhash.Sum64(s.word)
	binary.LittleEndian.PutUint64(last, h)
	if s.bag != nil {
		s.bag.add(h)
	}
	s.word = s.word[:0]
	s.words++
	if s.all != nil {
		_, _ = s.text.Write(last) // never fails
	}
	if s.words >= Width {
		s.shingle(s.window[:])
	}
}

func (s *shingler) shingle(words []byte) {
	h := xxhash.Sum64(words)
	insert(&s.minHash, h)
	if s.all != nil {
		s.all.add(uint32(h >> 32))
	}
}

// end ends the text. A text of fewer than Width words has one shingle.
func (s *shingler) end() (words int, minHash [Size]uint64) {
	if 0 < s.words && s.words < Width {
		s.shingle(s.window[(Width-s.words)*hashSize:])
	}
	return s.words, s.minHash
}

// unspaced lists the scripts without spaces between words. Each character counts as a
// word.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

const firstUnspaced = 0x0E00 // Thai; smaller characters, such as Latin and Cyrillic, need no lookup

// lower holds the lower-case form of each ASCII letter and digit, and 0 for characters
// that separate words.
var lower = func() (t [utf8.RuneSelf]byte) {
	for c := range t {
		if r := rune(c); unicode.IsLetter(r) || unicode.IsDigit(r) {
			t[c] = byte(unicode.ToLower(r))
		}
	}
	return t
}()
