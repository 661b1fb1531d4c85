package rule

// Rule is one directed edit of mined strings (path and query, or with hosts before them),
// as a crawler applies it. Rules can be compared with ==. The members that do not belong
// to a rule's kind are zero.
type Rule struct {
	Kind Kind

	// For Substring: the leftmost occurrence of From on token boundaries becomes To. An
	// occurrence within a To is skipped, since otherwise a rule whose To contains its
	// From (^/ -> ^/print/) would never settle. An occurrence whose edit would remove the
	// slash at the beginning of a path is skipped too. For Segment: what stands before the
	// segment, and what is left of that.
	From, To string
	AtStart  bool // From stands at the URL's start
	AtEnd    bool // From stands at the URL's end

	// For Drop and Set: every parameter of this name. For Drop, of Other too, and if
	// HasValue, only the pieces Param=Value. For Set, Value is the new value.
	Param    string
	Other    string // the second of two names, in byte order; "": none
	Value    string
	HasValue bool // of Drop; an empty value counts too

	Pattern Pattern // for Drop, in place of the names; for Segment, its class
	InPath  bool    // for Drop: the parameters of path segments, after a ';'

	Form     Form     // for Syntax
	Template Template // for Rewrite

	Scope  Scope
	Except Except // URLs in the scope that the rule leaves as they are
}

// EditsParams reports whether the rule removes or changes parameters by their names.
func (r *Rule) EditsParams() bool { return r.Kind == Drop || r.Kind == Set }

// HasOneName reports whether the rule removes or changes all parameters of one name in the
// query.
func (r *Rule) HasOneName() bool {
	return r.EditsParams() && r.Other == "" && !r.HasValue && r.Pattern == Pattern{} && !r.InPath
}

// Rest returns a URL without the parameters that the rule removes or changes. Rules that
// edit no parameters leave the URL as it is.
func (r *Rule) Rest(url []byte) []byte {
	if r.EditsParams() {
		bare := *r
		bare.Kind, bare.Scope, bare.Except = Drop, Scope{}, Except{}
		if rest, changed := bare.drop(nil, url); changed {
			return rest
		}
	}
	return url
}
