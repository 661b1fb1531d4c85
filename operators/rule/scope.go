package rule

// Scope is the set of URLs that a rule edits: the URLs that have all members of the
// scope. The zero Scope is the whole site. Scopes can be compared with ==.
type Scope struct {
	Path   string // the path before the first '?'; counts if HasPath
	Prefix string // the beginning of the URL
	Param  string // a parameter that the URL must also have; "" means none, since no parameter has an empty name
	Value  string // the value of Param; counts if HasValue

	HasPath  bool // an empty Path is a member of the scope too
	HasValue bool // an empty Value is a member too: Param stands as "m=", which the bare "m" does not match
}

// Bare returns the scope without its prefix.
func (s Scope) Bare() Scope {
	s.Prefix = ""
	return s
}

// Holds reports whether a URL is in the scope. No allocation. O(bytes).
func (s *Scope) Holds(url []byte) bool {
	if s.Prefix != "" && !hasPrefix(url, s.Prefix) {
		return false
	}
	return (!s.HasPath || hasPath(url, s.Path)) &&
		(s.Param == "" || hasParam(url, s.Param, s.Value, s.HasValue))
}
