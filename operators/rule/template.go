package rule

import (
	"cmp"
	"encoding/binary"
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
	// A byte with the number of the segments, a byte with the number of all keys, a record of
	// recordBytes for each key, and the texts of the keys. So a Template can be compared, and a
	// key is read without a search. The segments come first, in order, then the parameters in
	// the order of their names, and last a parameter that the URL lacks.
	text string
}

// Key is a key of a template.
type Key struct {
	Name   string
	Value  string // that the URL has
	Any    bool   // in place of Value: the URL has the key with any value; a parameter may be bare
	Absent bool   // the URL lacks the parameter, and Edit adds it as the last
	Edit   KeyEdit
	To     string // of SetKey: the new value; of CopyKey: the name of the key with the value
}

// KeyEdit is the edit of a key.
type KeyEdit uint8

// The edits of a key.
const (
	KeepKey KeyEdit = iota
	DropKey         // the segment or the parameter is removed
	SetKey          // the key gets a value
	CopyKey         // the key gets the value of another key
)

// MaxKeys is the greatest number of keys that the URLs of a template have.
const MaxKeys = 64

// A record of a key is the place of its texts, the lengths of name, value and To, its edit, flags, and the
// place of the key that CopyKey copies, in bytes.
const (
	atLengths   = 4
	atEdit      = atLengths + 3*2
	atFlags     = atEdit + 1
	atSource    = atFlags + 1
	recordBytes = atSource + 1

	flagAny, flagAbsent = 1, 2
)

// anyValue stands for any value in JSON and in words.
const anyValue = "*"

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
	for i := range keys {
		k := &keys[i]
		if err := k.validate(); err != nil {
			return t, fmt.Errorf("key %q: %w", k.Name, err)
		}
		if source := placeOf(keys, k.To); k.Edit == CopyKey && (source < 0 || keys[source].Absent) {
			return t, fmt.Errorf("key %q: there is no key %q to copy", k.Name, k.To)
		}
	}
	return Template{textOf(keys)}, nil
}

func placeOf(keys []Key, name string) int {
	return slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
}

// textOf writes the keys of a template.
func textOf(keys []Key) string {
	segments := 0
	var records, texts []byte
	start := 2 + recordBytes*len(keys)
	for i := range keys {
		k := &keys[i]
		if k.IsSegment() {
			segments++
		}
		var flags byte
		if k.Any {
			flags |= flagAny
		}
		if k.Absent {
			flags |= flagAbsent
		}
		records = binary.LittleEndian.AppendUint32(records, uint32(start+len(texts)))
		for _, text := range [...]string{k.Name, k.Value, k.To} {
			records = binary.LittleEndian.AppendUint16(records, uint16(len(text)))
			texts = append(texts, text...)
		}
		records = append(records, byte(k.Edit), flags, byte(max(0, placeOf(keys, k.To))))
	}
	return string(slices.Concat([]byte{byte(segments), byte(len(keys))}, records, texts))
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
		for place := range t.len() {
			if !yield(t.at(place)) {
				return
			}
		}
	}
}

// segments returns the number of segments.
func (t *Template) segments() int { return int(t.text[0]) }

// len returns the number of keys. The zero Template has none.
func (t *Template) len() int {
	if t.text == "" {
		return 0
	}
	return int(t.text[1])
}

// at returns the key at a place. No allocation.
func (t *Template) at(place int) (k Key) {
	r := t.text[2+recordBytes*place:]
	from := int(r[0]) | int(r[1])<<8 | int(r[2])<<16 | int(r[3])<<24
	next := func(at int) string {
		n := int(r[at]) | int(r[at+1])<<8
		text := t.text[from : from+n]
		from += n
		return text
	}
	k.Name, k.Value, k.To = next(atLengths), next(atLengths+2), next(atLengths+4)
	k.Edit, k.Any, k.Absent = KeyEdit(r[atEdit]), r[atFlags]&flagAny != 0, r[atFlags]&flagAbsent != 0
	return k
}

// source returns the place of the key that the key at a place copies.
func (t *Template) source(place int) int { return int(t.text[2+recordBytes*place+atSource]) }

// find returns the place of a parameter, or -1. No allocation.
func (t *Template) find(name []byte) int {
	for place := t.segments(); place < t.len(); place++ {
		if k := t.at(place); k.Name == string(name) {
			return place
		}
	}
	return -1
}

// compare orders templates by their keys: by name, then by what the URL has (nothing, any value, a value), then
// by the edit (none, drop, copy, set).
func (t Template) compare(u Template) int {
	return slices.CompareFunc(slices.Collect(t.Keys()), slices.Collect(u.Keys()), func(a, b Key) int { return strings.Compare(a.line(), b.line()) })
}

// line returns a key as a text, for the order of templates.
func (k *Key) line() string {
	has := "=" + k.Value
	switch {
	case k.Absent:
		has = ""
	case k.Any:
		has = anyValue
	}
	return k.Name + " " + has + " " + [...]string{KeepKey: "", DropKey: "-", SetKey: "=", CopyKey: "<"}[k.Edit] + k.To
}

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
	for place := range t.len() {
		k := t.at(place)
		if k.Edit == CopyKey {
			source := t.at(t.source(place))
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

// KeysOf appends the keys of a URL with their values, in the order of [Template.Keys]: the
// segments of the path, then the parameters by name. A bare parameter has no value, and is
// marked by Any. ok is false if no template fits the URL. The names and values share the
// URL's memory. O(bytes + keys · log keys).
func KeysOf(keys []Key, url string) (all []Key, ok bool) {
	path, query, hasQuery := strings.Cut(url, "?")
	_, path, ok = strings.Cut(path, "/")
	if !ok {
		return keys, false
	}
	begin, separator := len(keys), byte(0)
	for segments := true; segments; {
		var value string
		value, path, segments = strings.Cut(path, "/")
		keys = append(keys, Key{Name: segmentName(len(keys) - begin), Value: value})
	}
	first := len(keys)
	for more := hasQuery; more; {
		piece := query
		if at := separatorOf(query); at >= 0 {
			if separator != 0 && separator != query[at] {
				return keys[:begin], false
			}
			separator = query[at]
			piece, query = query[:at], query[at+1:]
		} else {
			more = false
		}
		name, value, valued := strings.Cut(piece, "=")
		if name == "" || name[0] == '/' {
			return keys[:begin], false
		}
		keys = append(keys, Key{Name: name, Value: value, Any: !valued})
	}
	params := keys[first:]
	if !slices.IsSortedFunc(params, compareNames) {
		slices.SortFunc(params, compareNames)
	}
	for i := 1; i < len(params); i++ {
		if params[i].Name == params[i-1].Name {
			return keys[:begin], false
		}
	}
	if len(keys)-begin > MaxKeys {
		return keys[:begin], false
	}
	return keys, true
}

func compareNames(a, b Key) int { return strings.Compare(a.Name, b.Name) }

// separatorOf returns the place of the first separator of a query, or -1.
func separatorOf(query string) int {
	for at := range len(query) {
		if query[at] == '&' || query[at] == ';' {
			return at
		}
	}
	return -1
}

var segmentNames = func() (names [MaxKeys]string) {
	for i := range names {
		names[i] = "/" + strconv.Itoa(i)
	}
	return names
}()

// segmentName returns the name of a segment. The segments beyond MaxKeys share a name.
func segmentName(n int) string { return segmentNames[min(n, MaxKeys-1)] }
