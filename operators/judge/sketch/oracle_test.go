package sketch

import (
	"encoding/binary"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// foreignByte is the first of the characters that plainWords uses for bytes that are not
// UTF-8. The characters lie in the last plane, which is unassigned.
const foreignByte = 0x10FE00

var unspacedCharacter = regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]`)

// plainWords splits texts into words as the package comment defines.
func plainWords(texts ...string) (words []string) {
	for _, text := range texts {
		text = unspacedCharacter.ReplaceAllString(asRunes(text), " $0 ")
		for _, word := range strings.FieldsFunc(text, separates) {
			words = append(words, asBytes(strings.ToLower(word)))
		}
	}
	return words
}

func separates(r rune) bool {
	return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) && r < foreignByte && !unspacedCharacter.MatchString(string(r))
}

func asRunes(text string) string {
	var s strings.Builder
	for i, r := range text {
		switch _, n := utf8.DecodeRuneInString(text[i:]); {
		case r == utf8.RuneError && n == 1:
			s.WriteRune(foreignByte + rune(text[i]))
		case r >= foreignByte:
			s.WriteByte(' ')
		default:
			s.WriteRune(r)
		}
	}
	return s.String()
}

func asBytes(word string) string {
	var s strings.Builder
	for _, r := range word {
		if r >= foreignByte {
			s.WriteByte(byte(r - foreignByte))
		} else {
			s.WriteRune(r)
		}
	}
	return s.String()
}

// plainShingles returns all runs of Width words, or one shingle of all words if there are
// fewer.
func plainShingles(words []string) map[string]bool {
	shingles := map[string]bool{}
	for i := range words {
		if i+Width <= len(words) {
			shingles[strings.Join(words[i:i+Width], " ")] = true
		}
	}
	if len(words) > 0 && len(words) < Width {
		shingles[strings.Join(words, " ")] = true
	}
	return shingles
}

// plainMinHash hashes all shingles, sorts the hashes, and returns the first Size.
func plainMinHash(words []string) [Size]uint64 {
	var hashes []uint64
	for shingle := range plainShingles(words) {
		var h []byte
		for _, word := range strings.Split(shingle, " ") {
			h = binary.LittleEndian.AppendUint64(h, xxhash.Sum64String(word))
		}
		hashes = append(hashes, xxhash.Sum64(h))
	}
	slices.Sort(hashes)
	m := noHashes()
	copy(m[:], slices.Compact(hashes))
	return m
}

// exactJaccard returns the coefficient that Resemblance estimates.
func exactJaccard(a, b []string) float64 {
	x, y := plainShingles(a), plainShingles(b)
	both := 0
	for shingle := range x {
		if y[shingle] {
			both++
		}
	}
	if len(x)+len(y) == 0 {
		return 0
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

// pieces returns the texts that visibleText passes to its callback.
func pieces(body string, limit int) (texts []string) {
	visibleText([]byte(body), limit, func(text []byte) { texts = append(texts, string(text)) })
	return texts
}
