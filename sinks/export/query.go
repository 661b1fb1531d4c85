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

// Places is the number of places of a URL in which the formats with one match can edit
// parameters or syntax. Of dropped pieces, neighbours count as one place, and the last piece
// of the query does not count. Apache has nine groups.
const Places = 7

// sought returns the expression of the beginning of a piece that the rule drops or sets.
func sought(r *rule.Rule) string {
	ended, pieceEnd := ended, pieceEnd
	if r.InPath {
		ended, pieceEnd = inPathEnded, inPathEnd
	}
	switch {
	case r.Pattern.Class != 0:
		return literal(r.Pattern.Prefix) + classes[r.Pattern.Class] + ended
	case r.HasValue:
		return literal(r.Param) + `=` + literal(r.Value) + pieceEnd
	case r.Other != "":
		return `(?:` + literal(r.Param) + `|` + literal(r.Other) + `)` + ended
	}
	return literal(r.Param) + ended
}

// classes are the expressions of the classes of characters.
var classes = map[rule.Class]string{
	rule.Digits: `[0-9]{4,}`,
	rule.Hex:    `(?:(?=[a-f]*[0-9])[0-9a-f]{8,}|(?=[A-F]*[0-9])[0-9A-F]{8,})`,
}

// kept returns the expression of a piece that the rule does not drop or set.
func kept(r *rule.Rule) string { return `(?!` + sought(r) + `)` + inside }

// drop returns the expressions of a drop.
func drop(h string, r *rule.Rule) expressions {
	if r.InPath {
		return cutPieces(h, r)
	}
	n, k := sought(r)+inside, kept(r)
	skipped := `(?:` + k + sep + `)*`
	runBefore := `(?:` + n + sep + `)+(?!` + sought(r) + `)` // before a kept piece
	atEnd := `(?:` + sep + n + `)+` + end

	// All pieces are dropped, but for perhaps one empty piece.
	onlyDropped := `(?:` + n + sep + `)*(?:` + n + `)?(?:` + sep + n + `)*` + end
	nothingLeft := `^(` + h + path + `)` + mark + onlyDropped

	someLeft := `^(` + h + path + mark + skipped + `)` +
		strings.Repeat(`(?:`+runBefore+`(`+skipped+`)`, Places) + strings.Repeat(`)?`, Places) +
		`(` + k + `)(?:` + sep + n + `)*` + end
	inQuery := `^` + h + path + mark
	return expressions{
		whole: []edit{{nothingLeft, groups(1)}, {someLeft, groups(Places + 2)}},
		left:  `^` + h,
		tiled: edit{
			nothingLeft + `|(?:^(` + h + path + mark + `)|\G(?!^))` + `(?:(` + skipped + `)` + runBefore + `|(` + skipped + k + `)` + atEnd + `)`,
			groups(4),
		},
		// The expression looks ahead first, since looking behind is expensive.
		removed: `(?=` + mark + `)(?<=^` + h + path + `)` + mark + onlyDropped +
			`|(?=` + sought(r) + `)(?<=` + inQuery + `(?:[^#]*` + sep + `)?)` + n + sep +
			`|(?=` + atEnd + `)(?<=` + inQuery + `[^#]*)[^#]+`,
	}
}

// set returns the expressions of a rule that sets a parameter. whole has an edit for each number
// of places, and tiled edits one place at a time.
func set(h string, r *rule.Rule) expressions {
	skipped := `(?:` + kept(r) + sep + `)*`
	first, next, old := h+path+mark+skipped+literal(r.Param), sep+skipped+literal(r.Param), ended+inside
	value := part{text: "=" + r.Value}
	e := expressions{
		left:  `^` + h + has(literal(r.Param)+ended+`(?!=`+literal(r.Value)+pieceEnd+`)`), // some occurrence has another value
		tiled: edit{`(^` + first + `|\G(?!^)` + next + `)` + old, []part{{group: 1}, value}},
	}
	pattern, to := `^(`+first+`)`+old, []part{{group: 1}, value}
	for places := 2; places <= Places+1; places++ {
		e.whole = append(e.whole, edit{pattern + `((?:` + sep + kept(r) + `)*)` + end, append(slices.Clip(to), part{group: places})})
		pattern += `(` + next + `)` + old
		to = append(to, part{group: places}, value)
	}
	return e
}
