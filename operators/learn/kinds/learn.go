package kinds

import (
	"cmp"
	"encoding/json"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/window/evidence"
)

// Name is the name of the learner.
const Name = "kinds"

// About is what the learner finds, for people.
const About = "slashes, case, order, path parameters, patterns, path sessions"

// Options are the options of the learner. The zero value is completed by the defaults.
type Options struct {
	MinSupport int                 // MS, the least number of similar pairs; default 3
	Similarity evidence.Similarity // the test of similar pages
	NoParams   bool                // forms of syntax alone
	Numbers    *search.Numbers     // of the URLs of the pages; nil: Learn makes them
}

// DefaultMinSupport is the default of MinSupport (DustBuster, WWW 2007, section 5.2).
const DefaultMinSupport = 3

// Learn returns the likely rules of the pages. The URLs of the pages must differ.
//
// Learn calls stop now and then. If stop returns true, Learn returns false without result.
func Learn(o Options, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
	l := &learner{o: o, pages: pages, stop: stop, numbers: o.Numbers, all: make([]uint32, len(pages))}
	if l.numbers == nil {
		l.numbers = search.NewNumbers(len(pages), func(n int) string { return pages[n].URL })
	}
	l.o.MinSupport = cmp.Or(o.MinSupport, DefaultMinSupport)
	var known []uint32 // pages with evidence
	for i := range pages {
		l.all[i] = uint32(i)
		if o.Similarity.Known(pages[i].Evidence) {
			known = append(known, uint32(i))
		}
	}
	for f := range rule.Forms() {
		l.try(rule.Rule{Edit: rule.Syntax{Form: f}}, known)
	}
	if !o.NoParams {
		l.try(rule.Rule{Edit: rule.Order{}}, known)
		l.tryPathNames()
		l.tryPatterns(rule.Digits)
		l.tryPatterns(rule.Hex)
		l.trySegments()
	}
	if l.halted {
		return nil, false
	}
	return sorted(l.rules), true
}

func sorted(rules []rule.Likely) []rule.Likely {
	lines := map[rule.Rule]string{}
	for i := range rules {
		lines[rules[i].Rule] = line(&rules[i])
	}
	slices.SortFunc(rules, func(a, b rule.Likely) int {
		return cmp.Or(cmp.Compare(b.Support, a.Support), cmp.Compare(lines[a.Rule], lines[b.Rule]))
	})
	return rules
}

func line(r *rule.Likely) string {
	text, err := json.Marshal(r.Wire())
	if err != nil {
		panic(err) // strings, numbers and booleans can always be encoded
	}
	return string(text)
}

// learner is the state of one call of Learn.
type learner struct {
	o       Options
	pages   []evidence.Page
	numbers *search.Numbers
	all     []uint32 // all pages
	rules   []rule.Likely

	stop   func() bool
	halted bool
	steps  int

	url, edited []byte // scratch
}

func (l *learner) give() bool {
	if l.steps++; l.steps%1024 == 0 && !l.halted {
		l.halted = l.stop != nil && l.stop()
	}
	return l.halted
}

// try adds a rule to the list if it is likely, and reports whether it is. The rule changes
// no pages but the given ones.
func (l *learner) try(r rule.Rule, pages []uint32) bool {
	n := rule.Likely{Rule: r, Learner: Name}
	var lone map[string][]uint32 // pages by the URL made of them, which is no page
	if k := r.Kind(); k == rule.KindDrop || k == rule.KindSegment || k == rule.KindOrder {
		lone = map[string][]uint32{}
	}
	rests := map[string]bool{} // of a segment: what is made of the pages of similar pairs
	for _, u := range pages {
		if l.give() {
			return false
		}
		if !l.o.Similarity.Known(l.pages[u].Evidence) {
			continue
		}
		l.url = append(l.url[:0], l.pages[u].URL...)
		made, changed := r.Apply(l.edited[:0], l.url)
		l.edited = made
		if !changed {
			continue
		}
		if v, known := l.known(made); known {
			if l.compare(&n, u, v) && r.Kind() == rule.KindSegment {
				rests[l.pages[v].URL] = true
			}
		} else if lone != nil {
			lone[string(made)] = append(lone[string(made)], u)
		}
	}
	for made, members := range lone {
		if l.compareAll(&n, members) && r.Kind() == rule.KindSegment {
			rests[made] = true
		}
	}
	if r.Kind() == rule.KindSegment && len(rests) < l.o.MinSupport {
		return false
	}
	if n.Support < l.o.MinSupport || 5*n.Support < 4*n.Comparable {
		return false
	}
	l.rules = append(l.rules, n)
	return true
}

// known returns the page with evidence that a URL names.
func (l *learner) known(url []byte) (page uint32, ok bool) {
	n, ok := l.numbers.Of(url)
	return uint32(n), ok && l.o.Similarity.Known(l.pages[n].Evidence)
}

// compare counts a pair, and reports whether it is similar.
func (l *learner) compare(n *rule.Likely, u, v uint32) bool {
	e, f := l.pages[u].Evidence, l.pages[v].Evidence
	if !l.o.Similarity.Comparable(e, f) {
		return false
	}
	n.Comparable++
	if !l.o.Similarity.Similar(e, f) {
		return false
	}
	n.Support++
	return true
}

// compareAll counts the pairs of a group with its first member in byte order, and reports whether
// one is similar.
func (l *learner) compareAll(n *rule.Likely, members []uint32) (similar bool) {
	first := slices.MinFunc(members, func(u, v uint32) int { return cmp.Compare(l.pages[u].URL, l.pages[v].URL) })
	for _, u := range members {
		if u != first {
			similar = l.compare(n, u, first) || similar
		}
	}
	return similar
}
