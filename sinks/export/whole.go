package export

import (
	"strings"

	"dustbuster/operators/rule"
)

// Places is the number of places of a URL in which the formats with one match can edit
// parameters or syntax. Of dropped pieces, neighbours count as one place, and the last piece
// of the query does not count. Apache has nine groups.
const Places = 7

// whole returns the edits for an engine with one match: the first edit that matches counts,
// and the later edits do not match, or change nothing.
func whole(head string, r *rule.Rule) []edit {
	if c, is := cuttingOf(r); is {
		return []edit{c.whole(scoped(head, r))}
	}
	switch r.Kind {
	case rule.Rewrite:
		return []edit{rewriting(scoped(head, r), r.Template)}
	case rule.Drop:
		h := scoped(head, r)
		return []edit{
			{nothingLeft(h, dropped(r)), []part{{group: 1}}},
			wholeDrop(h, r),
		}
	case rule.Set:
		var edits []edit
		for places := 1; places <= Places; places++ {
			edits = append(edits, wholeSet(scoped(head, r), r, places))
		}
		return edits
	}
	return []edit{substring(head, r)}
}

// wholeDrop matches a query with a kept piece: runs of dropped pieces, each before a kept
// piece, and perhaps a run at the end.
func wholeDrop(h string, r *rule.Rule) edit {
	n, k := dropped(r), kept(r)
	skipped := `(?:` + k + sep + `)*`
	run := `(?:(?:` + n + sep + `)+(?!` + sought(r) + `)(` + skipped + `)`
	e := edit{pattern: `^(` + h + path + mark + skipped + `)` +
		strings.Repeat(run, Places) + strings.Repeat(`)?`, Places) +
		`(` + k + `)(?:` + sep + n + `)*` + end}
	for g := range Places + 2 {
		e.to = append(e.to, part{group: g + 1})
	}
	return e
}

// wholeSet matches a query with the parameter in the given number of places.
func wholeSet(h string, r *rule.Rule, places int) edit {
	skipped := `(?:` + kept(r) + sep + `)*`
	value := ended + inside
	e := edit{pattern: `^(` + h + path + mark + skipped + literal(r.Param) + `)` + value}
	for g := range places {
		if g > 0 {
			e.pattern += `(` + sep + skipped + literal(r.Param) + `)` + value
		}
		e.to = append(e.to, part{group: g + 1}, part{text: "=" + r.Value})
	}
	e.pattern += `((?:` + sep + kept(r) + `)*)` + end
	e.to = append(e.to, part{group: places + 1})
	return e
}

// left matches URLs that whole's edits should have edited: the text to edit stands in too
// many places. "" if no such URL exists.
func left(head string, r *rule.Rule) string {
	if c, is := cuttingOf(r); is {
		return c.left(scoped(head, r))
	}
	switch r.Kind {
	case rule.Drop:
		return `^` + scoped(head, r)
	case rule.Set: // some occurrence has another value
		return `^` + scoped(head, r) + has(literal(r.Param)+ended+`(?!=`+literal(r.Value)+`(?![^\x26;#]))`)
	}
	return ""
}
