package export

import (
	"dustbuster/operators/rule"
)

// tiled returns the edit for an engine that replaces all matches, one after the other, and
// knows \G.
func tiled(head string, r *rule.Rule) edit {
	if c, is := cuttingOf(r); is {
		return c.tiled(scoped(head, r))
	}
	switch r.Kind {
	case rule.Rewrite:
		return rewriting(scoped(head, r), r.Template)
	case rule.Drop:
		return tiledDrop(head, r)
	case rule.Set:
		return tiledSet(head, r)
	}
	return substring(head, r)
}

// tiledDrop has an alternative for a query without kept pieces, and two alternatives for a
// run of pieces: in the middle, and at the end.
func tiledDrop(head string, r *rule.Rule) edit {
	n, k, h := dropped(r), kept(r), scoped(head, r)
	return edit{
		nothingLeft(h, n) +
			`|(?:^(` + h + path + mark + `)|\G(?!^))` +
			`(?:((?:` + k + sep + `)*)(?:` + n + sep + `)+(?!` + sought(r) + `)` +
			`|((?:` + k + sep + `)*` + k + `)(?:` + sep + n + `)+` + end + `)`,
		[]part{{group: 1}, {group: 2}, {group: 3}, {group: 4}},
	}
}

// nothingLeft matches a query without kept pieces, and captures the text before the query.
func nothingLeft(head, n string) string {
	return `^(` + head + path + `)` + mark + onlyDropped(n)
}

// onlyDropped matches the text after the ? if all its pieces are dropped, but for perhaps
// one empty piece.
func onlyDropped(n string) string {
	return `(?:` + n + sep + `)*(?:` + n + `)?(?:` + sep + n + `)*` + end
}

// tiledSet edits one parameter at a time.
func tiledSet(head string, r *rule.Rule) edit {
	skipped := `(?:` + kept(r) + sep + `)*`
	return edit{
		`(^` + scoped(head, r) + path + mark + skipped + literal(r.Param) +
			`|\G(?!^)` + sep + skipped + literal(r.Param) + `)` + ended + inside,
		[]part{{group: 1}, {text: "=" + r.Value}},
	}
}
