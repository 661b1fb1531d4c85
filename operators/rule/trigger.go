package rule

import "dustbuster/operators/dust"

// Trigger is a text that every URL changed by a rule contains, on token boundaries, and
// at the ends if anchored.
type Trigger struct {
	Text           string
	AtStart, AtEnd bool
}

// Triggers returns the possible triggers of a rule; the first n are valid. The first is
// the edited text; the others come from the scope.
func (r *Rule) Triggers() (all [4]Trigger, n int) {
	add := func(t Trigger) { all[n] = t; n++ }
	s := &r.Scope
	if r.Kind == Substring {
		add(Trigger{r.From, r.AtStart, r.AtEnd})
	} else {
		add(Trigger{Text: r.Param})
	}
	if s.HasPath {
		add(Trigger{Text: r.pathText(), AtStart: true})
	}
	if prefix := wholeTokens(s.Prefix); prefix != "" {
		add(Trigger{Text: prefix, AtStart: true})
	}
	if s.Param != "" {
		add(Trigger{Text: s.paramText()})
	}
	return all, n
}

// pathText returns the path of the scope, with the '?' if the rule needs a query.
func (r *Rule) pathText() string {
	if r.Kind == Substring && r.Scope.Param == "" {
		return r.Scope.Path
	}
	return r.Scope.Path + "?"
}

func (s *Scope) paramText() string {
	if s.HasValue {
		return s.Param + "=" + s.Value
	}
	return s.Param
}

// wholeTokens returns the longest beginning of a prefix that ends with a token in every
// URL with the prefix. The URL may continue the last word of the prefix, or complete an
// escape, which then belongs to the word before or not. One of two continuations makes a
// word of each (%FF of %, and %31 of %3).
func wholeTokens(prefix string) string {
	n, one, other := len(prefix), prefix+"FF", prefix+"11"
	for !dust.Boundary(one, n) || !dust.Boundary(other, n) {
		n--
	}
	return prefix[:n]
}
