package export

import (
	"strings"

	"dustbuster/operators/rule"
)

// Parts of the expressions of a path.
const (
	pathEnd = `(?![^\x3F#])` // the end of the path

	inPathInside = `[^;/\x3F#]*`     // of a piece of a path segment
	inPathEnded  = `(?![^=;/\x3F#])` // the end of its name
	inPathEnd    = `(?![^;/\x3F#])`  // the end of the piece
)

// cutting deletes texts, wherever they stand in a mined string. The other parts are the kept
// texts between the deleted ones. No kept text holds a text that is deleted.
type cutting struct {
	first  string // before the first deleted text
	next   string // between two deleted texts; "": there is only one
	text   string // deleted
	rest   string // after the last deleted text
	before string // anything before a deleted text, deleted texts included
}

// cutPiece returns the expression of a parameter that a rule drops from a path segment.
func cutPiece(r *rule.Rule) string { return `;` + sought(r) + inPathInside + inPathEnd }

// cutPieces drops parameters from the segments of the path. In a path, each semicolon
// begins a piece.
func cutPieces(head string, r *rule.Rule) expressions {
	kept := `(?:(?!` + cutPiece(r) + `)[^\x3F#])*`
	c := cutting{first: kept, next: kept, text: `(?:` + cutPiece(r) + `)+`, rest: kept + pathEnd + `.*`, before: path}
	return c.expressions(head)
}

// cutSegment cuts a value out of the path. The text before the first slash stays.
func cutSegment(head string, r *rule.Rule) expressions {
	e := edit{
		pattern: `^(` + head + `[^/\x3F#]*)` + literal(r.From) + classes[r.Pattern.Class] + `/([^/\x3F#].*)`,
		to:      []part{{group: 1}, {text: r.To}, {group: 2}},
	}
	return expressions{whole: []edit{e}, tiled: e}
}

// cutSyntax makes the syntax of URLs regular.
func cutSyntax(head string, form rule.Form) (e expressions, reason string) {
	var c cutting
	switch form {
	case rule.Slashes:
		const single = `(?:(?!//)[^\x3F#])*`
		c = cutting{first: single + `/`, next: single + `/`, text: `/+`, rest: single + pathEnd + `.*`, before: path + `/`}
	case rule.EmptyQuery:
		c = cutting{first: path, text: mark + end, rest: `.*`, before: path}
	case rule.EmptyValue:
		c = cutValues()
	default:
		return e, "it cannot change single letters: form " + form.String()
	}
	return c.expressions(head), ""
}

// cutValues removes the = of empty values.
func cutValues() cutting {
	const (
		name    = `[^=\x26;#]+`
		empty   = `=` + pieceEnd
		kept    = `(?!` + name + empty + `)` + inside
		skipped = `(?:` + kept + sep + `)*`
	)
	return cutting{
		first: path + mark + skipped + name, next: sep + skipped + name, text: empty,
		rest: `(?:` + sep + kept + `)*` + end, before: path + mark + `(?:[^#]*` + sep + `)?` + name,
	}
}

// expressions returns the expressions of a cutting. whole deletes up to Places texts.
func (c *cutting) expressions(head string) expressions {
	places, next := Places, c.next
	if next == "" {
		places, next = 1, `(?!)`
	}
	all := `^(` + head + c.first + `)` + c.text +
		strings.Repeat(`(?:(`+next+`)`+c.text, places-1) + strings.Repeat(`)?`, places-1) + `(` + c.rest + `)`
	return expressions{
		whole:   []edit{{all, groups(places + 1)}},
		left:    `^` + head + c.before + c.text,
		tiled:   edit{`(^` + head + c.first + `|\G(?!^)` + next + `)` + c.text, groups(1)},
		removed: `(?=` + c.text + `)(?<=^` + head + c.before + `)` + c.text,
	}
}
