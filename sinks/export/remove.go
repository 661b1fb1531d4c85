package export

import (
	"strings"

	"dustbuster/operators/rule"
)

// removed returns the expression for an engine that deletes all matches in the original
// URL, and looks behind without bound. The expression looks ahead first, since looking
// behind is expensive.
func removed(head string, r *rule.Rule) string {
	h := scoped(head, r)
	if c, is := cuttingOf(r); is {
		return c.removed(h)
	}
	if r.Kind == rule.Substring {
		return removedText(h, r)
	}
	n := dropped(r)
	query := `^` + h + path + mark
	atEnd := `(?:` + sep + n + `)+` + end
	return `(?=` + mark + `)(?<=^` + h + path + `)` + mark + onlyDropped(n) +
		`|(?=` + sought(r) + `)(?<=` + query + `(?:[^#]*` + sep + `)?)` + n + sep +
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
