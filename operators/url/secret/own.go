package secret

import (
	"fmt"
	"hash/maphash"
	"iter"
	"strings"

	"dustbuster/operators/url/action"
)

// Bounds of pieces that may belong to one client.
const (
	leastTelling = 8 // bytes of a piece
	mostDigits   = 6 // digits of a number that belongs to no client
)

// OwnIn returns a function that reports whether a piece of a text may belong to one client of a site,
// given its URLs, each with whether two clients asked for it: the piece has at least eight bytes and a
// token that is neither a word nor a short number, and neither it nor all such tokens of it stand in URLs of two clients. The URLs are
// read once, when such a piece is first asked for: O(bytes), and 8 bytes of memory for each piece. Two
// pieces are confused with a probability of 2^-64.
func OwnIn(urls iter.Seq2[[]byte, bool]) func(piece string) bool {
	seed := maphash.MakeSeed()
	var shared map[uint64]struct{} // nil: not read yet
	return func(piece string) bool {
		if !isTelling(piece) {
			return false
		}
		if shared == nil {
			shared = map[uint64]struct{}{}
			for url, several := range urls {
				if several {
					for part := range tellingIn(string(url)) {
						shared[maphash.String(seed, part)] = struct{}{}
					}
				}
			}
		}
		if _, is := shared[maphash.String(seed, piece)]; is {
			return false
		}
		some := false
		for run := range runs(piece, noneElse) { // the side of a rule may end within a piece
			if isTelling(run) {
				some = true
				if _, is := shared[maphash.String(seed, run)]; !is {
					return true
				}
			}
		}
		return !some
	}
}

// Owns reports whether a text holds a piece that may belong to one client. O(bytes).
func (v Veil) Owns(text string) bool {
	for p := range pieces(text, outer) {
		if v.isOwn(p.text) {
			return true
		}
	}
	return false
}

// tellingIn yields the telling pieces of a URL, and the telling runs of letters and digits in them: a
// rule may cut a piece.
func tellingIn(url string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for p := range pieces(url, outer) {
			if !isTelling(p.text) {
				continue
			}
			if !yield(p.text) {
				return
			}
			for run := range runs(p.text, noneElse) {
				if run != p.text && isTelling(run) && !yield(run) {
					return
				}
			}
		}
	}
}

// isTelling reports whether a piece may belong to one client: it is long enough, and not plain.
func isTelling(piece string) bool { return len(piece) >= leastTelling && !IsPlain(piece) }

// IsPlain reports whether all tokens of a piece of a URL are letters alone, or at most six digits. O(bytes).
func IsPlain(piece string) bool {
	letters, digits := 0, 0
	plain := action.Decode(piece)
	for i := range len(plain) {
		switch c := plain[i]; {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c|0x20 && c|0x20 <= 'z', c >= 0x80: // a byte from 0x80 on is part of a letter of some script
			letters++
		default:
			letters, digits = 0, 0
		}
		if letters > 0 && digits > 0 || digits > mostDigits {
			return false
		}
	}
	return true
}

// shapeOf says what a piece of one client looks like, behind the stars that replace it: ***(16-hex-digits).
// A URL may hold all its bytes.
func shapeOf(piece string) string {
	what := "characters"
	switch {
	case strings.Trim(piece, "0123456789") == "":
		what = "digits"
	case strings.Trim(piece, "0123456789abcdefABCDEF") == "":
		what = "hex-digits"
	case strings.IndexFunc(piece, func(c rune) bool { return c > '~' || kind(byte(c)) == other }) < 0:
		what = "letters-and-digits"
	}
	return fmt.Sprintf("%s(%d-%s)", stars, len(piece), what)
}

// MaskBoth returns two texts as Mask does. If they differ and would look alike, the hidden pieces by
// which they differ are numbered: ***1 and ***2. O(bytes).
func (v Veil) MaskBoth(a, b string) (string, string) {
	x, y := v.Mask(a), v.Mask(b)
	if a == b || x != y {
		return x, y
	}
	differ := v.differences(a, b)
	return v.numbered(a, differ, "1"), v.numbered(b, differ, "2")
}

// Difference returns the name of the parameter by whose hidden value two texts differ that look alike
// through the veil; "" if it has no name. ok is false if the texts are equal or do not look alike.
func (v Veil) Difference(a, b string) (name string, ok bool) {
	if a == b || v.Mask(a) != v.Mask(b) {
		return "", false
	}
	differ, n := v.differences(a, b), 0
	for p := range v.hidden(a) {
		if differ[n] {
			return p.name, true
		}
		n++
	}
	return "", true
}

// differences reports which hidden pieces of two texts that look alike differ.
func (v Veil) differences(a, b string) (differ []bool) {
	var texts []string
	for p := range v.hidden(a) {
		texts = append(texts, p.text)
	}
	for p := range v.hidden(b) {
		if n := len(differ); n < len(texts) {
			differ = append(differ, texts[n] != p.text)
		}
	}
	return append(differ, make([]bool, len(texts)-len(differ))...)
}

// numbered is Mask with a number behind the stars of some pieces.
func (v Veil) numbered(text string, which []bool, number string) string {
	n := 0
	return v.replaced(text, func(p *piece) string {
		s := v.starsOf(p)
		if n++; which[n-1] {
			s = stars + number + strings.TrimPrefix(s, stars)
		}
		return s
	})
}
