package export

import (
	"iter"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// substring returns the expressions of a substring rule, whose edits are one match of the whole
// URL.
func substring(head string, r *rule.Rule) expressions {
	e := edit{
		`^(` + head + before(r) + `)` + unmade(r) + found(r) + `(.*)`,
		[]part{{group: 1}, {text: r.Sides().To}, {group: 2}},
	}
	removed := ""
	if r.Sides().To == "" {
		removed = removedText(head, r)
	}
	return expressions{step: []edit{e}, tiled: e, removed: removed}
}

// found returns the expression for the text replaced by a substring rule.
func found(r *rule.Rule) string {
	e := literal(r.Sides().From)
	if !r.Sides().AtStart {
		e = begins(r.Sides().From) + e
	}
	if r.Sides().AtEnd {
		return e + end
	}
	return e + stops(r.Sides().From)
}

// unmade looks at the text that a rule would replace, and matches unless it is part of the result
// already.
func unmade(r *rule.Rule) string {
	var b strings.Builder
	for k := range made(r) {
		b.WriteString(`(?!`)
		if k > 0 {
			b.WriteString(`(?<=` + begins(r.Sides().To) + literal(r.Sides().To[:k]) + `)`)
		}
		b.WriteString(literal(r.Sides().To[k:]) + stops(r.Sides().To) + `)`)
	}
	return b.String()
}

// made yields the places in To at which From may occur: at its ends, if so anchored.
func made(r *rule.Rule) iter.Seq[int] {
	return func(yield func(int) bool) {
		last := len(r.Sides().To) - len(r.Sides().From)
		for k := 0; k <= last; k++ {
			fits := (k == 0 || !r.Sides().AtStart && r.Sides().From != "") && (k == last || !r.Sides().AtEnd)
			if r.Sides().AtEnd && r.Sides().From == "" {
				fits = k == last
			}
			if fits && strings.HasPrefix(r.Sides().To[k:], r.Sides().From) && !yield(k) {
				return
			}
		}
	}
}

// something refuses the empty string, by which steps say that they give up.
const something = `(?=[^#])`

// before returns the expression for the text before the replaced occurrence. An occurrence
// at the start is passed over if the edit would remove the path's first slash.
func before(r *rule.Rule) string {
	const first, later = ``, `[^#]*?`
	slashed := strings.HasPrefix(r.Sides().To, "/")
	switch {
	case r.Sides().From == "" && !r.Sides().AtEnd && !slashed:
		return something + `(?!/)`
	case r.Sides().From == "" && !r.Sides().AtEnd:
		return something
	case strings.HasPrefix(r.Sides().From, "/") && !slashed:
		start := `(?!)`
		if r.Sides().To == "" {
			start = `(?=` + literal(r.Sides().From) + `/)`
		}
		if r.Sides().AtStart {
			return start
		}
		return `(?:` + start + `|[^#]+?)`
	case r.Sides().AtStart:
		return first
	}
	if r.Sides().From == "" {
		return `[^#]+?`
	}
	return later
}

// removedText matches only where no match stands before, and at the start only if
// another slash follows.
func removedText(h string, r *rule.Rule) string {
	text := found(r)
	if strings.HasPrefix(r.Sides().From, "/") {
		text = `(?:(?<!^` + h + `)|(?=` + literal(r.Sides().From) + `/))` + text
	}
	if r.Sides().AtStart {
		return `(?<=^` + h + `)` + text
	}
	return `(?=` + text + `)(?<=^` + h + `(?:(?!` + text + `)[^#])*)` + literal(r.Sides().From)
}

// Parts of the expressions for token boundaries. An escape is one character. It belongs to a word
// if it stands for a letter or digit, or for a byte from 0x80 up.
const (
	alnum      = `[0-9A-Za-z]`
	hex        = `[0-9A-Fa-f]`
	wordEscape = `\x25(?:[89A-Fa-f]` + hex + `|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])`
	signEscape = `\x25(?:[0-2]` + hex + `|3[A-Fa-f]|[46]0|[57][B-Fb-f])`

	afterWord    = `(?:(?<!` + alnum + `)|(?<=` + signEscape + `))`
	notInEscape  = `(?<!\x25)`
	beforeWord   = `(?!` + alnum + `|` + wordEscape + `)`
	beforeDigits = `(?!` + hex + hex + `)`
)

// begins returns the expression to put before a text, so that it begins on a token boundary. Of
// digits that may belong to an escape, the first two count. If the text is a single digit, its end
// is not a boundary.
func begins(text string) string {
	if text == "" || dust.Boundary("a"+text, 1) {
		return ""
	}
	e := afterWord
	if len(text) > 1 && !dust.Boundary("%"+text, 1) { // the text may be cut out of an escape
		e += notInEscape
	}
	return e
}

// stops returns the expression to put behind a text that begins on a token boundary, so that it
// ends on one.
func stops(text string) string {
	switch n := len(text); {
	case text == "":
		return ""
	case text[n-1] == '%':
		return beforeDigits
	case !dust.Boundary(text+"a", n):
		return beforeWord
	}
	return ""
}
