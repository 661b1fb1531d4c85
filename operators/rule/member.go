package rule

import (
	"errors"
	"fmt"
	"slices"
)

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
