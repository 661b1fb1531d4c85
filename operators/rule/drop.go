package rule

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A drop removes parameters: of a name, of two names, of a name with a value, or of names
// of a pattern; from the query, or from the segments of the path.
var dropKind = kind{
	name:     "drop",
	members:  []string{"op", "param", "params", "pattern", "value", "in"},
	validate: (*Rule).validateDrop,
	write:    (*Rule).writeDrop,
	read:     (*Wire).readDrop,
	words:    (*Rule).dropWords,
	triggers: (*Rule).dropTriggers,
	compare:  func(a, b Likely) int { return CompareParams(&a.Rule, &b.Rule) },
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
// with the separator after the piece, and the last piece with the separator before it. An
// empty query loses its '?' too.
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
// each is removed with the ';' before the piece.
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
	w.Kind, w.Op = "parameter", "drop"
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
	names := w.names()
	switch {
	case w.In != "" && w.In != "path" && w.In != "query":
		return &UnknownError{fmt.Sprintf("place %q of parameters", w.In)}
	case w.Param != nil && w.Value != nil:
		return errors.New("a rule with param is dropped and has a value")
	case w.Pattern != nil && (len(names) > 0 || w.Value != nil):
		return errors.New("a pattern of names stands beside names or a value")
	case w.Pattern == nil && (len(names) == 0 || len(names) > 2):
		return fmt.Errorf("a drop of %d names, want 1 or 2", len(names))
	}
	r.InPath = w.In == "path"
	if w.Pattern != nil {
		return w.Pattern.read(&r.Pattern)
	}
	slices.Sort(names)
	r.Param = names[0]
	if len(names) == 2 {
		r.Other = names[1]
	}
	if w.Value != nil {
		r.Value, r.HasValue = *w.Value, true
	}
	return nil
}

// names returns a copy of the names of a parameter rule in either schema.
func (w *Wire) names() []string {
	if w.Param != nil {
		return append([]string{*w.Param}, w.Params...)
	}
	return slices.Clone(w.Params)
}

func (r *Rule) dropWords() string {
	what := "drop " + r.Param
	switch {
	case r.Pattern.Class != 0:
		what = "drop " + r.Pattern.words()
	case r.Other != "":
		what += " and " + r.Other
	case r.HasValue:
		what += "=" + r.Value
	}
	if r.InPath {
		what += " from path segments"
	}
	return what
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
