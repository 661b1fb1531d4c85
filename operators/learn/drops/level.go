package drops

import (
	"iter"
	"slices"
)

// place returns what the scopes of a group depend on, from one of its URLs.
func (l *learner) place(t target, url uint32) (p place) {
	l.read(url)
	l.readValues()
	c := &l.current
	p.path = l.paths.exact(c.Path())
	for i, v := range c.values {
		if !c.Pieces[i].Valued() || l.words.removes(t, c, i) {
			continue
		}
		p.where = append(p.where, present(c.names[c.Pieces[i].Name]))
		if v != 0 {
			p.where = append(p.where, condition(v))
		}
	}
	slices.Sort(p.where)
	p.where = slices.Compact(p.where)
	names := 0
	for _, c := range p.where {
		if c&anyValue != 0 {
			names++
		}
	}
	p.two = names <= maxWhereNames
	return p
}

// removes reports whether a drop of the target removes the i-th piece.
func (w *words) removes(t target, c *current, i int) bool {
	if t&ownValue != 0 {
		return c.values[i] == uint32(t)
	}
	var few [2]uint32
	return slices.Contains(w.targetNames(few[:0], t), c.names[c.Pieces[i].Name])
}

// level1 yields the scopes of a group with a path or a condition.
func (s *scoper) level1(p *place, yield func(spot)) {
	for _, path := range s.paths(p) {
		yield(spot{path: path})
	}
	for _, c := range p.where {
		yield(spot{where: [2]condition{c}})
	}
}

// level2 yields the scopes with a path and a condition, or two conditions.
func (s *scoper) level2(p *place, yield func(spot)) {
	p.where = slices.DeleteFunc(p.where, func(c condition) bool { return !s.alive(0, c, 0) })
	for _, path := range s.paths(p) {
		if !s.alive(path, 0, 0) {
			continue
		}
		for _, c := range p.where {
			yield(spot{path, [2]condition{c}})
		}
	}
	s.eachTwo(p, func(c, d condition) { yield(spot{0, [2]condition{c, d}}) })
}

// level3 yields the scopes with a path and two conditions.
func (s *scoper) level3(p *place, yield func(spot)) {
	s.eachTwo(p, func(c, d condition) {
		if !s.alive(0, c, d) {
			return
		}
		for _, path := range s.paths(p) {
			if s.alive(path, c, 0) && s.alive(path, d, 0) {
				yield(spot{path, [2]condition{c, d}})
			}
		}
	})
}

// paths returns the exact path of a group and its wildcards.
func (s *scoper) paths(p *place) []uint32 {
	if p.path == 0 {
		return nil
	}
	return s.l.paths.list[p.path].all
}

func (s *scoper) eachTwo(p *place, yield func(c, d condition)) {
	if !p.two {
		return
	}
	for i, d := range p.where {
		for _, c := range p.where[:i] {
			if s.l.words.nameOf(c) != s.l.words.nameOf(d) {
				yield(c, d)
			}
		}
	}
}

// alive reports whether scopes narrower than a counted one can be listed.
func (s *scoper) alive(path uint32, c, d condition) bool {
	n := s.counters[spot{path, [2]condition{c, d}}]
	return n != nil && n.alive
}

// judge finds the counters that are alive, after a level has been counted.
func (s *scoper) judge() {
	for at, n := range s.counters {
		n.alive = s.exists(at, n) && n.sums.enough(s.names, s.l.o.MinSupport) && !s.likely(at, n)
	}
}

// exists reports whether a counted scope is one: a wildcard must stand for several paths.
func (s *scoper) exists(at spot, n *counter) bool { return n.paths || !s.l.paths.list[at.path].star }

func (s *scoper) likely(at spot, n *counter) bool {
	return n.sums.likely(s.names, s.l.o.MinSupport) && s.exists(at, n) && (s.refuted == nil || !s.refuted(s.l.scope(at)))
}

func (s *scoper) covered(at spot) bool {
	for w := range s.l.widerSpots(at) {
		if n := s.counters[w]; n != nil && s.likely(w, n) {
			return true
		}
	}
	return false
}

func (l *learner) widerSpots(at spot) iter.Seq[spot] {
	return func(yield func(spot) bool) {
		paths := append([]uint32{0, at.path}, l.paths.list[at.path].stars...)
		slices.Sort(paths)
		for _, path := range slices.Compact(paths) {
			for _, c := range l.weaker(at.where[0]) {
				for _, d := range l.weaker(at.where[1]) {
					if w := newSpot(path, c, d); w != at && !yield(w) {
						return
					}
				}
			}
		}
	}
}

// weaker returns the conditions that a URL meets if the URL meets c.
func (l *learner) weaker(c condition) []condition {
	if c == 0 {
		return []condition{0}
	}
	if c&anyValue != 0 {
		return []condition{c, 0}
	}
	return []condition{c, present(l.words.nameOf(c)), 0}
}

func newSpot(path uint32, c, d condition) spot {
	if c == 0 || d != 0 && d < c {
		c, d = d, c
	}
	return spot{path, [2]condition{c, d}}
}
