package export

import "dustbuster/operators/dust"

// Parts of the expressions for token boundaries. An escape is one character. It
// belongs to a word if it stands for a letter or digit, or for a byte from 0x80 up.
const (
	alnum      = `[0-9A-Za-z]`
	hex        = `[0-9A-Fa-f]`
	wordEscape = `\x25(?:[89A-Fa-f]` + hex + `|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])`
	signEscape = `\x25(?:[0-2]` + hex + `|3[A-Fa-f]|[46]0|[57][B-Fb-f])`
)

// begins is the expression of what a text, which follows, needs before it to begin on
// a token boundary. Of digits that may be those of an escape the first two count;
// where the text is only one, its end is no boundary.
func begins(text string) string {
	if text == "" || dust.Boundary("a"+text, 1) {
		return ""
	}
	e := `(?:(?<!` + alnum + `)|(?<=` + signEscape + `))`
	if len(text) > 1 && !dust.Boundary("%"+text, 1) { // the text may be cut out of an escape
		e += `(?<!\x25)`
	}
	return e
}

// stops is the expression of what a text, which stands before it, needs behind it to
// end on a token boundary. The text begins on one.
func stops(text string) string {
	switch n := len(text); {
	case text == "":
		return ""
	case text[n-1] == '%':
		return `(?!` + hex + hex + `)`
	case !dust.Boundary(text+"a", n):
		return `(?!` + alnum + `|` + wordEscape + `)`
	}
	return ""
}
