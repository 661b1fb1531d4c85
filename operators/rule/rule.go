package rule

// Kind is the kind of edit of a rule.
type Kind uint8

// The kinds of rule.
const (
	Substring Kind = iota // From becomes To
	Drop                  // Param is removed
	Set                   // Param gets Value
)

// Rule is one directed edit of mined strings (path and query, or with hosts before them),
// as a crawler applies the edit. Rules can be compared with ==.
type Rule struct {
	Kind Kind

	// For Substring: the leftmost occurrence of From on token boundaries becomes To. An
	// occurrence within a To is skipped, since otherwise a rule whose To contains its
	// From (^/ -> ^/print/) would never settle. An occurrence whose edit would remove the
	// slash at the beginning of a path is skipped too.
	From, To string
	AtStart  bool // From stands at the URL's start
	AtEnd    bool // From stands at the URL's end

	// For Drop and Set: every parameter of this name, if the URL has the parameter.
	Param string
	Value string // for Set

	Scope Scope
}
