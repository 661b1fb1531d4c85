package export

import "dustbuster/operators/rule/dust"

// Parts of the expressions for token boundaries. An escape is one character. An escape
// belongs to a word if the escape stands for a letter or digit, or for a byte from 0x80 up.
const (
	alnum      = `[0-9A-Za-z]`
	hex        = `[0-9A-Fa-f]`
	wordEscape = `\x25(?:[89A-Fa-f]` + hex + `|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])`
	signEscape = `\x25(?:[0-2]` + hex + `|3[A-Fa-f]|[46]0|[57][B-Fb-f])`
)

// begins returns the expression to put before a text, so that the text begins on a token
// boundary. Of digits that may belong to an escape, the first two count. If the text is a
// single digit, its end is not a boundary.
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

// stops returns the expression to put behind a text, so that the text ends on a token
// boundary. The text begins on a token boundary.
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
