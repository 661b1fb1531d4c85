package canon

import (
	"cmp"
	"iter"
	"slices"

	"dustbuster/operators/rule"
)

// Step is one edit on the way to a canonical form.
type Step struct {
	Rule rule.Rule
	URL  string // the edited URL, with scheme and host; of a relative one the path, or // and the host before it if the site has several
	Site string // the site whose rule it is
	Rank int    // of the rule, from 0
}

// Steps yields the edits that lead Canonical to its result. A URL that Canonical leaves
// alone, or whose edits have no effect, has no steps. Steps is meant for people: it
// allocates.
func (s *Sites) Steps(url string) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		w, ok := s.walk(url)
		if !ok {
			return
		}
		for rank, made := range w.c.Steps(w.text) {
			if !yield(Step{w.c.Rule(rank), w.origin + string(made) + w.fragment, s.names[w.c], rank}) {
				return
			}
		}
	}
}

// Ranks returns the name of the site whose rules lead Canonical to its result, and appends
// the ranks of the rules that take part to dst, ascending and each once. A URL without steps
// has no ranks.
func (s *Sites) Ranks(dst []int, url string) (site string, ranks []int) {
	w, ok := s.walk(url)
	if !ok {
		return "", dst
	}
	for rank := range w.c.Steps(w.text) {
		if at, found := slices.BinarySearch(dst, rank); !found {
			dst = slices.Insert(dst, at, rank)
		}
	}
	return s.names[w.c], dst
}

// SiteOf returns the name of the site whose rules apply to a URL, or false if there are none.
func (s *Sites) SiteOf(url string) (site string, ok bool) {
	a, ok := s.parse(url)
	if !ok {
		return "", false
	}
	c, _ := s.find(a.Host)
	return s.names[c], c != nil
}

// walk is the canonization of one URL.
type walk struct {
	c        *Canonizer
	origin   string // before the edited text
	text     []byte
	fragment string // behind the edited text
}

// walk returns the canonization of a URL, or false if it has no steps.
func (s *Sites) walk(url string) (w walk, ok bool) {
	a, ok := s.parse(url)
	if !ok {
		return w, false
	}
	c, several := s.find(a.Host)
	if c == nil {
		return w, false
	}
	w.c, w.origin, w.fragment = c, a.Origin, a.Fragment()
	prefix := ""
	if several {
		w.origin, prefix = cmp.Or(a.Scheme, "//"), a.Host
	}
	if w.text, ok = a.Mined([]byte(prefix), rule.MaxBytes); !ok {
		return w, false
	}
	out, end := c.Canon(nil, w.text)
	_, _, ok = s.resolve(&a, out, prefix)
	return w, ok && end.Changed()
}
