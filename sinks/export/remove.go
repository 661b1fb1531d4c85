package export

import "dustbuster/operators/canon"

// removed is the expression of an engine that deletes all matches, which it finds
// in the URL as it was, and that looks behind without bound. It looks ahead
// first, since looking behind is dear.
func removed(head string, r *canon.Rule) string {
	h := scoped(head, r)
	if r.Kind == canon.Substring {
		return removedText(h, r)
	}
	n := dropped(r.Param)
	query := `^` + h + path + mark
	atEnd := `(?:` + sep + n + `)+` + end
	return `(?=` + mark + `)(?<=^` + h + path + `)` + mark + onlyDropped(n) +
		`|(?=` + literal(r.Param) + ended + `)(?<=` + query + `(?:[^#]*` + sep + `)?)` + n + sep +
		`|(?=` + atEnd + `)(?<=` + query + `[^#]*)[^#]+`
}

// removedText matches only where no match stands before.
func removedText(h string, r *canon.Rule) string {
	if r.AtStart {
		return `(?<=^` + h + `)` + found(r)
	}
	return `(?=` + found(r) + `)(?<=^` + h + `(?:(?!` + found(r) + `)[^#])*)` + literal(r.From)
}
