package rule

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"dustbuster/operators/rule/dust"
)

// Syntax writes one form of syntax in its normal way.
type Syntax struct{ Form Form }

var syntaxKind = kind{
	name:  "form",
	about: "One form of syntax is written in its normal way.",
	members: []member{
		{name: "form", of: func(w *Wire) any { return &w.Form }, need: needed, words: formNames[1:],
			about: "slashes: runs of slashes in the path become one. empty-query: an empty query loses its question mark. empty-value: a piece name= becomes name. escapes: escapes of letters, digits, - . _ ~ are undone, others get capitals; the text is read once from the left. case: letters of the path become small, but for escapes."},
	},
	lacks: "a form has no name",
	read: func(w *Wire) (Edit, error) {
		return Syntax{Form(slices.Index(formNames[:], w.Form))}, nil
	},
	hasQuery: func(r *Rule) bool { f := r.Syntax().Form; return f == EmptyQuery || f == EmptyValue },
	compare:  func(a, b Likely) int { return int(a.Rule.Syntax().Form) - int(b.Rule.Syntax().Form) },
}

// WireSyntax is the member of a syntax rule in JSON.
type WireSyntax struct {
	Form string `json:"form,omitempty"`
}

// Form is a form of syntax.
type Form uint8

// The forms of syntax.
const (
	Slashes    Form = iota + 1 // runs of slashes in the path become one slash
	EmptyQuery                 // an empty query loses its '?'
	EmptyValue                 // a piece "name=" becomes "name"
	Escapes                    // escapes of unreserved characters are undone, others get capitals (RFC 3986, 6.2.2)
	Case                       // letters of the path become small, but for escapes
)

var (
	formNames = [...]string{Slashes: "slashes", EmptyQuery: "empty-query", EmptyValue: "empty-value", Escapes: "escapes", Case: "case"}
	formWords = [...]string{
		Slashes:    "treat // in the path as /",
		EmptyQuery: "ignore a ? with nothing after it",
		EmptyValue: "ignore the = of a parameter without a value (a= is a)",
		Escapes:    "write needless escapes plainly (%7E as ~), others in capitals (%c3 as %C3)",
		Case:       "ignore capital letters in the path (/A is /a)",
	}
)

// String returns the form's name in JSON.
func (f Form) String() string { return formNames[f] }

func (Syntax) kind() Kind                { return KindSyntax }
func (Syntax) texts() [mostTexts]fromURL { return [mostTexts]fromURL{} }
func (e Syntax) words() string           { return formWords[e.Form] }
func (e Syntax) write(w *Wire)           { w.Form = e.Form.String() }
func (e Syntax) validate() error {
	if e.Form == 0 || int(e.Form) >= len(formNames) {
		return fmt.Errorf("form %d is unknown", e.Form)
	}
	return nil
}

func (e Syntax) triggers(t *Triggers) {
	switch e.Form {
	case Slashes:
		t.add(Trigger{Text: "//"})
	case EmptyQuery:
		t.add(Trigger{Text: "?", AtEnd: true})
	case EmptyValue:
		t.add(Trigger{Text: "=&"}, Trigger{Text: "=;"}, Trigger{Text: "=", AtEnd: true})
	}
}

func (e Syntax) apply(dst, url []byte) ([]byte, bool) {
	switch e.Form {
	case Slashes:
		return joinSlashes(dst, url)
	case EmptyQuery:
		if end := pathEnd(url); end == len(url)-1 {
			return append(dst, url[:end]...), true
		}
		return dst, false
	case EmptyValue:
		return dropEmptyValues(dst, url)
	case Escapes:
		return normalizeEscapes(dst, url)
	}
	return lowerPath(dst, url)
}

// joinSlashes writes each run of slashes in the path as one.
func joinSlashes(dst, url []byte) ([]byte, bool) {
	copied := 0
	for at, end := 1, pathEnd(url); at < end; at++ {
		if url[at] == '/' && url[at-1] == '/' {
			dst = append(dst, url[copied:at]...)
			copied = at + 1
		}
	}
	return finish(dst, url, copied)
}

// dropEmptyValues removes the '=' of each piece that has a name and an empty value.
func dropEmptyValues(dst, url []byte) ([]byte, bool) {
	copied := 0
	for from, to := range Query(url) {
		if n := len(nameOf(url[from:to])); n > 0 && from+n == to-1 {
			dst = append(dst, url[copied:to-1]...)
			copied = to
		}
	}
	return finish(dst, url, copied)
}

// normalizeEscapes reads the URL once, from the left. An escape that arises from an edit
// is left to the next round.
func normalizeEscapes(dst, url []byte) ([]byte, bool) {
	copied := 0
	for at := 0; ; at += 3 {
		next := nextEscape(url, at)
		if next < 0 {
			break
		}
		at = next
		high, low := url[at+1], url[at+2]
		switch c, _ := dust.Escape(url, at); {
		case isUnreserved(c):
			dst = append(append(dst, url[copied:at]...), c)
		case 'a' <= high || 'a' <= low:
			dst = append(append(dst, url[copied:at]...), '%', upper(high), upper(low))
		default:
			continue
		}
		copied = at + 3
	}
	return finish(dst, url, copied)
}

// nextEscape returns the offset of the next escape, a '%' and two hexadecimal digits, or
// -1.
func nextEscape(url []byte, at int) int {
	for ; at+2 < len(url); at++ {
		next := bytes.IndexByte(url[at:len(url)-2], '%')
		if next < 0 {
			return -1
		}
		at += next
		if _, ok := dust.Escape(url, at); ok {
			return at
		}
	}
	return -1
}

// lowerPath writes the capitals of the path as small letters.
func lowerPath(dst, url []byte) ([]byte, bool) {
	end := pathEnd(url)
	first := nextCapital(url[:end], 0)
	if first == end {
		return dst, false
	}
	dst = append(dst, url...)
	path := dst[len(dst)-len(url):][:end]
	for at := first; at < end; at = nextCapital(path, at) {
		path[at] += 'a' - 'A'
	}
	return dst, true
}

// nextCapital returns the offset of the next capital of a path outside escapes, or its
// end.
func nextCapital(path []byte, at int) int {
	for ; at < len(path); at++ {
		switch c := path[at]; {
		case 'A' <= c && c <= 'Z':
			return at
		case c == '%':
			if _, ok := dust.Escape(path, at); ok {
				at += 2
			}
		}
	}
	return at
}

func isUnreserved(c byte) bool {
	return dust.IsAlnum(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

func upper(c byte) byte {
	if c >= 'a' {
		c -= 'a' - 'A'
	}
	return c
}

// Forms yields all forms of syntax.
func Forms() iter.Seq[Form] {
	return func(yield func(Form) bool) {
		for f := Slashes; int(f) < len(formNames); f++ {
			if !yield(f) {
				return
			}
		}
	}
}
