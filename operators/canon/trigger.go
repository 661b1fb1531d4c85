package canon

import "dustbuster/operators/dust"

// trigger is a text that every URL changed by a rule contains, on token boundaries, and
// at the ends if anchored.
type trigger struct {
	text           string
	atStart, atEnd bool
}

// triggers returns the possible triggers of a rule; the first n are valid. The first is
// the edited text; the others come from the scope.
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

// rarest chooses for each rule the trigger that the fewest rules share, the first of
// several.
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
