package drops

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/url/query"
	"dustbuster/operators/window/evidence"
)

// Learn returns the listed rules of the pages. The URLs of the pages must differ.
//
// Learn calls stop now and then. If stop returns true, Learn returns false without result.
// stop may be nil.
func Learn(o Options, pages []evidence.Page, stop func() bool) (rules []rule.Likely, done bool) {
	return newLearner(o, pages, stop).learn()
}

func (l *learner) learn() (rules []rule.Likely, done bool) {
	l.learnNames()
	pairs, sets := l.learnValues()
	l.learnPairs(pairs)
	l.learnSets(sets)
	if l.halted {
		return nil, false
	}
	return sorted(l.rules), true
}

// learner is the state of one call of Learn.
type learner struct {
	o     Options
	pages []evidence.Page
	names int // of all URLs that can be in groups, together
	words words
	paths paths
	seed  maphash.Seed

	entries []entry           // of the current kind of target
	waiting []waiting         // for their places in entries
	lookups *search.Lookups   // of the rests of the waiting entries
	single  singles           // the groups of all targets of one name
	listed  map[target][]spot // the widest likely scopes of targets of names
	rules   []rule.Likely

	visit func(t target, total sums, groups []group) // called for each target with support
	only  target                                     // the target wanted; 0: all

	together together
	unlisted []unlisted // the likely rules of three and more names

	pairEntries int // see learnPairs
	mostSets    int
	shares      int

	stop   func() bool
	halted bool
	steps  int

	current     current  // scratch
	other       current  // scratch
	groups      []group  // scratch
	targetNames []uint32 // scratch
	members     []entry  // scratch
	touched     byte     // without meaning: results of early reads of memory
}

// current is the URL at which a learner looks.
type current struct {
	query.Query
	url    uint32
	names  []uint32 // numbers of the distinct names
	values []uint32 // for each piece the number of its value, or 0
	buf    []byte
}

func newLearner(o Options, pages []evidence.Page, stop func() bool) *learner {
	l := &learner{o: o.orDefaults(), pages: pages, stop: stop, pairEntries: pairEntries, mostSets: mostSets,
		words: newWords(), paths: newPaths(), seed: maphash.MakeSeed(), listed: map[target][]spot{}}
	l.together = together{seed: l.seed, sets: map[namesKey][]target{}}
	if l.o.Numbers == nil {
		l.o.Numbers = search.NewNumbers(len(pages), func(n int) string { return pages[n].URL })
	}
	l.lookups = l.o.Numbers.Lookups()
	l.visit = l.listTarget
	for i := range pages {
		if l.give() {
			return l
		}
		l.current.text(pages[i].URL, 0)
		l.words.add(&l.current.Query)
		if len(l.current.Pieces) <= MaxPieces && l.o.Similarity.Known(pages[i].Evidence) {
			l.names += l.current.Names()
		}
	}
	l.words.numberValues()
	return l
}

func (c *current) text(url string, most int) {
	c.buf = append(c.buf[:0], url...)
	c.Split(c.buf, most)
}

func (l *learner) give() bool {
	if l.steps++; l.steps%1024 == 0 && l.stop != nil && l.stop() {
		l.halted = true
	}
	return l.halted
}

// each visits the URLs that can be in groups. The URL is in l.current.
func (l *learner) each(visit func()) {
	defer l.enterWaiting()
	for i := range l.pages {
		if l.give() {
			return
		}
		if l.o.Similarity.Known(l.pages[i].Evidence) && l.read(uint32(i)) {
			visit()
		}
	}
}

// read makes a page the current URL, and reports whether it can be in groups.
func (l *learner) read(url uint32) bool {
	c := &l.current
	c.text(l.pages[url].URL, MaxPieces)
	before := c.names // most URLs have the names of the one before
	c.url, c.names, c.values = url, c.names[:0], c.values[:0]
	for n := range c.Names() {
		name := c.Name(n)
		if n < len(before) && l.words.names[before[n]].text == string(name) {
			c.names = append(c.names, before[n])
		} else {
			c.names = append(c.names, l.words.ids[string(name)])
		}
	}
	return len(c.Pieces) <= MaxPieces && len(c.names) > 0
}

func (l *learner) readValues() {
	c := &l.current
	for _, p := range c.Pieces {
		v := uint32(0)
		if p.Valued() {
			v = l.words.value(c.names[p.Name], c.ValueOf(p))
		}
		c.values = append(c.values, v)
	}
}

func (l *learner) learnNames() {
	if l.only == 0 {
		l.entries = make([]entry, 0, l.names)
	}
	l.each(func() {
		for n, name := range l.current.names {
			l.together.add(name, l.current.url)
			l.enter(oneName(name), false, func(i int) bool { return l.current.Pieces[i].Name == n })
		}
	})
	slices.SortFunc(l.entries, entry.compare)
	l.single.init(l.entries)
	l.learnSorted(anyTarget)
	l.single.entries, l.entries = l.entries, nil
}

// learnValues learns own values, and counts the entries of pairs and of more names. An own value is not listed where its
// name is likely.
func (l *learner) learnValues() (pairs, sets int) {
	l.each(func() {
		l.eachPair(func(target, int, int) { pairs++ })
		l.eachSet(func(target) { sets++ })
		l.readValues()
		c := &l.current
		for i, v := range c.values {
			if v != 0 && !slices.Contains(c.values[:i], v) && !l.likelyEverywhere(c.names[c.Pieces[i].Name]) {
				l.enter(oneValue(v), true, func(i int) bool { return c.values[i] == v })
			}
		}
	})
	l.learnEntries()
	l.entries = l.entries[:0]
	return pairs, sets
}

// pairEntries is about the number of entries of pairs in memory at a time, 24 bytes each.
const pairEntries = 1 << 22

// learnPairs learns the targets of two names, a share of so many entries at a time.
func (l *learner) learnPairs(all int) {
	l.shares = all/l.pairEntries + 1
	l.entries = slices.Grow(l.entries, all/l.shares)
	for share := range l.shares {
		l.entries = l.entries[:0]
		l.each(func() {
			l.eachPair(func(t target, n, m int) {
				if maphash.Comparable(l.seed, t)%uint64(l.shares) == uint64(share) {
					l.enter(t, false, func(i int) bool { p := l.current.Pieces[i].Name; return p == n || p == m })
				}
			})
		})
		l.learnEntries()
	}
}

// eachPair yields the targets of two names of the current URL, with the numbers of the
// names in the query. A pair is not listed where both names are likely.
func (l *learner) eachPair(yield func(t target, n, m int)) {
	c := &l.current
	if len(c.names) > MaxPairNames {
		return
	}
	for m := range c.names {
		for n := range m {
			a, b := c.names[n], c.names[m]
			if l.likelyEverywhere(a) && l.likelyEverywhere(b) {
				continue
			}
			yield(l.words.two(a, b), n, m)
		}
	}
}

func (l *learner) likelyEverywhere(name uint32) bool {
	s := l.listed[oneName(name)]
	return len(s) == 1 && s[0] == spot{}
}

// enter adds the current URL to its group of a target. If only is set, the group must
// have a listed rest.
func (l *learner) enter(t target, only bool, removed func(i int) bool) {
	if !l.wants(t) {
		return
	}
	c := &l.current
	n := len(c.buf)
	all := c.Without(c.buf, removed)
	c.buf = all[:n]
	rest := all[n:]
	l.lookups.Add(rest)
	if l.waiting = append(l.waiting, waiting{entry{target: t, url: c.url, base: none}, only}); len(l.waiting) == search.Together {
		l.enterWaiting()
	}
}

// waiting is an entry whose rest is not looked up yet.
type waiting struct {
	entry
	only bool // the rest must be listed
}

func (l *learner) enterWaiting() {
	l.lookups.Find(func(place, number int, hash uint64, listed bool) {
		e := &l.waiting[place]
		if e.hash = hash; listed && l.o.Similarity.Known(l.pages[number].Evidence) {
			e.base = uint32(number)
		} else if e.only {
			return
		}
		l.entries = append(l.entries, e.entry)
	})
	l.waiting = l.waiting[:0]
}

// entry is a URL in a group.
type entry struct {
	target target
	hash   uint64 // of the rest
	url    uint32
	base   uint32 // the rest, if listed, else none
}

const none = math.MaxUint32

func (a entry) compare(b entry) int {
	if a.target != b.target {
		return cmp.Compare(a.target, b.target)
	}
	return cmp.Compare(a.hash, b.hash)
}

func (l *learner) learnEntries() {
	slices.SortFunc(l.entries, entry.compare)
	l.learnSorted(anyTarget)
}

func anyTarget(target) bool { return true }

// learnSorted learns the targets of the sorted entries that are wanted.
func (l *learner) learnSorted(wanted func(target) bool) {
	for from := 0; from < len(l.entries) && !l.halted; {
		to := from + 1
		for to < len(l.entries) && l.entries[to].target == l.entries[from].target {
			to++
		}
		if wanted(l.entries[from].target) {
			l.learnTarget(from, to)
		}
		from = to
	}
}

func (l *learner) learnTarget(from, to int) {
	t := l.entries[from].target
	total, groups := l.fold(from, to)
	if total.enough(l.words.several(t), l.o.MinSupport) {
		l.visit(t, total, groups)
	}
}

func (l *learner) listTarget(t target, total sums, groups []group) {
	for at, n := range l.newScoper(t, total, groups, nil).listed {
		if t.many() {
			l.unlisted = append(l.unlisted, unlisted{t, at, *n})
		} else {
			l.list(t, at, n)
		}
		if t&ownValue == 0 {
			l.listed[t] = append(l.listed[t], at)
		}
	}
}

// list adds a rule to the list, unless the same scope is listed, or a wider one, of each
// name of a pair, or of an own value's name.
func (l *learner) list(t target, s spot, n *sums) {
	var few [2]uint32
	if names := l.words.targetNames(few[:0], t); t != oneName(names[0]) && !slices.ContainsFunc(names, func(name uint32) bool { return !l.coveredBy(oneName(name), s) }) {
		return
	}
	l.rules = append(l.rules, l.rule(t, s, n))
}

func (l *learner) rule(t target, s spot, n *sums) rule.Likely {
	r := l.words.rule(t)
	r.Scope = l.scope(s)
	return rule.Likely{Rule: r, Learner: Name, Support: int(n.all.similar), Comparable: int(n.all.comparable)}
}

// coveredBy reports whether a target is likely in a scope or in a wider one.
func (l *learner) coveredBy(t target, s spot) bool {
	return slices.ContainsFunc(l.listed[t], func(w spot) bool { return l.wider(w, s) })
}

// Options are the options of the learner. The zero value is completed by the defaults.
type Options struct {
	MinSupport int                 // MS, the least number of similar pairs; default 3
	Similarity evidence.Similarity // the test of similar pages
	Numbers    *search.Numbers     // of the URLs of the pages; nil: Learn makes them
}

// DefaultMinSupport is the default of MinSupport (DustBuster, WWW 2007, section 5.2).
const DefaultMinSupport = 3

func (o Options) orDefaults() Options {
	o.MinSupport = cmp.Or(o.MinSupport, DefaultMinSupport)
	return o
}

// Limits on what is considered of a URL. Package weight makes the same groups.
const (
	MaxPieces     = 32 // a URL of more pieces is in no group
	MaxPairNames  = 8  // a URL of more names has no targets of several names
	maxValues     = 40 // a name of more values gives neither own values nor conditions by value
	maxWhereNames = 6  // a rest with values of more names gives no two conditions
	maxSlashes    = 8  // a path of more slashes gets no wildcard
)
