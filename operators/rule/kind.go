package rule

// Kind is the kind of edit of a rule.
type Kind uint8

// The kinds of rule.
const (
	KindSubstring Kind = iota // From becomes To
	KindDrop                  // parameters are removed
	KindSet                   // Param gets Value
	KindOrder                 // the parameters of the query are sorted by name
	KindSyntax                // a form of syntax is written in its normal way
	KindRewrite               // the parts of URLs of one shape are edited
	KindSegment               // a segment of the path that is a value is cut out
)

// kind is the declaration of a kind, one file each, beside the type of its Edit. How rules are read, checked, written and
// shown follows from it, and so does docs/schema/published-rule.schema.json.
type kind struct {
	name     string                      // of Wire's kind, or of Wire's op
	isOp     bool                        // the name is an op, of rules of the kind "parameter"
	about    string                      // what the edit is, for the schema
	members  []member                    // beside kind, op, scope and except
	either   []string                    // members of which a rule has exactly one
	lacks    string                      // the error of a rule without a needed member
	read     func(w *Wire) (Edit, error) // the members are those of the kind
	hasQuery func(r *Rule) bool          // every URL that the rule changes has a query; nil: not every
	compare  func(a, b Likely) int       // the order of likely rules of equal support
}

// always is the hasQuery of kinds that edit a query.
func always(*Rule) bool { return true }

var kinds = []kind{
	KindSubstring: substringKind,
	KindDrop:      dropKind,
	KindSet:       setKind,
	KindOrder:     orderKind,
	KindSyntax:    syntaxKind,
	KindRewrite:   rewriteKind,
	KindSegment:   segmentKind,
}

// edit applies the edit of a rule to a URL in its scope. The types are named, since a call
// through the interface would move the caller's buffers to the heap.
func (r *Rule) edit(dst, url []byte) (out []byte, changed bool) {
	switch e := r.Edit.(type) {
	case Substring:
		return e.apply(dst, url)
	case Drop:
		return e.apply(dst, url)
	case Set:
		return e.apply(dst, url)
	case Order:
		return e.apply(dst, url)
	case Syntax:
		return e.apply(dst, url)
	case Rewrite:
		return e.apply(dst, url)
	case Segment:
		return e.apply(dst, url)
	}
	return dst, false // the zero Rule
}

// Kinds returns the number of kinds. Kinds are numbered from 0.
func Kinds() int { return len(kinds) }

// String returns the name of the kind: its kind and op in JSON.
func (k Kind) String() string { return kinds[k].name }

// Reverse returns the rule to try when this one is refuted: the other direction of a substring
// rule that makes URLs plainer, without exceptions. ok is false if there is no other
// direction.
func (r *Rule) Reverse() (other Rule, ok bool) {
	return r.Opposite(), r.Kind() == KindSubstring && !r.Grows()
}
