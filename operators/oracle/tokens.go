package oracle

// The two special tokens, as [side.tokens] spells them. No other token can be
// spelled so, since a token of several bytes is alphanumeric: a literal '^' or
// '$' in a URL is a token of one byte.
const (
	startToken = "<^>"
	endToken   = "<$>"
)

// side is a run of tokens of a URL, empty or not: its bytes, and whether the
// special tokens are among it. Anchors are flags and not bytes, so no byte of a
// URL can be mistaken for one.
type side struct {
	text       string
	start, end bool // holds ^, holds $
}

// url is a URL cut into tokens, ^ and $ included.
type url struct {
	text   string
	bounds []int // bounds[i]: where token i begins in text; the last: its end
}

// split cuts a URL into tokens: ^, then runs of alphanumeric characters and
// single other characters, then $.
func split(text string) url {
	bounds := []int{0} // ^ begins, and has no bytes
	for at := 0; at < len(text); at += first(text[at:]) {
		bounds = append(bounds, at)
	}
	return url{text, append(bounds, len(text), len(text))} // $ begins; $ ends
}

// first is the length in bytes of the first token of a text that is not empty.
func first(text string) int {
	n := 0
	for n < len(text) && alphanumeric(text[n]) {
		n++
	}
	return max(n, 1)
}

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// tokens is the number of tokens, at least two.
func (u url) tokens() int { return len(u.bounds) - 1 }

// cut is the substring of the tokens from ≤ i < to.
func (u url) cut(from, to int) side {
	return side{
		text:  u.text[u.bounds[from]:u.bounds[to]],
		start: from == 0 && to > 0,
		end:   from < u.tokens() && to == u.tokens(),
	}
}

// tokens spells a side out.
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
