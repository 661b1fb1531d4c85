package drops

import (
	"slices"

	"dustbuster/operators/rule"
)

// spot is a scope by numbers. The zero spot is the whole site.
type spot struct {
	path  uint32
	where [2]condition // a single condition comes first
}

func (l *learner) scope(s spot) rule.Scope {
	all := rule.Scope{Path: l.paths.list[s.path].text, HasPath: s.path != 0}
	all.Where = [2]rule.Condition{l.words.condition(s.where[0]), l.words.condition(s.where[1])}
	if w := &all.Where; w[1].Param != "" && w[0].Param > w[1].Param {
		w[0], w[1] = w[1], w[0]
	}
	return all
}

func (l *learner) wider(w, s spot) bool {
	return (w.path == 0 || w.path == s.path || slices.Contains(l.paths.list[s.path].stars, w.path)) &&
		l.met(w.where[0], s) && l.met(w.where[1], s)
}

// met reports whether a URL that meets the conditions of a scope meets a condition.
func (l *learner) met(c condition, s spot) bool {
	return c == 0 || c == s.where[0] || c == s.where[1] ||
		c&anyValue != 0 && (l.implies(s.where[0], c) || l.implies(s.where[1], c))
}

func (l *learner) implies(c, anyValue condition) bool {
	return c != 0 && present(l.words.nameOf(c)) == anyValue
}

// counter counts the groups of a scope.
type counter struct {
	sums  sums
	path  uint32 // of the first group
	paths bool   // there are groups of another path
	alive bool   // narrower scopes can be listed
}

// place is what the scopes of a group depend on.
type place struct {
	path  uint32      // 0: the site alone
	where []condition // single conditions
	two   bool        // two conditions may be asked
}

// scoper counts the groups of one target by scope.
type scoper struct {
	l        *learner
	t        target
	names    int                   // of several names, else 0
	refuted  func(rule.Scope) bool // nil: none is
	places   []place
	counters map[spot]*counter
}

// newScoper counts the scopes of a target, whose groups have the sum total. Scopes are
// counted from wide to narrow, and only where all wider ones have support and are not
// likely: a narrower scope has no more support.
func (l *learner) newScoper(t target, total sums, groups []group, refuted func(rule.Scope) bool) *scoper {
	s := &scoper{l: l, t: t, names: l.words.several(t), refuted: refuted, counters: map[spot]*counter{{}: {sums: total}}}
	if s.judge(); !s.alive(0, 0, 0) {
		return s
	}
	for i := range groups {
		s.places = append(s.places, l.place(t, groups[i].url))
	}
	for _, level := range []func(*place, func(spot)){s.level1, s.level2, s.level3} {
		for i := range groups {
			if l.give() {
				return s
			}
			level(&s.places[i], func(at spot) { s.count(at, s.places[i].path, &groups[i].sums) })
		}
		s.judge()
	}
	return s
}

// listed yields the likely scopes below no wider one that is likely. A refuted scope
// counts as not likely.
func (s *scoper) listed(yield func(spot, *sums) bool) {
	for at, n := range s.counters {
		if s.likely(at, n) && !s.covered(at) && !yield(at, &n.sums) {
			return
		}
	}
}

func (s *scoper) count(at spot, path uint32, n *sums) {
	c := s.counters[at]
	if c == nil {
		c = &counter{path: path}
		s.counters[at] = c
	}
	c.sums.add(n)
	c.paths = c.paths || c.path != path
}
