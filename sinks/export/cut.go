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
	step   string // deletes the first text: all behind the head, and the bracket that ends the first group
}

// cutPiece returns the expression of a parameter that a rule drops from a path segment.
func cutPiece(r *rule.Rule) string { return `;` + sought(r) + inPathInside + inPathEnd }

// cutPieces drops parameters from the segments of the path. In a path, each semicolon
// begins a piece.
func cutPieces(head string, r *rule.Rule) expressions {
	kept := `(?:(?!` + cutPiece(r) + `)[^\x3F#])*`
	c := cutting{
		first: kept, next: kept, text: `(?:` + cutPiece(r) + `)+`, rest: kept + pathEnd + `.*`, before: path,
		step: `[^\x3F#]*?)(?:;` + inPathPiece(r) + `)+((?:[;/\x3F][^#]*)?)` + end,
	}
	return c.expressions(head, r)
}

// inPathPiece is piece for the parameters of a path segment.
func inPathPiece(r *rule.Rule) string {
	return strings.ReplaceAll(piece(r), valued, `(?:=`+inPathInside+`)?`)
}

// cutSegment cuts a value out of the path. The text before the first slash stays.
func cutSegment(head string, r *rule.Rule) expressions {
	e := edit{
		pattern: `^(` + head + `[^/\x3F#]*)` + literal(r.Sides().From) + classes[r.Params().Pattern.Class] + `/([^/\x3F#].*)`,
		to:      []part{{group: 1}, {text: r.Sides().To}, {group: 2}},
	}
	return expressions{step: []edit{e}, tiled: e}
}

// cutSyntax makes the syntax of URLs regular.
func cutSyntax(head string, r *rule.Rule) (e expressions, reason string) {
	var c cutting
	switch r.Syntax().Form {
	case rule.Slashes:
		const single = `(?:(?!//)[^\x3F#])*`
		c = cutting{
			first: single + `/`, next: single + `/`, text: `/+`, rest: single + pathEnd + `.*`, before: path + `/`,
			step: `[^\x3F#]*?/)/+([^#]*)`,
		}
	case rule.EmptyQuery:
		c = cutting{first: path, text: mark + end, before: path, step: path + `)\x3F` + end}
	case rule.EmptyValue:
		c = cutValues()
	default:
		return e, "it cannot change single letters: form " + r.Syntax().Form.String()
	}
	return c.expressions(head, r), ""
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
		step: path + ahead + name + `)=((?:` + sep + `[^#]*)?)` + end,
	}
}

func (c *cutting) expressions(head string, r *rule.Rule) expressions {
	e := expressions{
		step:    []edit{{`^(` + head + c.step, groups(groupsIn(`(` + c.step))}},
		removed: `(?=` + c.text + `)(?<=^` + head + c.before + `)` + c.text,
	}
	next := `(?!)`
	if c.next != "" {
		next, e.left = c.next, `^`+head+c.before+c.text
	}
	if c.next != "" && readsItself(r) {
		all := `^(` + head + c.first + `)` + c.text + strings.Repeat(`(?:(`+next+`)`+c.text, Places-1) + strings.Repeat(`)?`, Places-1) + `(` + c.rest + `)`
		e.atOnce, e.step = true, []edit{{all, groups(Places + 1)}}
	}
	e.tiled = edit{`(^` + head + c.first + `|\G(?!^)` + next + `)` + c.text, groups(1)}
	return e
}
