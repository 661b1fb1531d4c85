package rule

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unique"
)

// Bounds of an Except.
const (
	MaxExceptScopes = 3
	MaxExceptURLs   = 20
)

// Except is the set of URLs that a rule leaves as they are: those in one of some scopes,
// and a few single URLs. The zero Except is empty. An Except is immutable. Two Excepts
// are equal (==) if they have the same scopes and URLs, in whatever order these were
// added. So a Rule with exceptions can be compared, and be the key of a map, and a Rule
// without exceptions stays small.
type Except struct{ set unique.Handle[exceptions] }

// exceptions are scopes and URLs, each in order and once.
type exceptions struct {
	scopes [MaxExceptScopes]Scope
	some   int    // of the scopes
	urls   string // one a line: no text of a rule holds the end of a line
}

// get returns the exceptions. No allocation.
func (e Except) get() exceptions {
	if e == (Except{}) {
		return exceptions{}
	}
	return e.set.Value()
}

// NewExcept returns the Except of scopes and URLs, without repetitions. A URL is a mined
// string. An error names the scope or URL that is not valid, or the exceeded bound.
func NewExcept(scopes []Scope, urls []string) (e Except, err error) {
	for i := range scopes {
		if err := validateException(&scopes[i]); err != nil {
			return e, fmt.Errorf("except: %w", err)
		}
	}
	for _, url := range urls {
		if err := validateText(url); err != nil || url == "" {
			return e, cmp.Or(err, errors.New("except: an empty URL"))
		}
	}
	scopes = slices.Compact(slices.SortedFunc(slices.Values(scopes), func(a, b Scope) int { return strings.Compare(a.line(), b.line()) }))
	urls = slices.Compact(slices.Sorted(slices.Values(urls)))
	switch {
	case len(scopes) > MaxExceptScopes || len(urls) > MaxExceptURLs:
		return e, tooManyExceptions(len(scopes), len(urls))
	case len(scopes)+len(urls) == 0:
		return e, nil
	}
	set := exceptions{some: len(scopes), urls: strings.Join(urls, "\n")}
	copy(set.scopes[:], scopes)
	return Except{unique.Make(set)}, nil
}

func tooManyExceptions(scopes, urls int) error {
	return fmt.Errorf("except: %d scopes and %d URLs, at most %d and %d", scopes, urls, MaxExceptScopes, MaxExceptURLs)
}

func validateException(s *Scope) error {
	if (*s == Scope{}) {
		return errors.New("a scope of all URLs")
	}
	texts := s.texts()
	return cmp.Or(validateTexts(texts[:]), s.validate())
}

// With returns e with one more scope. Errors are those of NewExcept.
func (e Except) With(s Scope) (Except, error) { return NewExcept(append(e.Scopes(), s), e.URLs()) }

// WithURL returns e with one more URL. Errors are those of NewExcept.
func (e Except) WithURL(url string) (Except, error) {
	return NewExcept(e.Scopes(), append(e.URLs(), url))
}

// Scopes returns the scopes.
func (e Except) Scopes() []Scope {
	set := e.get()
	return slices.Clone(set.scopes[:set.some])
}

// URLs returns the URLs.
func (e Except) URLs() []string { return slices.Collect(linesOf(e.get().urls)) }

// Len returns the number of scopes and URLs.
func (e Except) Len() int { return e.get().some + len(e.URLs()) }

// String returns the Except for people. The empty Except is "".
func (e Except) String() string {
	var words []string
	for _, s := range e.Scopes() {
		words = append(words, s.words())
	}
	for url := range linesOf(e.get().urls) {
		words = append(words, "at "+url)
	}
	return strings.Join(words, ", or ")
}

// linesOf yields the lines of a text. The empty text has no lines.
func linesOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			line, rest, _ := strings.Cut(text, "\n")
			if !yield(line) {
				return
			}
			text = rest
		}
	}
}

// Excepts reports whether an exception of the rule holds for a URL, so that the rule
// leaves it as it is although it may be in the scope. O(bytes of the URL) for each
// exception.
func (r *Rule) Excepts(url []byte) bool {
	if r.Except == (Except{}) {
		return false
	}
	return r.excepts(url, r.leftPath(url))
}

// HoldsIn reports whether a URL is in a scope, if this is or becomes that of the rule or
// of an exception. The conditions are tested without the parameters that the rule removes
// or changes. The path is tested as the rule would leave it.
func (r *Rule) HoldsIn(s *Scope, url []byte) bool {
	return r.isIn(s, url) && s.hasPath(r.leftPath(url))
}

// leftPath returns the path that scopes are compared with.
func (r *Rule) leftPath(url []byte) []byte {
	if d, is := r.Edit.(Drop); is && d.InPath {
		if left, changed := d.inPath(nil, url); changed {
			url = left
		}
	}
	return url[:pathEnd(url)]
}

// excepts reports whether an exception holds for a URL. path is the path that scopes are
// compared with.
func (r *Rule) excepts(url, path []byte) bool {
	set := r.Except.get()
	for line := range linesOf(set.urls) {
		if string(url) == line {
			return true
		}
	}
	for i := range set.some {
		if s := &set.scopes[i]; r.isIn(s, url) && s.hasPath(path) {
			return true
		}
	}
	return false
}

// The members of a scope's line. Each begins with a letter, and ends before the next
// blank.
const (
	linePath   = 'p'
	linePrefix = 'b'
	lineParam  = 'm' // a condition without a value
	lineValued = 'n'
	lineValue  = 'v' // name=value; a name has no '='
	lineOwn    = 'o' // name=value, of the own parameter
	lineBegins = 's' // name=beginning, of the own parameter
)

// line returns a valid scope as a line. Scopes of an Except are in the order of their lines.
func (s *Scope) line() string {
	var members []string
	add := func(letter byte, text string) { members = append(members, string(letter)+text) }
	if s.HasPath {
		add(linePath, s.Path)
	}
	if s.Prefix != "" {
		add(linePrefix, s.Prefix)
	}
	for _, c := range s.Where {
		switch {
		case c.Own && c.HasValue:
			add(lineOwn, c.Param+"="+c.Value)
		case c.Own:
			add(lineBegins, c.Param+"="+c.Begins)
		case c.HasValue:
			add(lineValue, c.Param+"="+c.Value)
		case c.Valued:
			add(lineValued, c.Param)
		case c.Param != "":
			add(lineParam, c.Param)
		}
	}
	return strings.Join(members, " ")
}

// hasOwn reports whether some condition is on the rule's own parameter.
func (e Except) hasOwn() bool {
	return slices.ContainsFunc(e.Scopes(), func(s Scope) bool { return s.hasOwn() })
}

// WireExcept is the written form of an Except. An unknown member is an UnknownError:
// without it, the rule would edit more URLs than intended.
type WireExcept struct {
	Scopes []WireScope `json:"scopes,omitempty"`
	URLs   []string    `json:"urls,omitempty"`
}

// UnmarshalJSON reads exceptions. The error of an unknown member is an UnknownError.
func (w *WireExcept) UnmarshalJSON(text []byte) error {
	type plain WireExcept // without this method
	return strictly("except", text, (*plain)(w))
}

func newWireExcept(e Except) *WireExcept {
	if e == (Except{}) {
		return nil
	}
	w := &WireExcept{URLs: e.URLs()}
	for _, s := range e.Scopes() {
		w.Scopes = append(w.Scopes, *newWireScope(&s))
	}
	return w
}

func (w *WireExcept) read() (e Except, err error) {
	switch {
	case w == nil:
		return e, nil
	case len(w.Scopes) == 0 && len(w.URLs) == 0:
		return e, errors.New("an except without scopes and URLs: leave it out")
	case len(w.Scopes) > MaxExceptScopes || len(w.URLs) > MaxExceptURLs:
		return e, tooManyExceptions(len(w.Scopes), len(w.URLs))
	}
	scopes := make([]Scope, len(w.Scopes))
	for i := range w.Scopes {
		if err := w.Scopes[i].read(&scopes[i]); err != nil {
			return e, fmt.Errorf("except: %w", err)
		}
	}
	return NewExcept(scopes, w.URLs)
}

// Excepted returns the exceptions of a written rule.
func (w *Wire) Excepted() (Except, error) { return w.Except.read() }
