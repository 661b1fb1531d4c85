package rule

import (
	"errors"
	"fmt"
	"slices"
)

// Kind is the kind of edit of a rule.
type Kind uint8

// The kinds of rule.
const (
	KindSubstring Kind = iota // From becomes To
	KindDrop                  // parameters are removed
	KindSet                   // Param gets Value
	KindOrder                 // the parameters of the query are sorted by name
	KindSyntax                // a form of syntax is written in its normal way
	KindRewrite               // the parts of URLs of one shape are edited
	KindSegment               // a segment of the path that is a value is cut out
)

// kind is the declaration of a kind, one file each, beside the type of its Edit. How rules are read, checked, written and
// shown follows from it, and so does docs/schema/published-rule.schema.json.
type kind struct {
	name     string                      // of Wire's kind, or of Wire's op
	isOp     bool                        // the name is an op, of rules of the kind "parameter"
	about    string                      // what the edit is, for the schema
	members  []member                    // beside kind, op, scope and except
	either   []string                    // members of which a rule has exactly one
	lacks    string                      // the error of a rule without a needed member
	read     func(w *Wire) (Edit, error) // the members are those of the kind
	hasQuery func(r *Rule) bool          // every URL that the rule changes has a query; nil: not every
	compare  func(a, b Likely) int       // the order of likely rules of equal support
}

// always is the hasQuery of kinds that edit a query.
func always(*Rule) bool { return true }

var kinds = []kind{
	KindSubstring: substringKind,
	KindDrop:      dropKind,
	KindSet:       setKind,
	KindOrder:     orderKind,
	KindSyntax:    syntaxKind,
	KindRewrite:   rewriteKind,
	KindSegment:   segmentKind,
}

// edit applies the edit of a rule to a URL in its scope. The types are named, since a call
// through the interface would move the caller's buffers to the heap.
func (r *Rule) edit(dst, url []byte) (out []byte, changed bool) {
	switch e := r.Edit.(type) {
	case Substring:
		return e.apply(dst, url)
	case Drop:
		return e.apply(dst, url)
	case Set:
		return e.apply(dst, url)
	case Order:
		return e.apply(dst, url)
	case Syntax:
		return e.apply(dst, url)
	case Rewrite:
		return e.apply(dst, url)
	case Segment:
		return e.apply(dst, url)
	}
	return dst, false // the zero Rule
}

// Kinds returns the number of kinds. Kinds are numbered from 0.
func Kinds() int { return len(kinds) }

// String returns the name of the kind: its kind and op in JSON.
func (k Kind) String() string { return kinds[k].name }

// Reverse returns the rule to try when this one is refuted: the other direction of a substring
// rule that makes URLs plainer, without exceptions. ok is false if there is no other
// direction.
func (r *Rule) Reverse() (other Rule, ok bool) {
	return r.Opposite(), r.Kind() == KindSubstring && !r.Grows()
}

// member is a member of a kind of rule in JSON. How it is read and refused, and its
// description in docs/schema, follow from this declaration.
type member struct {
	name    string
	of      func(w *Wire) any // the place of the value: a pointer to a type that isMissing knows
	need    need
	words   []string           // of a word: all that this version knows; a rule with another is unknown
	unknown func(v any) string // of an object: what of it this version does not know, or ""
	about   string             // for people
	schema  string             // the type in JSON Schema, if it is neither a text, a flag nor one of the words
}

// need tells which rules need a member.
type need uint8

const (
	optional  need = iota
	needed         // all rules of the kind
	published      // the rules of published records
)

// isMissing reports whether a Wire has no value at the place of a member.
func isMissing(place any) bool {
	switch place := place.(type) {
	case *string: // a word
		return *place == ""
	case **string: // a text
		return *place == nil
	case **bool:
		return *place == nil
	case *[]string:
		return *place == nil
	case *map[string]string:
		return *place == nil
	case **WirePattern:
		return *place == nil
	case *map[string]WireEdit:
		return *place == nil
	}
	panic(fmt.Sprintf("rule: a member of type %T", place))
}

// members are the members of all kinds, each name once.
var members = func() (all []member) {
	for i := range kinds {
		for _, m := range kinds[i].members {
			if !hasMember(all, m.name) {
				all = append(all, m)
			}
		}
	}
	return all
}()

func hasMember(all []member, name string) bool {
	return slices.ContainsFunc(all, func(m member) bool { return m.name == name })
}

// checkOthers returns an error if a rule has a member of another kind.
func (w *Wire) checkOthers(k *kind) error {
	for i := range members {
		if m := &members[i]; !isMissing(m.of(w)) && !hasMember(k.members, m.name) {
			return w.hasNo(m.name)
		}
	}
	return nil
}

func (w *Wire) hasNo(member string) error {
	return fmt.Errorf("%s has no member %q", w.name(), member)
}

// checkOwn returns an error if a rule has a word that this version does not know, or lacks
// a needed member.
func (w *Wire) checkOwn(k *kind) error {
	lacks := false
	for i := range k.members {
		m := &k.members[i]
		place := m.of(w)
		if word, is := place.(*string); is && *word != "" && m.words != nil && !slices.Contains(m.words, *word) {
			return &UnknownError{fmt.Sprintf("%s %q", m.name, *word)}
		}
		lacks = lacks || m.need == needed && isMissing(place)
	}
	if lacks {
		return errors.New(k.lacks)
	}
	return nil
}

// unknownIn returns what of the member in a record this version does not know, or "".
func (m *member) unknownIn(o object) string {
	switch {
	case m.unknown != nil:
		return m.unknown(o[m.name])
	case m.words != nil:
		return unknownWord(o, m.name, m.words...)
	}
	return ""
}
