package public

import (
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// Follows reports whether a mined string v asks for no more than u does: v lacks some of the
// parameters of u, in the query or in the path, and differs from u otherwise at most in runs
// of slashes, in escapes, in the case of letters of the path, in the name of an index, and in
// a last slash. If u may be fetched, then so may v. O(bytes).
func Follows(v, u string) bool {
	vPath, vQuery, _ := strings.Cut(normal(v), "?")
	uPath, uQuery, _ := strings.Cut(normal(u), "?")
	sameButLess := func(v, u string) bool {
		name, some, _ := strings.Cut(v, ";")
		as, all, _ := strings.Cut(u, ";")
		return name == as && lacks(some, all)
	}
	return slices.EqualFunc(segments(vPath), segments(uPath), sameButLess) && lacks(vQuery, uQuery)
}

// forms are the forms of syntax in which v and u may differ.
var forms = [...]rule.Rule{{Edit: rule.Syntax{Form: rule.Escapes}}, {Edit: rule.Syntax{Form: rule.Case}}}

// normal returns a URL with its escapes and the case of its path in their normal form.
func normal(url string) string {
	for i := range forms {
		if edited, changed := forms[i].Apply(nil, []byte(url)); changed {
			url = string(edited)
		}
	}
	return url
}

// segments returns the segments of a path that are not empty, without the name of an index.
func segments(path string) []string {
	all := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	if n := len(all); n > 0 && (strings.HasPrefix(all[n-1], "index.") || strings.HasPrefix(all[n-1], "default.")) {
		all = all[:n-1]
	}
	return all
}

// lacks reports whether a list of parameters is another list less some of its parameters.
func lacks(some, all string) bool {
	left := slices.Collect(pieces(all))
	for piece := range pieces(some) {
		at := slices.Index(left, piece)
		if at < 0 {
			return false
		}
		left = left[at+1:]
	}
	return true
}
