package sketch

import (
	"encoding/binary"
	"strings"
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
	marks   *bag          // every sign as well; nil: no signs are kept
	order   *order        // every word in order; nil: not kept
	sign    []byte        // the current run of signs
	letters caps          // of the current word
	binding
}

// binding keeps what stands beside words. Of no word or sign the hash is 0.
type binding struct {
	bound  *bag      // nil: nothing is kept
	last   uint64    // the last word
	left   uint64    // the last word of this piece
	signed uint64    // the last signs of this piece, if no word followed
	within uint64    // what sets the words apart
	beside *shingler // of the text that the words of an attribute stand beside
}

func newShingler() *shingler { return &shingler{minHash: noHashes()} }

// caps counts the capitals of a word.
type caps struct{ all, capitals, first int }

// add takes in a character.
func (c *caps) add(capital bool) {
	if capital {
		c.capitals++
		if c.all == 0 {
			c.first = 1
		}
	}
	c.all++
}

// The ways to write a word, in the lowest bits of its hash in a bag.
const (
	anyCase = ^uint32(3) // the other bits
	small   = iota - 1
	capital
	capitals
	mixed
)

// way returns how a word is written.
func (c *caps) way() uint32 {
	switch {
	case c.capitals == 0:
		return small
	case c.capitals == 1 && c.first == 1:
		return capital
	case c.capitals == c.all:
		return capitals
	}
	return mixed
}

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
	s.endSigns()
	s.left, s.signed = 0, 0
}

func (s *shingler) ascii(c byte) {
	if l := lower[c]; l != 0 {
		s.endSigns()
		s.letters.add(l != c)
		s.word = append(s.word, l)
		return
	}
	s.endWord()
	if s.marks != nil && signs[c] {
		s.sign = append(s.sign, c)
	} else {
		s.endSigns()
	}
}

func (s *shingler) rune(r rune, bytes []byte) {
	foreign := r == utf8.RuneError && len(bytes) == 1
	alone := r >= firstUnspaced && unicode.In(r, unspaced...)
	letter := !foreign && !alone && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r))
	if s.marks != nil && !foreign && !alone && !letter && isSign(r) {
		s.endWord()
		s.sign = append(s.sign, bytes...)
		return
	}
	s.endSigns()
	switch {
	case foreign: // not UTF-8: a letter of another charset
		s.word = append(s.word, bytes...)
	case alone:
		s.endWord()
		s.word = append(s.word, bytes...)
		s.endWord()
	case letter:
		l := unicode.ToLower(r)
		s.letters.add(l != r)
		s.word = utf8.AppendRune(s.word, l)
	default:
		s.endWord()
	}
}

// endSigns ends a run of signs.
func (s *shingler) endSigns() {
	if len(s.sign) > 0 {
		h := xxhash.Sum64(s.sign)
		s.marks.add(h, 0)
		s.sign = s.sign[:0]
		s.bound.bind(s.left, after, h)
		s.signed = h
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
		s.bag.add(h, s.letters.way())
	}
	s.bind(h)
	if s.order != nil {
		s.order.add(h)
	}
	s.word, s.letters = s.word[:0], caps{}
	s.words++
	if s.all != nil {
		_, _ = s.text.Write(last) // never fails
	}
	if s.words >= Width {
		s.shingle(s.window[:])
	}
}

// bind binds a word to what stands beside it.
func (s *binding) bind(h uint64) {
	switch {
	case s.beside == nil:
		s.bound.bind(h, before, s.signed)
	case s.within != 0:
		s.bound.bind(h, within, s.within)
	default:
		s.bound.bind(s.beside.last, attached, h)
	}
	s.last, s.left, s.signed = h, h, 0
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

// signs holds the ASCII characters that are signs.
var signs = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = isSign(rune(c))
	}
	return t
}()

// isSign reports whether a character that is no letter or digit says something by itself: a symbol, a dash, a number
// such as ½ or Ⅳ, an icon of a font, an opening bracket, a quote, or one of some marks. An apostrophe is none.
func isSign(r rune) bool {
	return r != '’' && (unicode.In(r, unicode.S, unicode.Pd, unicode.Ps, unicode.Pi, unicode.Pf, unicode.No, unicode.Nl, unicode.Co) ||
		strings.ContainsRune("\"%‰#*/&!?@§†‡•", r))
}
