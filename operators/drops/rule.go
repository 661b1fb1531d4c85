package drops

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
)

// Rule is a likely drop: within the scope, the parameters do not seem to matter. Rules
// can be compared with ==.
type Rule struct {
	Params   [2]string // one or two names in byte order; the second is "" if there is one
	Value    string    // counts if HasValue: only the pieces Params[0]=Value are dropped
	HasValue bool
	Scope    Scope

	Support    int // similar pairs of URLs in the scope
	Comparable int // pairs of URLs with evidence to compare, similar or not
}

// Scope is a set of URLs, tested on what a drop leaves of a URL. The zero Scope is the
// whole site.
type Scope struct {
	Path    string       // counts if HasPath; one segment may be "*"
	HasPath bool         //
	Where   [2]Condition // by Param; a condition without a Param demands nothing
}

// Condition demands a piece Param=Value, or with any value.
type Condition struct {
	Param    string
	Value    string // counts if HasValue
	HasValue bool
}

// JSON returns the rule as a line of JSON without the newline. The order of a list uses
// this line.
func (r *Rule) JSON() string {
	type where struct {
		Param string  `json:"param"`
		Value *string `json:"value,omitempty"`
	}
	line := struct {
		Op         string   `json:"op"`
		Params     []string `json:"params"`
		Value      *string  `json:"value,omitempty"`
		Path       *string  `json:"path,omitempty"`
		Where      []where  `json:"where,omitempty"`
		Support    int      `json:"support"`
		Comparable int      `json:"comparable"`
	}{Op: "drop", Params: r.names(), Support: r.Support, Comparable: r.Comparable}
	line.Value, line.Path = optional(r.Value, r.HasValue), optional(r.Scope.Path, r.Scope.HasPath)
	for _, c := range r.Scope.Where {
		if c.Param != "" {
			line.Where = append(line.Where, where{c.Param, optional(c.Value, c.HasValue)})
		}
	}
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	if err := w.Encode(line); err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// String returns the line of JSON.
func (r Rule) String() string { return r.JSON() }

func optional(s string, has bool) *string {
	if !has {
		return nil
	}
	return &s
}

func (r *Rule) names() []string {
	if r.Params[1] == "" {
		return r.Params[:1]
	}
	return r.Params[:]
}

// demands returns how much a scope asks of a URL: 2 for a path or a value, 1 for a path
// with a wildcard or a parameter with any value.
func (s *Scope) demands() (n int) {
	switch {
	case starred(s.Path):
		n = 1
	case s.HasPath:
		n = 2
	}
	for _, c := range s.Where {
		switch {
		case c.HasValue:
			n += 2
		case c.Param != "":
			n++
		}
	}
	return n
}

// starred reports whether a segment of a path reads "*". A segment stands between two
// slashes.
func starred(path string) bool { return strings.Contains(path, "/*/") }

// Compare is the order of a list: support descending, then fewer names, fewer demands,
// and the line of JSON.
func Compare(a, b Rule) int {
	if c := cmp.Or(
		cmp.Compare(b.Support, a.Support),
		cmp.Compare(len(a.names()), len(b.names())),
		cmp.Compare(a.Scope.demands(), b.Scope.demands()),
	); c != 0 {
		return c
	}
	return strings.Compare(a.JSON(), b.JSON())
}
