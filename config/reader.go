package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"go.yaml.in/yaml/v4"
)

// Error is a mistake in a configuration. Load may return several, joined.
type Error struct {
	File string // or "environment"
	Line int    // 0: the whole file
	Err  error
}

// Error names the place.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("read %s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("read %s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// reader walks through a file's nodes and notes mistakes.
type reader struct {
	file string
	env  map[string]string
	errs []error
}

// place is a node and the path to it.
type place struct {
	key  string // with dots and [numbers]
	name string // its last part
	line int
	node *yaml.Node
}

func at(key, name string, line int, n *yaml.Node) place {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return place{key, name, line, n}
}

// fail notes a mistake; what is the rest of a sentence that begins with the key.
func (r *reader) fail(p place, what string) {
	r.errs = append(r.errs, &Error{r.file, p.line, errors.New(cmp.Or(p.key, "the file") + what)})
}

func (r *reader) failIf(p place, what string) {
	if what != "" {
		r.fail(p, what)
	}
}

func (r *reader) unknown(p place, known []string) {
	if near := Nearest(p.name, known); near != "" {
		r.fail(p, fmt.Sprintf(" is not a key; meant %s?", near))
		return
	}
	r.fail(p, " is not a key; known here: "+strings.Join(known, ", "))
}

// mapping visits the values of a mapping in the order of the file.
func (r *reader) mapping(p place, want string, visit func(place)) {
	if isNull(p.node) { // a heading, all below which is a comment
		return
	}
	if p.node.Kind != yaml.MappingNode {
		r.fail(p, fmt.Sprintf(" must be %s, got %s", want, describe(p.node)))
		return
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(p.node.Content); i += 2 {
		k, v := p.node.Content[i], p.node.Content[i+1]
		child := at(strings.TrimPrefix(p.key+"."+k.Value, "."), k.Value, k.Line, v)
		switch first := lines[k.Value]; {
		case k.Kind != yaml.ScalarNode:
			r.fail(place{key: p.key, line: k.Line}, fmt.Sprintf(" has %s for a key", describe(k)))
		case first != 0:
			r.fail(child, fmt.Sprintf(" is given twice, first in line %d", first))
		default:
			lines[k.Value] = k.Line
			visit(child)
		}
	}
}

func (r *reader) sequence(p place, want string, visit func(place)) {
	if isNull(p.node) {
		return
	}
	if p.node.Kind != yaml.SequenceNode {
		r.fail(p, fmt.Sprintf(" must be %s, got %s", want, describe(p.node)))
		return
	}
	for i, n := range p.node.Content {
		visit(at(fmt.Sprintf("%s[%d]", p.key, i), "", n.Line, n))
	}
}

// texts reads a list of texts; wrong returns the mistake in a text.
func (r *reader) texts(p place, wrong func(string) string) (all []string) {
	r.sequence(p, "a list of texts", func(p place) {
		s, ok := r.text(p, "a text")
		if ok && wrong != nil {
			r.failIf(p, wrong(s))
		}
		all = append(all, s)
	})
	return all
}

var scalarTags = []string{"!!str", "!!int", "!!float", "!!bool", "!!timestamp", "!!merge"}

// text reads a scalar, with its variables expanded. The scalar's type in YAML does not
// matter: a variable's value has none.
func (r *reader) text(p place, want string) (string, bool) {
	if p.node.Kind != yaml.ScalarNode || !slices.Contains(scalarTags, p.node.ShortTag()) {
		r.fail(p, fmt.Sprintf(" must be %s, got %s", want, describe(p.node)))
		return "", false
	}
	s, err := expand(p.node.Value, r.env)
	if err == nil && !utf8.ValidString(s) {
		err = errors.New(" must be UTF-8 text")
	}
	if err != nil {
		r.fail(p, err.Error())
		return "", false
	}
	return s, true
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// describe describes a node to a user who expected another value.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case isNull(n):
		return "nothing"
	case n.Kind == yaml.ScalarNode && !slices.Contains(scalarTags, n.ShortTag()):
		return "a value tagged " + n.ShortTag()
	}
	if utf8.RuneCountInString(n.Value) > mostShown {
		return fmt.Sprintf("%.*q…", mostShown, n.Value)
	}
	return fmt.Sprintf("%q", n.Value)
}

// mostShown is the number of characters of a value that an error shows. A log that is taken for
// a configuration is one long value.
const mostShown = 60

// Nearest returns the name closest to a misspelled word; "": none.
func Nearest(word string, names []string) string {
	best, least := "", min(2, len(word)/2)+1 // edits
	for _, name := range names {
		if d := levenshtein.ComputeDistance(word, name); d < least {
			best, least = name, d
		}
	}
	return best
}
