package rule

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Template is the shape of the URLs that a Rewrite rule edits, with the edit of each part.
// A part is a key: "/0", "/1" and so on are the segments of the path, and other keys are
// the parameters of the query. The zero Template is none. A Template is immutable.
// Templates with equal keys are equal (==).
type Template struct {
	// One key a line, each with two members after a blank: what the URL has, and the
	// edit. No text of a rule holds a blank or the end of a line. The segments come
	// first, in order, then the parameters in the order of their names, and last a
	// parameter that the URL lacks.
	lines string
}

// Key is a key of a template.
type Key struct {
	Name   string
	Value  string // that the URL has
	Any    bool   // in place of Value: the URL has the key with any value; a parameter may be bare
	Absent bool   // the URL lacks the parameter, and Edit adds it as the last
	Edit   Edit
	To     string // of SetKey: the new value; of CopyKey: the name of the key with the value
}

// Edit is the edit of a key.
type Edit uint8

// The edits of a key.
const (
	KeepKey Edit = iota
	DropKey      // the segment or the parameter is removed
	SetKey       // the key gets a value
	CopyKey      // the key gets the value of another key
)

// MaxKeys is the greatest number of keys that the URLs of a template have.
const MaxKeys = 64

// The signs before the members of a key's line.
const (
	anyValue  = "*" // the whole member
	lineEqual = '=' // a value that the URL has, or a new value
	lineDrop  = "-" // the whole member
	lineCopy  = '<'
)

// IsSegment reports whether the key is a segment of the path.
func (k *Key) IsSegment() bool { return strings.HasPrefix(k.Name, "/") }

// place returns the number of a segment, or false if the name is not one.
func (k *Key) place() (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(k.Name, "/"))
	return n, err == nil && n >= 0 && k.Name == "/"+strconv.Itoa(n)
}

// NewTemplate returns the template of keys in any order. An error names the key that is
// not valid.
func NewTemplate(keys []Key) (t Template, err error) {
	keys = slices.SortedFunc(slices.Values(keys), compareKeys)
	if err := validateKeys(keys); err != nil {
		return t, err
	}
	lines := make([]string, len(keys))
	for i := range keys {
		if err := keys[i].validate(); err != nil {
			return t, fmt.Errorf("key %q: %w", keys[i].Name, err)
		}
		lines[i] = keys[i].line()
	}
	t.lines = strings.Join(lines, "\n")
	for k := range t.Keys() {
		_, source := findLine(t.lines, k.To)
		if k.Edit == CopyKey && (source == "" || keyOf(source).Absent) {
			return Template{}, fmt.Errorf("key %q: there is no key %q to copy", k.Name, k.To)
		}
	}
	return t, nil
}

func compareKeys(a, b Key) int {
	rank := func(k *Key) int {
		n, ok := k.place()
		switch {
		case k.Absent:
			return 1 << 30
		case ok:
			return min(n, 1<<20)
		}
		return 1 << 29
	}
	return cmp.Or(cmp.Compare(rank(&a), rank(&b)), strings.Compare(a.Name, b.Name))
}

// validateKeys checks sorted keys as a set.
func validateKeys(keys []Key) error {
	present, edits := 0, 0
	for i := range keys {
		k := &keys[i]
		n, isPlace := k.place()
		switch {
		case k.IsSegment() && (!isPlace || n != i || k.Absent):
			return fmt.Errorf("key %q is not the next segment of the path", k.Name)
		case slices.ContainsFunc(keys[:i], func(other Key) bool { return other.Name == k.Name }):
			return fmt.Errorf("key %q stands twice", k.Name)
		}
		if !k.Absent {
			present++
		}
		if k.Edit != KeepKey {
			edits++
		}
	}
	switch {
	case len(keys) == 0 || !keys[0].IsSegment():
		return errors.New("a template needs the key /0")
	case present > MaxKeys || len(keys) > present+1:
		return fmt.Errorf("%d keys and %d absent parameters, at most %d and 1", present, len(keys)-present, MaxKeys)
	case edits == 0:
		return errors.New("a template without an edit")
	}
	return nil
}

func (k *Key) validate() error {
	for _, text := range [...]string{k.Name, k.Value, k.To} {
		if err := validateText(text); err != nil {
			return err
		}
	}
	switch {
	case k.Name == "":
		return errors.New("it has no name")
	case k.Any && k.Value != "" || k.Absent && (k.Any || k.Value != ""):
		return fmt.Errorf("it has the value %q and another", k.Value)
	case k.Value == anyValue:
		return errors.New("the value * stands for any value")
	case k.Absent && k.Edit != SetKey && k.Edit != CopyKey:
		return errors.New("an absent parameter is neither set nor copied")
	case k.Edit > CopyKey || k.Edit < SetKey && k.To != "":
		return errors.New("its edit is unknown, or has a value")
	case k.Edit == CopyKey:
		return k.validateValue(k.Value)
	}
	return cmp.Or(k.validateValue(k.Value), k.validateValue(k.To))
}

func (k *Key) validateValue(value string) error {
	if !k.IsSegment() {
		return validatePiece(k.Name, value, false)
	}
	if strings.ContainsAny(value, "/?") {
		return fmt.Errorf("value %q is not one segment", value)
	}
	return nil
}

// Keys yields the keys in order: the segments, the parameters by name, and last an absent
// parameter.
func (t Template) Keys() iter.Seq[Key] {
	return func(yield func(Key) bool) {
		for line := range linesOf(t.lines) {
			if !yield(keyOf(line)) {
				return
			}
		}
	}
}

func (k *Key) line() string {
	has, edit := string(lineEqual)+k.Value, ""
	switch {
	case k.Absent:
		has = ""
	case k.Any:
		has = anyValue
	}
	switch k.Edit {
	case DropKey:
		edit = lineDrop
	case SetKey:
		edit = string(lineEqual) + k.To
	case CopyKey:
		edit = string(lineCopy) + k.To
	}
	return k.Name + " " + has + " " + edit
}

// keyOf is the inverse of line.
func keyOf(line string) (k Key) {
	name, rest, _ := strings.Cut(line, " ")
	has, edit, _ := strings.Cut(rest, " ")
	k.Name = name
	switch has {
	case "":
		k.Absent = true
	case anyValue:
		k.Any = true
	default:
		k.Value = has[1:]
	}
	switch {
	case edit == "":
	case edit == lineDrop:
		k.Edit = DropKey
	case edit[0] == lineEqual:
		k.Edit, k.To = SetKey, edit[1:]
	default:
		k.Edit, k.To = CopyKey, edit[1:]
	}
	return k
}

// findLine returns the place and the line of a key, or no line. No allocation.
func findLine[S ~string | ~[]byte](lines string, name S) (place int, line string) {
	for line := range linesOf(lines) {
		if len(line) > len(name) && line[len(name)] == ' ' && line[:len(name)] == string(name) {
			return place, line
		}
		place++
	}
	return place, ""
}

// at returns the key at a place. No allocation.
func (t *Template) at(place int) Key {
	for line := range linesOf(t.lines) {
		if place == 0 {
			return keyOf(line)
		}
		place--
	}
	return Key{}
}

func (t *Template) last() Key { return keyOf(t.lines[strings.LastIndexByte(t.lines, '\n')+1:]) }

// String returns the shape before and after the edit, with * for any value. A value that is
// copied stands as <name>, the name of its parameter or the number of its segment, counted from
// 1. So does any segment that is kept if another is dropped.
func (t Template) String() string {
	var before, after shape
	named := t.named()
	for k := range t.Keys() {
		if !k.Absent {
			before.add(&k, named[k.Name])
		}
		switch k.Edit {
		case KeepKey:
			after.add(&k, named[k.Name])
		case SetKey:
			after.add(&k, k.To)
		case CopyKey:
			after.add(&k, named[k.To])
		}
	}
	return before.String() + " as " + after.String()
}

// named returns the values of the keys as they are shown.
func (t Template) named() map[string]string {
	values, dropped := map[string]string{}, false
	name := func(k *Key) {
		if n, isPlace := k.place(); k.Any && isPlace {
			values[k.Name] = fmt.Sprintf("<%d>", n+1)
		} else if k.Any {
			values[k.Name] = "<" + k.Name + ">"
		}
	}
	for k := range t.Keys() {
		values[k.Name] = k.Value
		if k.Any {
			values[k.Name] = anyValue
		}
		dropped = dropped || k.IsSegment() && k.Any && k.Edit == DropKey
	}
	for k := range t.Keys() {
		if k.Edit == CopyKey {
			_, line := findLine(t.lines, k.To)
			source := keyOf(line)
			name(&source)
		}
		if dropped && k.IsSegment() && k.Edit == KeepKey {
			name(&k)
		}
	}
	return values
}

// shape is a URL, part by part.
type shape struct{ path, query string }

func (s *shape) add(k *Key, value string) {
	switch {
	case k.IsSegment():
		s.path += "/" + value
	case s.query == "":
		s.query = "?" + k.Name + "=" + value
	default:
		s.query += "&" + k.Name + "=" + value
	}
}

func (s *shape) String() string { return cmp.Or(s.path, "/") + s.query }

// texts returns the texts of the key that come from URLs. The value of a segment has no name.
func (k *Key) texts() []fromURL {
	name := k.Name
	if k.IsSegment() {
		name = ""
	}
	if k.Edit == SetKey {
		return []fromURL{{name, k.Value}, {name, k.To}}
	}
	return []fromURL{{name, k.Value}}
}
