package export

import (
	"strings"

	"dustbuster/operators/rule"
)

// cutting deletes texts, wherever they stand in a mined string. The other parts are the kept
// texts between the deleted ones. No kept text holds a text that is deleted.
type cutting struct {
	first  string // before the first deleted text
	next   string // between two deleted texts
	text   string // deleted
	rest   string // after the last deleted text
	before string // anything before a deleted text, deleted texts included
}

// cuttingOf returns the cutting of a rule, or false if the rule is none: see refuseKind.
func cuttingOf(r *rule.Rule) (cutting, bool) {
	switch {
	case r.InPath:
		return cutInPath(r), true
	case r.Kind != rule.Syntax:
		return cutting{}, false
	case r.Form == rule.Slashes:
		const single = `(?:(?!//)[^\x3F#])*`
		return cutting{first: single + `/`, next: single + `/`, text: `/+`, rest: single + pathEnd + `.*`, before: path + `/`}, true
	case r.Form == rule.EmptyQuery:
		return cutting{first: path, next: `(?!)`, text: mark + end, rest: `.*`, before: path}, true
	case r.Form == rule.EmptyValue:
		return cutValues(), true
	}
	return cutting{}, false
}

// cutPiece returns the expression of a parameter that a rule drops from a path segment.
func cutPiece(r *rule.Rule) string { return `;` + sought(r) + inPathInside + inPathEnd }

// cutInPath drops parameters from the segments of the path. In a path, each semicolon
// begins a piece.
func cutInPath(r *rule.Rule) cutting {
	kept := `(?:(?!` + cutPiece(r) + `)[^\x3F#])*`
	return cutting{first: kept, next: kept, text: `(?:` + cutPiece(r) + `)+`, rest: kept + pathEnd + `.*`, before: path}
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

// whole returns the edit for an engine with one match: up to Places texts are deleted, or
// none.
func (c *cutting) whole(head string) edit {
	e := edit{pattern: `^(` + head + c.first + `)` + c.text}
	places := Places
	if c.next == `(?!)` {
		places = 1
	}
	e.pattern += strings.Repeat(`(?:(`+c.next+`)`+c.text, places-1) + strings.Repeat(`)?`, places-1) + `(` + c.rest + `)`
	for g := range places + 1 {
		e.to = append(e.to, part{group: g + 1})
	}
	return e
}

// tiled returns the edit for an engine that replaces all matches, and knows \G.
func (c *cutting) tiled(head string) edit {
	return edit{`(^` + head + c.first + `|\G(?!^)` + c.next + `)` + c.text, []part{{group: 1}}}
}

// removed returns the expression for an engine that deletes all matches.
func (c *cutting) removed(head string) string {
	return `(?=` + c.text + `)(?<=^` + head + c.before + `)` + c.text
}

// left matches URLs of which whole deletes nothing, since there are too many places.
func (c *cutting) left(head string) string { return `^` + head + c.before + c.text }
