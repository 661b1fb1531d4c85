package rule

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// A drop removes parameters from the query, or from the segments of the path. It has one
// name, two names, one name with a value, or a pattern of names.
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
	write:    (*Rule).writeDrop,
	validate: (*Rule).validateDrop,
	texts: func(r *Rule) [mostTexts]fromURL {
		return [mostTexts]fromURL{{r.Param, r.Value}, {r.Other, ""}, {r.Pattern.Prefix, ""}}
	},
	words:    (*Rule).dropWords,
	triggers: (*Rule).dropTriggers,
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

func (r *Rule) drop(dst, url []byte) ([]byte, bool) {
	if r.InPath {
		return r.dropInPath(dst, url)
	}
	return r.dropInQuery(dst, url)
}

// seeks reports whether a rule removes or changes a piece of a query, or of a path
// segment.
func (r *Rule) seeks(piece []byte) bool {
	switch {
	case r.Pattern.Class != 0:
		return r.Pattern.Matches(nameOf(piece))
	case r.HasValue:
		return named(piece, r.Param) && valued(piece, r.Param, r.Value)
	}
	return named(piece, r.Param) || r.Other != "" && named(piece, r.Other)
}

// finds reports whether the query has a piece that the rule removes or changes.
func (r *Rule) finds(url []byte) bool {
	for from, to := range Query(url) {
		if r.seeks(url[from:to]) {
			return true
		}
	}
	return false
}

// dropInQuery appends a URL without the pieces that the rule seeks. Each piece is removed
// with the separator after it, and the last piece with the one before it. An empty query
// loses its '?' too.
func (r *Rule) dropInQuery(dst, url []byte) ([]byte, bool) {
	if !r.finds(url) {
		return dst, false
	}
	dst = append(dst, url[:bytes.IndexByte(url, '?')+1]...)
	empty := len(dst)
	for from, to := range Query(url) {
		last := to == len(url)
		switch is := r.seeks(url[from:to]); {
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

// dropInPath appends a URL without the pieces that the rule seeks in the segments of the
// path. A segment begins after a slash. The pieces of a segment follow its first ';', and
// each is removed with the ';' before it.
func (r *Rule) dropInPath(dst, url []byte) ([]byte, bool) {
	end := pathEnd(url)
	copied := 0
	for from, to := range PathPieces(url[:end]) {
		if r.seeks(url[from:to]) {
			dst = append(dst, url[copied:from-1]...)
			copied = to
		}
	}
	if copied == 0 {
		return dst, false
	}
	return append(dst, url[copied:]...), true
}

func (r *Rule) validateDrop() error {
	allowed := Rule{Kind: Drop, Param: r.Param, Other: r.Other, Value: r.Value, HasValue: r.HasValue, Pattern: r.Pattern, InPath: r.InPath, Scope: r.Scope, Except: r.Except}
	switch {
	case *r != allowed:
		return errors.New("a parameter rule has sides, anchors or a form")
	case r.Pattern != Pattern{} && (r.Param != "" || r.Other != "" || r.HasValue):
		return errors.New("a pattern of names stands beside a name or value")
	case r.Pattern != Pattern{}:
		return r.Pattern.validate(r.InPath)
	case r.Param == "":
		return errors.New("the parameter has no name")
	case r.Other != "" && r.Other <= r.Param:
		return fmt.Errorf("names %q and %q are not two names in byte order", r.Param, r.Other)
	case r.Other != "" && r.HasValue:
		return fmt.Errorf("two names have the value %q", r.Value)
	case r.Value != "" && !r.HasValue:
		return fmt.Errorf("value %q is set, but HasValue is not", r.Value)
	}
	if err := validatePiece(r.Other, "", r.InPath); err != nil {
		return err
	}
	return validatePiece(r.Param, r.Value, r.InPath)
}

func (r *Rule) writeDrop(w *Wire) {
	if r.Pattern.Class != 0 {
		w.Pattern = &WirePattern{r.Pattern.Prefix, r.Pattern.Class.String()}
	} else {
		w.Params = []string{r.Param}
		if r.Other != "" {
			w.Params = append(w.Params, r.Other)
		}
	}
	if r.HasValue {
		w.Value = text(r.Value)
	}
	if r.InPath {
		w.In = "path"
	}
}

func (w *Wire) readDrop(r *Rule) error {
	switch names := len(w.Params); {
	case w.Pattern != nil && (names > 0 || w.Value != nil):
		return errors.New("a pattern of names stands beside names or a value")
	case w.Pattern == nil && (names == 0 || names > 2):
		return fmt.Errorf("a drop of %d names, want 1 or 2", names)
	}
	r.InPath = w.In == "path"
	if w.Pattern != nil {
		return w.Pattern.read(&r.Pattern)
	}
	if r.Param = w.Params[0]; len(w.Params) == 2 {
		r.Param, r.Other = min(w.Params[0], w.Params[1]), max(w.Params[0], w.Params[1])
	}
	if w.Value != nil {
		r.Value, r.HasValue = *w.Value, true
	}
	return nil
}

func (r *Rule) dropWords() string {
	switch {
	case r.InPath:
		return r.pathWords()
	case r.Pattern.Class != 0:
		return "ignore every parameter " + r.Pattern.words()
	case r.Other != "":
		return "ignore the parameters " + r.Param + " and " + r.Other
	case r.HasValue:
		return "ignore the parameter " + r.Param + "=" + r.Value
	}
	return "ignore the parameter " + r.Param
}

// pathWords is dropWords for parameters of path segments.
func (r *Rule) pathWords() string {
	switch {
	case r.Pattern.Class != 0:
		return "ignore, in the path, every ;parameter " + r.Pattern.words()
	case r.Other != "":
		return "ignore ;" + r.Param + "=" + rest + " and ;" + r.Other + "=" + rest + " in the path"
	case r.HasValue:
		return "ignore ;" + r.Param + "=" + r.Value + " in the path"
	}
	return "ignore ;" + r.Param + "=" + rest + " in the path"
}

func (r *Rule) dropTriggers(t *Triggers) {
	before := ""
	if r.InPath {
		before = ";"
	}
	switch {
	case r.Pattern.Class != 0:
		t.add(Trigger{Text: cmp.Or(before, "?")})
	case r.HasValue:
		t.add(Trigger{Text: before + r.Param + "=" + r.Value})
	case r.Other != "":
		t.add(Trigger{Text: before + r.Param}, Trigger{Text: before + r.Other})
	default:
		t.add(Trigger{Text: before + r.Param})
	}
}

// CompareParams orders parameter rules: the kinds of scope from wide to narrow, then the
// names, path, and the conditions of the scope in byte order.
func CompareParams(a, b *Rule) int {
	return cmp.Or(
		cmp.Compare(a.Scope.width(), b.Scope.width()),
		strings.Compare(a.Param, b.Param),
		strings.Compare(a.Scope.Path, b.Scope.Path),
		a.Scope.Where[0].compare(b.Scope.Where[0]),
		a.Scope.Where[1].compare(b.Scope.Where[1]),
		strings.Compare(a.Other, b.Other),
		strings.Compare(a.Value, b.Value),
		a.Pattern.compare(b.Pattern),
	)
}
