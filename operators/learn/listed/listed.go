// Package listed makes candidates of the parameters that a list of others names (package lists), where the log has
// them. A list is no evidence: each name is tried like any other rule. Its word only makes a trial likelier to come.
//
// A name is listed if the list has every parameter of that name in the URLs, of the first 16 where the list asks for
// values. URLs of more than 32 pieces do not count.
//
// The group of a name and a rest is the URLs that are the rest without the name, as in package drops: its base is the
// rest, if it is a page, else the first member. Each other member and the base are a pair. The rule of a listed name,
// which drops it everywhere, is found if it has a pair. Its support is the number of similar pairs, which may be 0.
package listed

import (
	"slices"

	"dustbuster/operators/read/lists"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/url/query"
	"dustbuster/operators/window/evidence"
)

// Name is the name of the learner in lists of rules.
const Name = "lists"

// Bounds.
const (
	maxPieces = 32
	maxValues = 16      // parameters of one name that are compared with patterns of values
	maxNames  = 1 << 17 // names of a site, the first of its pages
	stopEvery = 1024    // pages between two calls of stop
)

// Names returns the listed names that occur in the pages, in byte order. O(bytes), and for each name the cost of
// lists.Names.Has. If stop returns true, Names soon returns false.
func Names(of *lists.Names, pages []evidence.Page, stop func() bool) (names []string, done bool) {
	all, values := map[string]*seen{}, of.NeedsValues()
	var q query.Query
	var buf []byte
	for i := range pages {
		if i%stopEvery == 0 && stop() {
			return nil, false
		}
		buf = append(buf[:0], pages[i].URL...)
		q.Split(buf, maxPieces)
		for _, p := range q.Pieces {
			if p.Name == query.Nameless || q.Params > maxPieces {
				continue
			}
			s := all[string(q.NameOf(p))]
			switch {
			case s == nil && len(all) < maxNames:
				name := string(q.NameOf(p))
				s = &seen{always: of.HasName(name)}
				all[name] = s
			case s == nil:
				continue
			}
			if values {
				s.compare(of, q.NameOf(p), q.Text(p))
			}
		}
	}
	for name, s := range all {
		if s.always || s.values > 0 && !s.differs {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, true
}

// seen is what is known of a name.
type seen struct {
	always  bool // the list has the name, whatever its value
	values  int  // parameters that were compared with the list
	differs bool // the list lacks one of them
}

func (s *seen) compare(of *lists.Names, name, text []byte) {
	if !s.always && !s.differs && s.values < maxValues {
		s.values++
		s.differs = !of.Has(string(name), string(text))
	}
}

// Options are the options of the learner.
type Options struct {
	Similarity evidence.Similarity // the test of similar pages
	Numbers    *search.Numbers     // of the URLs of the pages
}

// Learn returns the rules of names that occur in the pages, the names in byte order. O(bytes) for each name of each
// URL. If stop returns true, Learn soon returns false.
func Learn(o Options, names []string, pages []evidence.Page, stop func() bool) (rules []rule.Likely, done bool) {
	if len(names) == 0 {
		return nil, true
	}
	l := &learner{o: o, pages: pages, lookups: o.Numbers.Lookups(), figures: make([]figures, len(names)), first: map[group]uint32{}}
	for i := range pages {
		if i%stopEvery == 0 && stop() {
			return nil, false
		}
		l.add(names, i)
	}
	l.settle()
	for n, f := range l.figures {
		if f.pairs > 0 {
			rules = append(rules, rule.Likely{Rule: rule.Rule{Edit: rule.Drop{Param: names[n]}}, Learner: Name, Support: f.similar, Comparable: f.comparable})
		}
	}
	return rules, true
}

// learner is the state of one call of Learn.
type learner struct {
	o       Options
	pages   []evidence.Page
	lookups *search.Lookups
	waiting []member // whose rests are in lookups
	figures []figures
	first   map[group]uint32 // the first member of groups whose rest is no page
	q       query.Query
	buf     []byte
}

// member is a page with a name, by their numbers.
type member struct {
	name int
	page uint32
}

// group is the number of a name, and the hash of a rest.
type group struct {
	name int
	rest uint64
}

type figures struct{ pairs, comparable, similar int }

// add adds a page to its groups.
func (l *learner) add(names []string, page int) {
	l.buf = append(l.buf[:0], l.pages[page].URL...)
	l.q.Split(l.buf, maxPieces)
	for n := range l.q.Names() {
		name, is := slices.BinarySearch(names, string(l.q.Name(n)))
		if !is {
			continue
		}
		size := len(l.buf)
		all := l.q.Rest(l.buf, n)
		l.buf = all[:size]
		l.lookups.Add(all[size:])
		if l.waiting = append(l.waiting, member{name, uint32(page)}); len(l.waiting) == search.Together {
			l.settle()
		}
	}
}

// settle makes pairs of the waiting members.
func (l *learner) settle() {
	l.lookups.Find(func(place, number int, hash uint64, isPage bool) {
		m := l.waiting[place]
		base := uint32(number)
		if !isPage {
			g := group{m.name, hash}
			first, has := l.first[g]
			if !has {
				l.first[g] = m.page
				return
			}
			base = first
		}
		f, u, v := &l.figures[m.name], l.pages[m.page].Evidence, l.pages[base].Evidence
		f.pairs++
		if l.o.Similarity.Comparable(u, v) {
			f.comparable++
		}
		if l.o.Similarity.Similar(u, v) {
			f.similar++
		}
	})
	l.waiting = l.waiting[:0]
}
