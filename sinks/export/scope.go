package export

import (
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// notLong looks ahead from the start of a mined string, and matches at most rule.MaxBytes.
const notLong = `(?![^#]{2049})`

// urlHead returns the expression for the part of a URL before a mined string. The
// expression matches no URL of another site.
func urlHead(s *Site) string {
	const hostEnd = `(?![^/\x3F#])`
	if len(s.Hosts) == 0 {
		return `https?\x3A//` + literal(s.Host) + hostEnd + notLong
	}
	var hosts []string
	for _, h := range s.Hosts {
		if name, below := strings.CutPrefix(h, "*."); below {
			hosts = append(hosts, `[^/\x3F#@]*\x2E`+literal(name))
		} else {
			hosts = append(hosts, literal(h))
		}
	}
	return `https?\x3A//(?=(?:` + strings.Join(hosts, "|") + `)(?:\x3A[0-9]+)?` + hostEnd + `)` + notLong
}

// scoped returns a head extended by a rule's scope and exceptions.
func scoped(head string, r *rule.Rule) string {
	head += within(r, &r.Scope)
	for _, s := range r.Except.Scopes() {
		head += `(?!` + within(r, &s) + `)`
	}
	for _, url := range r.Except.URLs() {
		head += `(?!` + literal(url) + end + `)`
	}
	return head
}

// within looks ahead from the start of a mined string, and matches in a scope as it is tested for a
// rule.
func within(r *rule.Rule, s *rule.Scope) (e string) {
	for _, m := range members(r, s) {
		e += `(?=` + m + `)`
	}
	return e
}

// members returns the expressions of a scope's members, from the start of a mined string.
func members(r *rule.Rule, s *rule.Scope) (all []string) {
	if s.Prefix != "" {
		all = append(all, literal(s.Prefix))
	}
	if s.HasPath {
		all = append(all, pathOf(s.Path, r)+pathEnd)
	}
	for i := range s.Where {
		if c := &s.Where[i]; c.Param != "" {
			all = append(all, holding(unsought(r, c)+parameter(c)))
		}
	}
	return all
}

// pathOf returns the expression of a path, perhaps with a wildcard, as a rule would leave it.
func pathOf(path string, r *rule.Rule) string {
	before, after, wild := strings.Cut(path, "/*/")
	if !wild {
		return leftAs(path, r)
	}
	return leftAs(before+"/", r) + unlessCut(r) + `[^/\x3F#]+` + leftAs("/"+after, r)
}

// leftAs returns the expression of the texts that a rule would leave as the given path.
// Parameters that the rule drops stand before a slash, before another parameter, and at the
// end.
func leftAs(path string, r *rule.Rule) string {
	if !r.Params().InPath {
		return literal(path)
	}
	dropped := `(?:` + cutPiece(r) + `)*`
	var b strings.Builder
	for i := range len(path) {
		switch {
		case i > 0 && path[i] == '/':
			b.WriteString(dropped)
		case path[i] == ';':
			b.WriteString(dropped + unlessCut(r))
		}
		b.WriteString(literal(path[i : i+1]))
	}
	return b.String() + dropped
}

// unlessCut looks ahead, and matches unless a parameter that the rule drops from the path
// follows.
func unlessCut(r *rule.Rule) string {
	if !r.Params().InPath {
		return ""
	}
	return `(?!` + cutPiece(r) + `)`
}

// parameter returns the expression of the beginning of a piece that meets a condition.
func parameter(c *rule.Condition) string {
	switch {
	case c.HasValue:
		return literal(c.Param) + `=` + literal(c.Value) + pieceEnd
	case c.Valued || c.Own:
		return literal(c.Param) + `=` + literal(c.Begins)
	}
	return literal(c.Param) + ended
}

// unsought passes over the pieces that the rule drops or sets, if they could meet a
// condition.
func unsought(r *rule.Rule, c *rule.Condition) string {
	if r.Params().InPath || !r.EditsParams() || c.Own {
		return ""
	}
	if r.Params().Pattern.Class != 0 || slices.Contains(names(r), c.Param) {
		return `(?!` + sought(r) + `)`
	}
	return ""
}

// has looks ahead from the start of a mined string for a piece with the given beginning.
func has(piece string) string { return `(?=` + holding(piece) + `)` }

// holding is the expression from the start of a mined string to the given beginning of a piece.
func holding(piece string) string { return path + mark + `(?:[^#]*` + sep + `)?` + piece }
