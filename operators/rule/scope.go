package rule

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// Scope is the set of URLs that a rule edits: the URLs that have all members of the
// scope. The zero Scope is the whole site. Scopes can be compared with ==.
type Scope struct {
	Path   string // the path before the first '?'; counts if HasPath; a segment * stands for one non-empty segment
	Prefix string // the beginning of the URL

	// Where holds conditions on the URL's parameters, in the order of their names. A drop
	// or set reads the URL without the parameters that it removes or changes.
	Where [2]Condition

	HasPath bool // an empty Path is a member of the scope too
}

// Condition is a parameter that a URL must have. The zero Condition is none.
type Condition struct {
	Param    string
	Value    string // counts if HasValue
	HasValue bool   // an empty Value counts too: Param stands as "m=", which the bare "m" does not match
	Valued   bool   // Param has any value; the bare "m" does not match

	// Own is for the exceptions of a drop or set of one name in the query, on that name. The
	// condition then reads the whole URL, and Value, or a beginning of the value, is asked for.
	Own    bool
	Begins string // the value begins so, if not empty
}

// With returns the condition that a parameter is present, with or without a value.
func With(param string) [2]Condition { return [2]Condition{{Param: param}} }

// Where returns the condition that a parameter has a value.
func Where(param, value string) [2]Condition {
	return [2]Condition{{Param: param, Value: value, HasValue: true}}
}

// WhereOwn returns the condition on a value of the parameter that a rule removes or changes.
func WhereOwn(param, value string) [2]Condition {
	return [2]Condition{{Param: param, Value: value, HasValue: true, Own: true}}
}

// WhereOwnBegins returns the condition on the beginning of a value of the parameter that a
// rule removes or changes. The beginning is not empty.
func WhereOwnBegins(param, begins string) [2]Condition {
	return [2]Condition{{Param: param, Begins: begins, Own: true}}
}

// Bare returns the scope without its prefix.
func (s Scope) Bare() Scope {
	s.Prefix = ""
	return s
}

// Holds reports whether a URL is in the scope. No allocation. O(bytes).
func (s *Scope) Holds(url []byte) bool {
	var none Rule
	return none.isIn(s, url) && s.hasPath(url[:pathEnd(url)])
}

// isIn reports whether a URL is in a scope of a rule, apart from its path.
func (r *Rule) isIn(s *Scope, url []byte) bool {
	if s.Prefix != "" && !hasPrefix(url, s.Prefix) {
		return false
	}
	return (s.Where[0].Param == "" || r.meets(&s.Where[0], url)) && (s.Where[1].Param == "" || r.meets(&s.Where[1], url))
}

// meets reports whether a URL meets a condition of the rule's scope.
func (r *Rule) meets(c *Condition, url []byte) bool {
	sought := r.Params()
	skips := r.EditsParams() && !sought.InPath && !c.Own
	for from, to := range Query(url) {
		if p := url[from:to]; c.matches(p) && (!skips || !sought.seeks(p)) {
			return true
		}
	}
	return false
}

// Implies reports whether every URL that meets a condition meets the other condition.
func (c Condition) Implies(other Condition) bool {
	switch {
	case other == Condition{}:
		return true
	case c.Param != other.Param || c.Own != other.Own:
		return false
	case c.Own && other.Begins != "":
		return strings.HasPrefix(c.Value+c.Begins, other.Begins)
	case other.HasValue:
		return c == other
	}
	return !other.Valued || c.Valued || c.HasValue
}

func (c *Condition) matches(piece []byte) bool {
	switch {
	case !named(piece, c.Param):
		return false
	case c.HasValue:
		return valued(piece, c.Param, c.Value)
	case c.Own:
		return len(piece) > len(c.Param) && hasPrefix(piece[len(c.Param)+1:], c.Begins)
	}
	return !c.Valued || len(piece) > len(c.Param)
}

// wild is the segment that stands for any one segment, between its slashes.
const wild = "/*/"

// IsWild reports whether a segment of the path is *, which stands for any.
func (s *Scope) IsWild() bool { return strings.Contains(s.Path, wild) }

// hasPath reports whether a path is that of the scope, if there is one.
func (s *Scope) hasPath(path []byte) bool {
	if !s.HasPath || string(path) == s.Path {
		return true
	}
	at := strings.Index(s.Path, wild)
	return at >= 0 && isBetween(path, s.Path[:at+1], s.Path[at+2:])
}

// isBetween reports whether a path is one non-empty segment between two texts.
func isBetween(path []byte, before, after string) bool {
	middle := len(path) - len(before) - len(after)
	if middle <= 0 || string(path[:len(before)]) != before || string(path[len(path)-len(after):]) != after {
		return false
	}
	for _, c := range path[len(before) : len(before)+middle] {
		if c == '/' {
			return false
		}
	}
	return true
}

// validate returns an error unless the scope is written in its only form.
func (s *Scope) validate() error {
	at := strings.Index(s.Path, wild)
	switch {
	case s.Path != "" && !s.HasPath:
		return fmt.Errorf("path %q is set, but HasPath is not", s.Path)
	case strings.Contains(s.Path, "?"):
		return fmt.Errorf("path %q holds a question mark", s.Path)
	case at >= 0 && strings.Contains(s.Path[at+2:], wild):
		return fmt.Errorf("path %q has several segments *", s.Path)
	case s.Where[1] != Condition{} && s.Where[0].compare(s.Where[1]) >= 0:
		return fmt.Errorf("the conditions on %q and %q are not two in order", s.Where[0].Param, s.Where[1].Param)
	}
	return cmp.Or(s.Where[0].validate(), s.Where[1].validate())
}

func (c *Condition) validate() error {
	switch {
	case c.Value != "" && !c.HasValue:
		return fmt.Errorf("value %q is set, but HasValue is not", c.Value)
	case c.Param == "" && (*c != Condition{}):
		return fmt.Errorf("value %q without a parameter", c.Value)
	case c.HasValue && c.Valued:
		return errors.New("a condition asks for one value and for any")
	case !c.Own && c.Begins != "":
		return fmt.Errorf("a condition asks how a value begins (%q), but not of the rule's own parameter", c.Begins)
	case c.Own && (c.Valued || c.HasValue == (c.Begins != "")):
		return errors.New("a condition on a rule's own parameter asks for a value, or for how the value begins")
	}
	return validatePiece(c.Param, c.asked(), false)
}

// validateOwn returns an error unless all conditions on the own parameter stand in exceptions
// of a rule that removes or changes this parameter, and no other, in the query.
func (r *Rule) validateOwn() error {
	if r.Scope.hasOwn() {
		return errors.New("scope: a condition on the rule's own parameter, which only exceptions may have")
	}
	if !r.Except.hasOwn() {
		return nil
	}
	for _, s := range r.Except.Scopes() {
		for _, c := range s.Where {
			if c.Own && (!r.HasOneName() || c.Param != r.Params().Param) {
				return fmt.Errorf("except: a condition on the own parameter %q of a rule that does not edit it alone, in the query", c.Param)
			}
		}
	}
	return nil
}

// asked returns the value, or the beginning of one, that a condition asks for.
func (c *Condition) asked() string {
	if c.Begins != "" {
		return c.Begins
	}
	return c.Value
}

func (s *Scope) hasOwn() bool { return s.Where[0].Own || s.Where[1].Own }

// compare orders conditions by name, then from the weakest to the strongest, then by value.
func (c Condition) compare(d Condition) int {
	return cmp.Or(
		strings.Compare(c.Param, d.Param),
		cmp.Compare(c.strength(), d.strength()),
		strings.Compare(c.asked(), d.asked()),
	)
}

func (c *Condition) strength() int {
	switch {
	case c.Own && c.HasValue:
		return 4
	case c.Own:
		return 3
	case c.HasValue:
		return 2
	case c.Valued:
		return 1
	}
	return 0
}

// width returns the place of a scope among all, from wide to narrow: 1 the site, 2 a
// path, 3 any path where a parameter has a value, 4 one path with a parameter, 5 one path
// where it has a value.
func (s *Scope) width() int {
	first := s.Where[0]
	switch {
	case s.HasPath && first.HasValue:
		return 5
	case s.HasPath && first.Param != "":
		return 4
	case first.HasValue:
		return 3
	case s.HasPath:
		return 2
	}
	return 1
}

// words returns the scope for people. The scope of the whole site is "".
func (s *Scope) words() string {
	var words []string
	if s.Prefix != "" {
		words = append(words, "the URL begins with "+s.Prefix)
	}
	if s.HasPath {
		words = append(words, "the path is "+cmp.Or(s.Path, "empty"))
	}
	for i := range s.Where {
		if c := &s.Where[i]; c.Param != "" {
			words = append(words, c.words())
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "where " + strings.Join(words, " and ")
}

func (c *Condition) words() string {
	switch {
	case c.HasValue:
		return c.Param + "=" + c.Value
	case c.Own:
		return c.Param + "=" + c.Begins + rest
	case c.Valued:
		return c.Param + " has a value"
	}
	return c.Param + " is present"
}

// Words returns the rule for people: an order to a crawler, in which … stands for any text, and
// * for one segment or one value.
func (r *Rule) Words() string {
	words := r.does().words()
	if where := r.Scope.words(); where != "" {
		words += " " + where
	}
	if except := r.Except.String(); except != "" {
		words += ", except " + except
	}
	return words
}
