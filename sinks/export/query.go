package export

import (
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// Parts of expressions.
const (
	path   = `[^\x3F#]*`      // before the first ?
	mark   = `\x3F`           // the ?
	sep    = `[\x26;]`        // between the pieces of a query
	inside = `[^\x26;#]*`     // of a piece
	end    = `(?![^#])`       // of the mined string; $ would also match before a newline
	ended  = `(?![^=\x26;#])` // the end of a parameter's name

	pieceEnd = `(?![^\x26;#])` // the end of a piece
)

// Places is the number of places of a URL in which formats of steps edit parameters or
// syntax, if no URLs say how many are needed. Neighbouring pieces are one place.
const Places = 7

// sought returns the expression of the beginning of a piece that the rule drops or sets.
func sought(r *rule.Rule) string {
	ended, pieceEnd := ended, pieceEnd
	if r.Params().InPath {
		ended, pieceEnd = inPathEnded, inPathEnd
	}
	switch {
	case r.Params().Pattern.Class != 0:
		return literal(r.Params().Pattern.Prefix) + classes[r.Params().Pattern.Class] + ended
	case r.Params().HasValue:
		return literal(r.Params().Param) + `=` + literal(r.Params().Value) + pieceEnd
	}
	return anyName(r) + ended
}

// anyName returns the expression of a name of the rule.
func anyName(r *rule.Rule) string {
	all := names(r)
	for i := range all {
		all[i] = literal(all[i])
	}
	if len(all) == 1 {
		return all[0]
	}
	return `(?:` + strings.Join(all, `|`) + `)`
}

// classes are the expressions of the classes of characters.
var classes = map[rule.Class]string{
	rule.Digits: `[0-9]{4,}`,
	rule.Hex:    `(?:(?=[a-f]*[0-9])[0-9a-f]{8,}|(?=[A-F]*[0-9])[0-9A-F]{8,})`,
}

// kept returns the expression of a piece that the rule does not drop or set.
func kept(r *rule.Rule) string { return `(?!` + sought(r) + `)` + inside }

// piece returns the expression of a whole piece that the rule drops. A separator or the end of
// the piece must follow.
func piece(r *rule.Rule) string {
	switch {
	case r.Params().HasValue:
		return literal(r.Params().Param) + `=` + literal(r.Params().Value)
	case r.Params().Pattern.Class != 0:
		return literal(r.Params().Pattern.Prefix) + classes[r.Params().Pattern.Class] + valued
	}
	return anyName(r) + valued
}

const (
	valued = `(?:=` + inside + `)?`           // the value of a parameter, if there is one
	ahead  = mark + `(?:[^#]*?` + sep + `)??` // the query before its first piece that matches
)

// drop returns the expressions of a drop.
func drop(head string, r *rule.Rule) expressions {
	if r.Params().InPath {
		return cutPieces(head, r)
	}
	h := head + has(sought(r))
	n, k := sought(r)+inside, kept(r)
	skipped := `(?:` + k + sep + `)*`
	runBefore := `(?:` + n + sep + `)+(?!` + sought(r) + `)` // before a kept piece
	atEnd := `(?:` + sep + n + `)+` + end

	// All pieces are dropped, but for perhaps one empty piece.
	onlyDropped := `(?:` + n + sep + `)*(?:` + n + `)?(?:` + sep + n + `)*` + end
	inQuery := `^` + h + path + mark
	nothingLeft := `^(` + h + path + `)` + mark + onlyDropped
	e := dropSteps(head, r)
	if readsItself(r) {
		e.atOnce, e.step = true, []edit{{nothingLeft, groups(1)}, {`^(` + h + path + mark + skipped + `)` +
			strings.Repeat(`(?:`+runBefore+`(`+skipped+`)`, Places) + strings.Repeat(`)?`, Places) + `(` + k + `)(?:` + sep + n + `)*` + end, groups(Places + 2)}}
	}
	e.tiled = edit{
		nothingLeft + `|(?:^(` + h + path + mark + `)|\G(?!^))` + `(?:(` + skipped + `)` + runBefore + `|(` + skipped + k + `)` + atEnd + `)`,
		groups(4),
	}
	// The expression looks ahead first, since looking behind is expensive.
	e.removed = `(?=` + mark + `)(?<=^` + h + path + `)` + mark + onlyDropped +
		`|(?=` + sought(r) + `)(?<=` + inQuery + `(?:[^#]*` + sep + `)?)` + n + sep +
		`|(?=` + atEnd + `)(?<=` + inQuery + `[^#]*)[^#]+`
	return e
}

// dropSteps returns the steps of a drop: nothing is left, the run at the end, the first run.
func dropSteps(head string, r *rule.Rule) expressions {
	n := piece(r)
	return expressions{
		left: `^` + head + holding(sought(r)),
		step: []edit{
			{`^(` + head + path + `)` + mark + `(?:(?:` + n + sep + `)*(?:` + n + `|(?:` + sep + n + `)+)|(?:` + n + sep + `)+)` + end, groups(1)},
			{`^(` + head + path + mark + `(?:[^#]*` + sep + `)?` + kept(r) + `)(?:` + sep + n + `)+` + end, groups(1)},
			{`^(` + head + path + ahead + `)(?:` + n + sep + `)+([^#]*)`, groups(2)},
		},
	}
}

// set returns the expressions of a rule that sets a parameter. A step, and a match of tiled, edit
// one place.
func set(head string, r *rule.Rule) expressions {
	name, h := literal(r.Params().Param), head+has(sought(r))
	skipped := `(?:` + kept(r) + sep + `)*`
	first, next, value := h+path+mark+skipped+name, sep+skipped+name, part{text: "=" + r.Params().Value}
	other := `(?!=` + literal(r.Params().Value) + pieceEnd + `)`
	e := expressions{
		left:  `^` + head + holding(name+ended+other),
		step:  []edit{{`^(` + head + path + ahead + name + `)` + other + valued + `((?:` + sep + `[^#]*)?)` + end, []part{{group: 1}, value, {group: 2}}}},
		tiled: edit{`(^` + first + `|\G(?!^)` + next + `)` + ended + inside, []part{{group: 1}, value}},
	}
	if readsItself(r) {
		e.atOnce, e.step = true, nil
		pattern, to := `^(`+first+`)`+ended+inside, []part{{group: 1}, value}
		for places := 2; places <= Places+1; places++ {
			e.step = append(e.step, edit{pattern + `((?:` + sep + kept(r) + `)*)` + end, append(slices.Clip(to), part{group: places})})
			pattern += `(` + next + `)` + ended + inside
			to = append(to, part{group: places}, value)
		}
	}
	return e
}

// readsItself reports whether the scope or the exceptions of a rule may read the texts that the
// rule edits in several places. Then no step may edit one of them before the others.
func readsItself(r *rule.Rule) bool {
	if r.Kind() == rule.KindSyntax {
		return r.Scope != rule.Scope{} || r.Except != rule.Except{}
	}
	reads := func(s *rule.Scope) bool {
		return strings.ContainsAny(s.Prefix, "?;") || s.Where[0].Own || s.Where[1].Own
	}
	for _, s := range r.Except.Scopes() {
		if reads(&s) {
			return true
		}
	}
	for range r.Except.URLs() {
		return true
	}
	return reads(&r.Scope)
}
