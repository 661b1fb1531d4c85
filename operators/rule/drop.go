package rule

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// Drop removes parameters from the query, or from the segments of the path: those of one
// name, of two names, of one name with a value, or of a pattern of names.
type Drop struct {
	Param    string
	Other    string // the second of two names, in byte order; "": none
	Value    string // only the pieces Param=Value, if HasValue; an empty value counts too
	HasValue bool
	Pattern  Pattern // in place of the names
	InPath   bool    // the parameters of path segments, after a ';'
}

var dropKind = kind{
	name:  "drop",
	isOp:  true,
	about: "Every parameter that the rule names is removed with the separator after it (the last with the one before it), and a query that becomes empty loses its question mark. In path segments, where what follows the first semicolon is split at semicolons, with the semicolon before it.",
	members: []member{
		op,
		{name: "params", of: func(w *Wire) any { return &w.Params }, about: "One name, or two names in byte order, of which a URL needs one.",
			schema: `"type": "array", "items": { "type": "string", "minLength": 1 }, "minItems": 1, "maxItems": 2`},
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
	Params  []string     `json:"params,omitempty"` // one or two names
	Pattern *WirePattern `json:"pattern,omitempty"`
	Value   *string      `json:"value,omitempty"` // of drop
	To      *string      `json:"to,omitempty"`    // of set: the new value; of segment
	In      string       `json:"in,omitempty"`    // of drop: "path", or "query"
}

func (Drop) kind() Kind { return KindDrop }

func (d Drop) texts() [mostTexts]fromURL {
	return [mostTexts]fromURL{{d.Param, d.Value}, {d.Other, ""}, {d.Pattern.Prefix, ""}}
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
	return named(piece, d.Param) || d.Other != "" && named(piece, d.Other)
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
	if copied == 0 {
		return dst, false
	}
	return append(dst, url[copied:]...), true
}

func (d Drop) validate() error {
	switch {
	case d.Pattern != Pattern{} && (d.Param != "" || d.Other != "" || d.HasValue):
		return errors.New("a pattern of names stands beside a name or value")
	case d.Pattern != Pattern{}:
		return d.Pattern.validate(d.InPath)
	case d.Param == "":
		return errors.New("the parameter has no name")
	case d.Other != "" && d.Other <= d.Param:
		return fmt.Errorf("names %q and %q are not two names in byte order", d.Param, d.Other)
	case d.Other != "" && d.HasValue:
		return fmt.Errorf("two names have the value %q", d.Value)
	case d.Value != "" && !d.HasValue:
		return fmt.Errorf("value %q is set, but HasValue is not", d.Value)
	}
	if err := validatePiece(d.Other, "", d.InPath); err != nil {
		return err
	}
	return validatePiece(d.Param, d.Value, d.InPath)
}

func (d Drop) write(w *Wire) {
	if d.Pattern.Class != 0 {
		w.Pattern = &WirePattern{d.Pattern.Prefix, d.Pattern.Class.String()}
	} else {
		w.Params = []string{d.Param}
		if d.Other != "" {
			w.Params = append(w.Params, d.Other)
		}
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
	case w.Pattern == nil && (names == 0 || names > 2):
		return nil, fmt.Errorf("a drop of %d names, want 1 or 2", names)
	}
	d := Drop{InPath: w.In == "path"}
	if w.Pattern != nil {
		var err error
		d.Pattern, err = w.Pattern.read()
		return d, err
	}
	if d.Param = w.Params[0]; len(w.Params) == 2 {
		d.Param, d.Other = min(w.Params[0], w.Params[1]), max(w.Params[0], w.Params[1])
	}
	if w.Value != nil {
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
		return "ignore the parameters " + d.Param + " and " + d.Other
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
	case d.Other != "":
		return "ignore ;" + d.Param + "=" + rest + " and ;" + d.Other + "=" + rest + " in the path"
	case d.HasValue:
		return "ignore ;" + d.Param + "=" + d.Value + " in the path"
	}
	return "ignore ;" + d.Param + "=" + rest + " in the path"
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
	case d.Other != "":
		t.add(Trigger{Text: before + d.Param}, Trigger{Text: before + d.Other})
	default:
		t.add(Trigger{Text: before + d.Param})
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
