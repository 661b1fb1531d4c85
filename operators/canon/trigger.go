package canon

import "dustbuster/operators/dust"

// trigger is a text without which a rule does not change a URL: it stands in the
// URL on token boundaries, and at its ends if so said.
type trigger struct {
	text           string
	atStart, atEnd bool
}

// triggers returns the texts that a rule cannot do without; n of them count. What
// the rule edits is the first; the others come from its scope.
func (r *Rule) triggers() (all [4]trigger, n int) {
	add := func(t trigger) { all[n] = t; n++ }
	s := &r.Scope
	if r.Kind == Substring {
		add(trigger{r.From, r.AtStart, r.AtEnd})
	} else {
		add(trigger{text: r.Param})
	}
	if s.HasPath {
		add(trigger{text: r.pathText(), atStart: true})
	}
	if prefix := wholeTokens(s.Prefix); prefix != "" {
		add(trigger{text: prefix, atStart: true})
	}
	if s.Param != "" {
		add(trigger{text: s.paramText()})
	}
	return all, n
}

// pathText is the path of the scope, with the '?' if the rule needs a query.
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
// URL that begins with the prefix. Behind the prefix its last word may go on, and so
// may an escape, which then belongs to the word before it or not: one of two texts
// makes a word of each (%FF of %, and %31 of %3).
func wholeTokens(prefix string) string {
	n, one, other := len(prefix), prefix+"FF", prefix+"11"
	for !dust.Boundary(one, n) || !dust.Boundary(other, n) {
		n--
	}
	return prefix[:n]
}

// rarest chooses for each rule the one of its triggers that the fewest rules
// have; among equals, the first.
func rarest(rules []Rule) []trigger {
	uses := make(map[trigger]int)
	for i := range rules {
		all, n := rules[i].triggers()
		for _, t := range all[:n] {
			uses[t]++
		}
	}
	chosen := make([]trigger, len(rules))
	for i := range rules {
		all, n := rules[i].triggers()
		chosen[i] = all[0]
		for _, t := range all[1:n] {
			if uses[t] < uses[chosen[i]] {
				chosen[i] = t
			}
		}
	}
	return chosen
}
