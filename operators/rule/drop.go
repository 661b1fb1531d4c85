package rule

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Drop removes parameters from the query, or from the segments of the path: those of one
// to MaxNames names, of one name with a value, or of a pattern of names.
type Drop struct {
	Param    string
	Other    string // further names in byte order, with ';' between them: see DropOf; "": none
	Value    string // only the pieces Param=Value, if HasValue; an empty value counts too
	HasValue bool
	Pattern  Pattern // in place of the names
	InPath   bool    // the parameters of path segments, after a ';'
}

// MaxNames is the greatest number of names of a Drop.
const MaxNames = 6

// DropOf returns the drop of one or several names, which stand in byte order.
func DropOf(names ...string) Drop { return Drop{Param: names[0], Other: strings.Join(names[1:], ";")} }

// Names yields the names of a drop in byte order. A pattern has none. Nothing is allocated.
func (d *Drop) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		name, others := d.Param, d.Other
		for name != "" && yield(name) {
			name, others, _ = strings.Cut(others, ";")
		}
	}
}

var dropKind = kind{
	name:  "drop",
	isOp:  true,
	about: "Every parameter that the rule names is removed with the separator after it (the last with the one before it), and a query that becomes empty loses its question mark. In path segments, where what follows the first semicolon is split at semicolons, with the semicolon before it.",
	members: []member{
		op,
		{name: "params", of: func(w *Wire) any { return &w.Params }, about: "One to six names in byte order, of which a URL needs one.",
			schema: `"type": "array", "items": { "type": "string", "minLength": 1 }, "minItems": 1, "maxItems": 6`},
		{name: "value", of: func(w *Wire) any { return &w.Value }, about: "Only the pieces name=value, of the one name."},
		{name: "pattern", of: func(w *Wire) any { return &w.Pattern }, unknown: unknownInPattern, about: "The names that are the prefix and then only characters of the class.",
			schema: `"type": "object",
          "required": ["prefix", "class"],
          "additionalProperties": false,
          "properties": {
            "prefix": { "type": "string" },
            "class": { "description": "digits: at least 4. hex: at least 8 of 0-9a-f, or of 0-9A-F, at least one of them a digit.", "enum": ["digits", "hex"] }
          }`},
		{name: "in", of: func(w *Wire) any { return &w.In }, words: []string{"query", "path"}, about: "Where the parameters stand: in the query, or in the segments of the path."},
	},
	either:   []string{"params", "pattern"},
	read:     (*Wire).readDrop,
	hasQuery: always,
	compare:  func(a, b Likely) int { return CompareParams(&a.Rule, &b.Rule) },
}

// parameter is the kind in JSON of the kinds that are ops.
const parameter = "parameter"

// op is the member with the name of such a kind.
var op = member{name: "op", of: func(w *Wire) any { return &w.Op }, need: needed}

// WireParameter is the members of rules of parameters in JSON.
type WireParameter struct {
	Op      string       `json:"op,omitempty"`     // "drop", "set" or "order"
	Params  []string     `json:"params,omitempty"` // one to MaxNames names
	Pattern *WirePattern `json:"pattern,omitempty"`
	Value   *string      `json:"value,omitempty"` // of drop
	To      *string      `json:"to,omitempty"`    // of set: the new value; of segment
	In      string       `json:"in,omitempty"`    // of drop: "path", or "query"
}

func (Drop) kind() Kind { return KindDrop }

func (d Drop) texts() (all [mostTexts]fromURL) {
	all[0], all[1] = fromURL{d.Param, d.Value}, fromURL{d.Pattern.Prefix, ""} // a pattern has no names
	n := 0
	for name := range d.Names() {
		if n > 0 && n < len(all) {
			all[n].name = name
		}
		n++
	}
	return all
}

func (d *Drop) apply(dst, url []byte) ([]byte, bool) {
	if d.InPath {
		return d.inPath(dst, url)
	}
	return d.inQuery(dst, url)
}

// seeks reports whether a piece of a query, or of a path segment, is one that is removed.
func (d *Drop) seeks(piece []byte) bool {
	switch {
	case d.Pattern.Class != 0:
		return d.Pattern.Matches(nameOf(piece))
	case d.HasValue:
		return named(piece, d.Param) && valued(piece, d.Param, d.Value)
	}
	if d.Other == "" {
		return named(piece, d.Param)
	}
	for name := range d.Names() {
		if named(piece, name) {
			return true
		}
	}
	return false
}

// finds reports whether the query has a piece that is removed.
func (d *Drop) finds(url []byte) bool {
	for from, to := range Query(url) {
		if d.seeks(url[from:to]) {
			return true
		}
	}
	return false
}

// Held returns which of a drop's names a URL has: bit i is the i-th name. A drop of one name, or of a pattern, has no bits.
func (d *Drop) Held(url []byte) (names uint8) {
	if d.Other == "" {
		return 0
	}
	pieces := Query(url)
	if d.InPath {
		url = url[:pathEnd(url)]
		pieces = PathPieces(url)
	}
	for from, to := range pieces {
		bit := uint8(1)
		for name := range d.Names() {
			if named(url[from:to], name) {
				names |= bit
			}
			bit <<= 1
		}
	}
	return names
}

// Only returns the drop of some of the names, given as by Held.
func (d *Drop) Only(names uint8) Drop {
	var kept []string
	for name := range d.Names() {
		if names&1 != 0 {
			kept = append(kept, name)
		}
		names >>= 1
	}
	only := DropOf(kept...)
	only.InPath = d.InPath
	return only
}

// inQuery appends a URL without the pieces that are sought. Each piece is removed
// with the separator after it, and the last piece with the one before it. An empty query
// loses its '?' too.
func (d *Drop) inQuery(dst, url []byte) ([]byte, bool) {
	if !d.finds(url) {
		return dst, false
	}
	dst = append(dst, url[:bytes.IndexByte(url, '?')+1]...)
	empty := len(dst)
	for from, to := range Query(url) {
		last := to == len(url)
		switch is := d.seeks(url[from:to]); {
		case !is && last:
			dst = append(dst, url[from:]...)
		case !is:
			dst = append(dst, url[from:to+1]...)
		case last && len(dst) > empty:
			dst = dst[:len(dst)-1]
		}
	}
	if len(dst) == empty {
		dst = dst[:empty-1]
	}
	return dst, true
}

// inPath appends a URL without the pieces that are sought in the segments of the
// path. A segment begins after a slash. The pieces of a segment follow its first ';', and
// each is removed with the ';' before it.
func (d *Drop) inPath(dst, url []byte) ([]byte, bool) {
	end := pathEnd(url)
	copied := 0
	for from, to := range PathPieces(url[:end]) {
		if d.seeks(url[from:to]) {
			dst = append(dst, url[copied:from-1]...)
			copied = to
		}
	}
	return finish(dst, url, copied)
}

func (d Drop) validate() error {
	switch {
	case d.Pattern != Pattern{} && (d.Param != "" || d.Other != "" || d.HasValue):
		return errors.New("a pattern of names stands beside a name or value")
	case d.Pattern != Pattern{}:
		return d.Pattern.validate(d.InPath)
	case d.Param == "":
		return errors.New("the parameter has no name")
	case d.Other != "" && d.HasValue:
		return fmt.Errorf("several names have the value %q", d.Value)
	case d.Value != "" && !d.HasValue:
		return fmt.Errorf("value %q is set, but HasValue is not", d.Value)
	case d.Other != "":
		return d.validateNames()
	}
	return validatePiece(d.Param, d.Value, d.InPath)
}

// validateNames is validate for several names.
func (d *Drop) validateNames() error {
	names := append([]string{d.Param}, strings.Split(d.Other, ";")...)
	if len(names) > MaxNames {
		return errNames(len(names))
	}
	for i, name := range names {
		if i > 0 && name <= names[i-1] {
			return fmt.Errorf("names %q and %q are not two names in byte order", names[i-1], name)
		}
		if err := validatePiece(name, "", d.InPath); err != nil {
			return err
		}
	}
	return nil
}

func errNames(n int) error { return fmt.Errorf("a drop of %d names, want 1 to %d", n, MaxNames) }

func (d Drop) write(w *Wire) {
	if d.Pattern.Class != 0 {
		w.Pattern = &WirePattern{d.Pattern.Prefix, d.Pattern.Class.String()}
	} else {
		w.Params = slices.Collect(d.Names())
	}
	if d.HasValue {
		w.Value = text(d.Value)
	}
	if d.InPath {
		w.In = "path"
	}
}

func (w *Wire) readDrop() (Edit, error) {
	switch names := len(w.Params); {
	case w.Pattern != nil && (names > 0 || w.Value != nil):
		return nil, errors.New("a pattern of names stands beside names or a value")
	case w.Pattern != nil:
		pattern, err := w.Pattern.read()
		return Drop{Pattern: pattern, InPath: w.In == "path"}, err
	case names == 0 || names > MaxNames:
		return nil, errNames(names)
	}
	for _, name := range w.Params {
		if err := validatePiece(name, "", w.In == "path"); err != nil {
			return nil, err // before the names are joined
		}
	}
	d := DropOf(slices.Sorted(slices.Values(w.Params))...)
	if d.InPath = w.In == "path"; w.Value != nil {
		d.Value, d.HasValue = *w.Value, true
	}
	return d, nil
}

func (d Drop) words() string {
	switch {
	case d.InPath:
		return d.pathWords()
	case d.Pattern.Class != 0:
		return "ignore every parameter " + d.Pattern.words()
	case d.Other != "":
		names := slices.Collect(d.Names())
		return "ignore the parameters " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
	case d.HasValue:
		return "ignore the parameter " + d.Param + "=" + d.Value
	}
	return "ignore the parameter " + d.Param
}

// pathWords is words for parameters of path segments.
func (d *Drop) pathWords() string {
	switch {
	case d.Pattern.Class != 0:
		return "ignore, in the path, every ;parameter " + d.Pattern.words()
	case d.HasValue:
		return "ignore ;" + d.Param + "=" + d.Value + " in the path"
	}
	return "ignore ;" + strings.Join(slices.Collect(d.Names()), "="+rest+" and ;") + "=" + rest + " in the path"
}

func (d Drop) triggers(t *Triggers) {
	before := ""
	if d.InPath {
		before = ";"
	}
	switch {
	case d.Pattern.Class != 0:
		t.add(Trigger{Text: cmp.Or(before, "?")})
	case d.HasValue:
		t.add(Trigger{Text: before + d.Param + "=" + d.Value})
	default:
		var set [MaxNames]Trigger
		n := 0
		for name := range d.Names() {
			set[n] = Trigger{Text: before + name}
			n++
		}
		t.add(set[:n]...)
	}
}

// CompareParams orders rules of parameters: the kinds of scope from wide to narrow, then the
// names, path, and the conditions of the scope in byte order.
func CompareParams(a, b *Rule) int {
	d, e := a.Params(), b.Params()
	return cmp.Or(
		cmp.Compare(a.Scope.width(), b.Scope.width()),
		strings.Compare(d.Param, e.Param),
		strings.Compare(a.Scope.Path, b.Scope.Path),
		a.Scope.Where[0].compare(b.Scope.Where[0]),
		a.Scope.Where[1].compare(b.Scope.Where[1]),
		strings.Compare(d.Other, e.Other),
		strings.Compare(d.Value, e.Value),
		d.Pattern.compare(e.Pattern),
	)
}
