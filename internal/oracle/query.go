package oracle

import "strings"

// Param is a parameter of a query.
type Param struct {
	Name, Value string
	Bare        bool // the name stands alone, without '='
}

// Pieces splits a URL at its first '?' and the query at '&' and ';'. has reports whether
// there is a query.
func Pieces(url string) (path string, pieces []string, has bool) {
	path, query, has := strings.Cut(url, "?")
	if !has {
		return path, nil, false
	}
	return path, strings.Split(strings.ReplaceAll(query, ";", "&"), "&"), true
}

// ParamOf returns the parameter that a piece is. ok is false for a piece without a name.
func ParamOf(piece string) (p Param, ok bool) {
	name, value, valued := strings.Cut(piece, "=")
	return Param{name, value, !valued}, name != ""
}

// Params returns the parameters of a URL in order, repeated parameters too.
func Params(url string) (list []Param) {
	_, pieces, _ := Pieces(url)
	for _, s := range pieces {
		if p, ok := ParamOf(s); ok {
			list = append(list, p)
		}
	}
	return list
}

// Without removes the parameters for which removed returns true, one at a time from the
// left.
func Without(url string, removed func(Param) bool) string {
	for {
		shorter, ok := withoutFirst(url, removed)
		if !ok {
			return url
		}
		url = shorter
	}
}

// WithoutName removes the parameters of a name.
func WithoutName(url, name string) string {
	return Without(url, func(p Param) bool { return p.Name == name })
}

func withoutFirst(url string, removed func(Param) bool) (string, bool) {
	path, query, has := strings.Cut(url, "?")
	if !has {
		return url, false
	}
	for from := 0; from <= len(query); {
		to := from + strings.IndexAny(query[from:]+"&", "&;")
		if p, ok := ParamOf(query[from:to]); ok && removed(p) {
			switch {
			case to < len(query):
				query = query[:from] + query[to+1:]
			case from > 0:
				query = query[:from-1]
			default:
				query = ""
			}
			if query == "" {
				return path, true
			}
			return path + "?" + query, true
		}
		from = to + 1
	}
	return url, false
}
