package oracle

import "encoding/hex"

// The two special tokens, as spelled by [side.tokens]. No run of other tokens can have this
// spelling, since a mined string holds neither '<' nor '>'. A literal '^' or '$' in a URL is a
// token of one byte.
const (
	startToken = "<^>"
	endToken   = "<$>"
)

// side is a run of tokens of a URL, maybe empty: its bytes, and whether the run includes
// the special tokens. Anchors are flags and not bytes, so no byte of a URL can be
// confused with an anchor.
type side struct {
	text       string
	start, end bool // holds ^, holds $
}

// url is a URL split into tokens, including ^ and $.
type url struct {
	text   string
	bounds []int // bounds[i]: the beginning of token i in text; the last: the end of the last token
}

// split splits a URL into tokens: ^, then runs of alphanumeric characters and single
// other characters, then $.
func split(text string) url {
	bounds := []int{0} // ^ begins, and has no bytes
	at, joins := 0, false
	for _, c := range characters(text) {
		if !joins || !alphanumeric(c) {
			bounds = append(bounds, at)
		}
		joins = alphanumeric(c)
		at += len(c)
	}
	return url{text, append(bounds, len(text), len(text))} // $ begins; $ ends
}

// characters splits a text into escapes and single bytes.
func characters(text string) (all []string) {
	for text != "" {
		n := 1
		if _, ok := escaped(text[:min(3, len(text))]); ok {
			n = 3
		}
		all = append(all, text[:n])
		text = text[n:]
	}
	return all
}

// escaped returns the byte of an escape: '%' and two hexadecimal digits.
func escaped(c string) (byte, bool) {
	if len(c) != 3 || c[0] != '%' {
		return 0, false
	}
	b, err := hex.DecodeString(c[1:])
	if err != nil {
		return 0, false
	}
	return b[0], true
}

// alphanumeric reports whether a character is a letter or digit of ASCII, escaped or not, or
// the escape of a byte from 0x80 up: a letter of some script, or a part of one.
func alphanumeric(c string) bool {
	b, ok := escaped(c)
	if !ok {
		b = c[0]
	}
	return '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z' || ok && b >= 0x80
}

// tokens returns the number of tokens, at least two.
func (u url) tokens() int { return len(u.bounds) - 1 }

// cut returns the substring of the tokens from ≤ i < to.
func (u url) cut(from, to int) side {
	return side{
		text:  u.text[u.bounds[from]:u.bounds[to]],
		start: from == 0 && to > 0,
		end:   from < u.tokens() && to == u.tokens(),
	}
}

func (s side) tokens() []string {
	u := split(s.text)
	var all []string
	if s.start {
		all = append(all, startToken)
	}
	for i := 1; i < u.tokens()-1; i++ {
		all = append(all, u.cut(i, i+1).text)
	}
	if s.end {
		all = append(all, endToken)
	}
	return all
}
