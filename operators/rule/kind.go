package rule

import "fmt"

// Kind is the kind of edit of a rule.
type Kind uint8

// The kinds of rule.
const (
	Substring Kind = iota // From becomes To
	Drop                  // parameters are removed
	Set                   // Param gets Value
	Order                 // the parameters of the query are sorted by name
	Syntax                // a form of syntax is written in its normal way
	Rewrite               // the parts of URLs of one shape are edited
	Segment               // a segment of the path that is a value is cut out
)

// kind is the declaration of a kind, one file each. How rules are read, checked, written and
// shown follows from it, and so does docs/schema/published-rule.schema.json.
type kind struct {
	name     string                           // of Wire's kind, or of Wire's op
	isOp     bool                             // the name is an op, of rules of the kind "parameter"
	about    string                           // what the edit is, for the schema
	members  []member                         // beside kind, op, scope and except
	either   []string                         // members of which a rule has exactly one
	lacks    string                           // the error of a rule without a needed member
	read     func(w *Wire, r *Rule) error     // the members are those of the kind; may be nil
	write    func(r *Rule, w *Wire)           // sets the members; the inverse of read; may be nil
	validate func(r *Rule) error              // of what the texts and the scope do not tell
	texts    func(r *Rule) [mostTexts]fromURL // the texts that come from URLs, but for a template; nil: none
	words    func(r *Rule) string             // for people, without the scope
	triggers func(r *Rule, t *Triggers)       // of the edit
	hasQuery func(r *Rule) bool               // every URL that the rule changes has a query; nil: not every
	compare  func(a, b Likely) int            // the order of likely rules of equal support
	reverse  func(r *Rule) (Rule, bool)       // the rule tried when this direction is refuted; nil: none
}

// always is the hasQuery of kinds that edit a query.
func always(*Rule) bool { return true }

var kinds = []kind{
	Substring: substringKind,
	Drop:      dropKind,
	Set:       setKind,
	Order:     orderKind,
	Syntax:    syntaxKind,
	Rewrite:   rewriteKind,
	Segment:   segmentKind,
}

// edit applies the edit of a rule to a URL in its scope. The kinds are called directly,
// since a call through their table would move the caller's buffers to the heap.
func (r *Rule) edit(dst, url []byte) (out []byte, changed bool) {
	switch r.Kind {
	case Substring:
		return r.replace(dst, url)
	case Drop:
		return r.drop(dst, url)
	case Set:
		return r.set(dst, url)
	case Order:
		return r.sort(dst, url)
	case Syntax:
		return r.normalize(dst, url)
	case Rewrite:
		return r.rewrite(dst, url)
	case Segment:
		return r.cut(dst, url)
	}
	panic(fmt.Sprintf("rule: kind %d is unknown", r.Kind))
}

// Kinds returns the number of kinds. Kinds are numbered from 0.
func Kinds() int { return len(kinds) }

// String returns the name of the kind: its kind and op in JSON.
func (k Kind) String() string { return kinds[k].name }

// Reverse returns the rule to try when this one is refuted: the other direction of a substring
// rule that makes URLs plainer, without exceptions. ok is false if there is no other
// direction.
func (r *Rule) Reverse() (other Rule, ok bool) {
	if reverse := kinds[r.Kind].reverse; reverse != nil {
		return reverse(r)
	}
	return Rule{}, false
}
