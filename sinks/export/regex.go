package export

import (
	"fmt"
	"iter"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// Parts of expressions. All capturing groups are written "(", and nothing else is, so
// groups can be counted and named.
const (
	path   = `[^\x3F#]*`      // before the first ?
	mark   = `\x3F`           // the ?
	sep    = `[\x26;]`        // between the pieces of a query
	inside = `[^\x26;#]*`     // of a piece
	end    = `(?![^#])`       // of the mined string; $ would also match before a newline
	ended  = `(?![^=\x26;#])` // the end of a parameter's name

	pieceEnd = `(?![^\x26;#])` // the end of a piece
	pathEnd  = `(?![^\x3F#])`  // the end of the path

	inPathInside = `[^;/\x3F#]*`     // of a piece of a path segment
	inPathEnded  = `(?![^=;/\x3F#])` // the end of its name
	inPathEnd    = `(?![^;/\x3F#])`  // the end of the piece
)

// edit is one step: if the pattern matches, the match is replaced by to.
type edit struct {
	pattern string
	to      []part
}

// part is a piece of a replacement: a captured group, or a text.
type part struct {
	group int // from 1; 0: the text
	text  string
}

// literal is the expression of a text. Only letters and digits stand for
// themselves, and nothing needs to be quoted.
func literal(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if dust.IsAlnum(s[i]) {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, `\x%02X`, s[i])
		}
	}
	return b.String()
}

// urlHead returns the expression for the part of a URL before a mined string. The
// expression matches no URL of another site.
func urlHead(s *Site) string {
	const hostEnd = `(?![^/\x3F#])`
	if len(s.Hosts) == 0 {
		return `https?\x3A//` + literal(s.Host) + hostEnd
	}
	var hosts []string
	for _, h := range s.Hosts {
		if name, below := strings.CutPrefix(h, "*."); below {
			hosts = append(hosts, `[^/\x3F#@]*\x2E`+literal(name))
		} else {
			hosts = append(hosts, literal(h))
		}
	}
	return `https?\x3A//(?=(?:` + strings.Join(hosts, "|") + `)(?:\x3A[0-9]+)?` + hostEnd + `)`
}

// serverHead stands before a mined string in a server. serverHead refuses the empty string,
// which claims no canonical form.
const serverHead = `(?=.)`

// sought returns the expression of the beginning of a piece that the rule drops or sets.
func sought(r *rule.Rule) string {
	ended, pieceEnd := ended, pieceEnd
	if r.InPath {
		ended, pieceEnd = inPathEnded, inPathEnd
	}
	switch {
	case r.Pattern.Class == rule.Digits:
		return literal(r.Pattern.Prefix) + `[0-9]{4,}` + ended
	case r.Pattern.Class == rule.Hex:
		return literal(r.Pattern.Prefix) + `(?:(?=[a-f]*[0-9])[0-9a-f]{8,}|(?=[A-F]*[0-9])[0-9A-F]{8,})` + ended
	case r.HasValue:
		return literal(r.Param) + `=` + literal(r.Value) + pieceEnd
	case r.Other != "":
		return `(?:` + literal(r.Param) + `|` + literal(r.Other) + `)` + ended
	}
	return literal(r.Param) + ended
}

// found returns the expression for the text replaced by a substring rule.
func found(r *rule.Rule) string {
	e := literal(r.From)
	if !r.AtStart {
		e = begins(r.From) + e
	}
	if r.AtEnd {
		return e + end
	}
	return e + stops(r.From)
}

// unmade looks at the text that a rule would replace, and matches unless the text is part
// of the rule's result already.
func unmade(r *rule.Rule) string {
	var b strings.Builder
	for k := range made(r) {
		b.WriteString(`(?!`)
		if k > 0 {
			b.WriteString(`(?<=` + begins(r.To) + literal(r.To[:k]) + `)`)
		}
		b.WriteString(literal(r.To[k:]) + stops(r.To) + `)`)
	}
	return b.String()
}

// made yields the places in To at which From may occur: at its ends, if so anchored.
func made(r *rule.Rule) iter.Seq[int] {
	return func(yield func(int) bool) {
		last := len(r.To) - len(r.From)
		for k := 0; k <= last; k++ {
			fits := (k == 0 || !r.AtStart && r.From != "") && (k == last || !r.AtEnd)
			if r.AtEnd && r.From == "" {
				fits = k == last
			}
			if fits && strings.HasPrefix(r.To[k:], r.From) && !yield(k) {
				return
			}
		}
	}
}

// before returns the expression for the text before the replaced occurrence. An occurrence
// at the start is passed over if the edit would remove the path's first slash.
func before(r *rule.Rule) string {
	const first, later = ``, `[^#]*?`
	slashed := strings.HasPrefix(r.To, "/")
	switch {
	case r.From == "" && !r.AtEnd && !slashed:
		return `(?!/)`
	case r.From == "" && !r.AtEnd:
		return first
	case strings.HasPrefix(r.From, "/") && !slashed:
		start := `(?!)`
		if r.To == "" {
			start = `(?=` + literal(r.From) + `/)`
		}
		if r.AtStart {
			return start
		}
		return `(?:` + start + `|[^#]+?)`
	case r.AtStart:
		return first
	}
	return later
}

// substring returns the edit of a substring rule, by one match of the whole URL.
func substring(head string, r *rule.Rule) edit {
	return edit{
		`^(` + scoped(head, r) + before(r) + `)` + unmade(r) + found(r) + `(.*)`,
		[]part{{group: 1}, {text: r.To}, {group: 2}},
	}
}

// dropped and kept are the two classes of pieces of a query.
func dropped(r *rule.Rule) string { return sought(r) + inside }
func kept(r *rule.Rule) string    { return `(?!` + sought(r) + `)` + inside }
