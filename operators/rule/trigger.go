package rule

import (
	"strings"

	"dustbuster/operators/rule/dust"
)

// Trigger is a text on token boundaries, and at the ends of a URL if anchored.
type Trigger struct {
	Text           string
	AtStart, AtEnd bool
}

// Triggers holds the triggers of a rule in sets. Every URL that the rule changes contains
// a trigger of each set. The first set is of the edit; the others are of the scope. An
// application removes all triggers of a set with several members, or changes nothing.
type Triggers struct {
	all  [10]Trigger
	ends [9]int
	n    int
}

// Len returns the number of sets. There may be none.
func (t *Triggers) Len() int { return t.n }

// Set returns a set.
func (t *Triggers) Set(i int) []Trigger {
	from := 0
	if i > 0 {
		from = t.ends[i-1]
	}
	return t.all[from:t.ends[i]]
}

func (t *Triggers) add(set ...Trigger) {
	from := 0
	if t.n > 0 {
		from = t.ends[t.n-1]
	}
	t.ends[t.n] = from + copy(t.all[from:], set)
	t.n++
}

// Triggers returns the triggers of a valid rule.
func (r *Rule) Triggers() (t Triggers) {
	r.does().triggers(&t)
	s := &r.Scope
	if s.HasPath && !r.inPath() {
		t.add(Trigger{Text: r.pathText(), AtStart: true})
	}
	if prefix := wholeTokens(s.Prefix); prefix != "" {
		t.add(Trigger{Text: prefix, AtStart: true})
	}
	for i := range s.Where {
		if c := &s.Where[i]; c.Param != "" {
			t.add(Trigger{Text: c.text()})
		}
	}
	return t
}

// pathText returns the path of the scope up to a wildcard, or with the '?' if the rule
// needs a query.
func (r *Rule) pathText() string {
	if at := strings.Index(r.Scope.Path, wild); at >= 0 {
		return r.Scope.Path[:at+1]
	}
	if hasQuery := kinds[r.Kind()].hasQuery; r.Scope.Where[0].Param != "" || hasQuery != nil && hasQuery(r) {
		return r.Scope.Path + "?"
	}
	return r.Scope.Path
}

func (c *Condition) text() string {
	switch {
	case c.HasValue:
		return c.Param + "=" + c.Value
	case c.Valued:
		return c.Param + "="
	}
	return c.Param
}

// wholeTokens returns the longest beginning of a prefix that ends with a token in every
// URL below it. The URL may continue the last word of the prefix, or complete an escape,
// which then belongs to the word before or not. One of two continuations makes a word of
// each (%FF of %, and %31 of %3).
func wholeTokens(prefix string) string {
	n, one, other := len(prefix), prefix+"FF", prefix+"11"
	for !dust.Boundary(one, n) || !dust.Boundary(other, n) {
		n--
	}
	return prefix[:n]
}
