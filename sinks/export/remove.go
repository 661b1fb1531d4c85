package export

import (
	"strings"

	"dustbuster/operators/rule"
)

// removed is the expression of an engine that deletes all matches, which it finds
// in the URL as it was, and that looks behind without bound. It looks ahead
// first, since looking behind is dear.
func removed(head string, r *rule.Rule) string {
	h := scoped(head, r)
	if r.Kind == rule.Substring {
		return removedText(h, r)
	}
	n := dropped(r.Param)
	query := `^` + h + path + mark
	atEnd := `(?:` + sep + n + `)+` + end
	return `(?=` + mark + `)(?<=^` + h + path + `)` + mark + onlyDropped(n) +
		`|(?=` + literal(r.Param) + ended + `)(?<=` + query + `(?:[^#]*` + sep + `)?)` + n + sep +
		`|(?=` + atEnd + `)(?<=` + query + `[^#]*)[^#]+`
}

// removedText matches only where no match stands before, and at the start only if
// another slash follows.
func removedText(h string, r *rule.Rule) string {
	text := found(r)
	if strings.HasPrefix(r.From, "/") {
		text = `(?:(?<!^` + h + `)|(?=` + literal(r.From) + `/))` + text
	}
	if r.AtStart {
		return `(?<=^` + h + `)` + text
	}
	return `(?=` + text + `)(?<=^` + h + `(?:(?!` + text + `)[^#])*)` + literal(r.From)
}
