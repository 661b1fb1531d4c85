package export

import (
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// expressions are a rule in the words of engines of three kinds.
type expressions struct {
	// step is for an engine with one match: the first edit that matches counts, and to make the
	// later edits as well does no harm. If left is set, a step edits one place of the URL, or if
	// atOnce, up to Places. Behind the first step, the last edit alone is enough.
	step   []edit
	atOnce bool

	// left matches URLs that the steps so far should have edited: the text to edit stands in too
	// many places. "": one step edits all of any URL.
	left string

	grows bool // an edit may make the URL longer

	steps int // how often step is written

	// tiled is for an engine that replaces all matches, one after the other, and knows \G.
	tiled edit

	// removed is for an engine that deletes all matches in the original URL, and looks behind
	// without bound. "" if the rule does not only delete.
	removed string
}

// express returns the expressions of a valid rule, behind the expression of the text before a
// mined string. If there are none, express returns the reason. A kind that is not named here is
// refused by all formats.
func express(head string, r *rule.Rule) (e expressions, reason string) {
	head = scoped(head, r)
	switch r.Kind() {
	case rule.KindSubstring:
		return substring(head, r), ""
	case rule.KindDrop:
		return drop(head, r), ""
	case rule.KindSet:
		return set(head, r), ""
	case rule.KindSyntax:
		return cutSyntax(head, r)
	case rule.KindRewrite:
		return rewrite(head, r.Rewrite().Template)
	case rule.KindSegment:
		return cutSegment(head, r), ""
	case rule.KindOrder:
		return e, "it cannot sort parameters"
	}
	return e, "it has no rules of kind " + r.Kind().String()
}

// givesUp returns the expressions of URLs that servers claim no canonical form for: those that the
// steps should have edited further, and those that the steps made too long.
func (e *expressions) givesUp() (patterns []string) {
	if e.left != "" {
		patterns = append(patterns, e.left)
	}
	if e.grows {
		patterns = append(patterns, tooLong)
	}
	return patterns
}

// grows reports whether an edit of a rule may make a URL longer.
func grows(r *rule.Rule) bool {
	switch r.Kind() {
	case rule.KindSubstring, rule.KindSegment:
		return len(r.Sides().To) > len(r.Sides().From)
	case rule.KindSet, rule.KindRewrite:
		return true
	}
	return false
}

// expressions returns the expressions of a site's rules, as often as they are written.
func (s *site) expressions(head string) (all []expressions) {
	var round []expressions
	for i := range s.rules {
		e, _ := express(head, &s.rules[i])
		e.grows = grows(&s.rules[i])
		if e.steps = 1; e.left != "" && !e.atOnce {
			e.steps = s.places[i]
		}
		round = append(round, e)
	}
	for _, ranks := range s.rounds {
		for _, rank := range ranks {
			all = append(all, round[rank])
		}
	}
	return all
}

func (e *expressions) all() [][]edit {
	return append([][]edit{e.step}, slices.Repeat([][]edit{e.step[len(e.step)-1:]}, e.steps-1)...)
}

// inOrder returns the edits of all steps, one after the other, for an engine that makes them all.
func (e *expressions) inOrder() []edit { return slices.Concat(e.all()...) }

// edit is one step: if the pattern matches, the match is replaced by to. All capturing groups of
// the pattern are written "(", and nothing else is, so groups can be counted and named.
type edit struct {
	pattern string
	to      []part
}

// part is a piece of a replacement: a captured group, or a text.
type part struct {
	group int // from 1; 0: the text
	text  string
}

func groups(n int) (to []part) {
	for g := range n {
		to = append(to, part{group: g + 1})
	}
	return to
}

func groupsIn(pattern string) int {
	return strings.Count(pattern, "(") - strings.Count(pattern, "(?")
}

// render writes a replacement: groups in a format, texts as quoted.
func render(to []part, group string, quoted func(string) string) string {
	var b strings.Builder
	for _, p := range to {
		if p.group > 0 {
			fmt.Fprintf(&b, group, p.group)
		} else {
			b.WriteString(quoted(p.text))
		}
	}
	return b.String()
}

func backslashed(s string, needs func(c byte) bool) string {
	var b strings.Builder
	for i := range len(s) {
		if needs(s[i]) {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
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
