package drops

import (
	"cmp"
	"hash/maphash"
	"slices"

	"dustbuster/operators/rule"
)

// together tells which names occur on the same URLs, of those that can be in groups.
type together struct {
	seed maphash.Seed
	urls []onURLs // by number of the name

	sets map[namesKey][]target // what setsOf returned, by the names of the URL
}

type namesKey [MaxPairNames]uint32

// onURLs is a set of URLs: their number, and the sum of their hashes. The key of the hashes is drawn
// anew by each call of Learn, so nobody can make two sets of one sum.
type onURLs struct{ n, sum uint64 }

func (g *together) add(name, url uint32) {
	for uint32(len(g.urls)) <= name {
		g.urls = append(g.urls, onURLs{})
	}
	g.urls[name].n++
	g.urls[name].sum += maphash.Comparable(g.seed, url)
}

// any reports whether two of some names come together.
func (g *together) any(names []uint32) bool {
	for i, n := range names {
		for _, m := range names[:i] {
			if g.urls[n] == g.urls[m] {
				return true
			}
		}
	}
	return false
}

// setWord is a target of three and more names: a group of names that come together, and perhaps one
// name more.
type setWord struct {
	names    []uint32  // in byte order
	group    target    // of the names that come together, if there is one more
	together []uint32  // these names
	more     [1]uint32 // the one more
}

// setKey is the names of a set.
type setKey [rule.MaxNames]uint32

// set returns the target of three and more names, which stand in byte order.
func (w *words) set(names []uint32) target {
	var key setKey
	copy(key[:], names)
	t, known := w.setIDs[key]
	if !known {
		t = manyName | target(len(w.sets))
		w.setIDs[key] = t
		w.sets = append(w.sets, setWord{names: slices.Clone(names)})
	}
	return t
}

// setWith returns the target of a group of names that come together, and one name more.
func (w *words) setWith(group []uint32, more uint32) target {
	names := append(slices.Clone(group), more)
	slices.SortFunc(names, w.compareNames)
	t := w.set(names)
	if s := &w.sets[uint32(t)]; s.group == 0 {
		s.group, s.together, s.more = w.groupOf(group), slices.Clone(group), [1]uint32{more}
	}
	return t
}

// groupOf returns the target of two and more names, which stand in byte order.
func (w *words) groupOf(names []uint32) target {
	if len(names) == 2 {
		return twoNames(names[0], names[1])
	}
	return w.set(names)
}

// two returns the target of two names.
func (w *words) two(n, m uint32) target {
	if w.names[n].text > w.names[m].text {
		n, m = m, n
	}
	return twoNames(n, m)
}

func (w *words) compareNames(n, m uint32) int {
	return cmp.Compare(w.names[n].text, w.names[m].text)
}

// setsOf returns the targets of three and more names of a URL with some names, and the groups of two
// that are parts of them. A target of names that are all likely is not listed.
func (l *learner) setsOf(names []uint32) (sets []target) {
	if !l.together.any(names) {
		return nil
	}
	left := slices.Clone(names)
	slices.SortFunc(left, l.words.compareNames)
	doubtful := func(n uint32) bool { return !l.likelyEverywhere(n) }
	for len(left) > 0 {
		group := slices.DeleteFunc(slices.Clone(left), func(n uint32) bool { return l.together.urls[n] != l.together.urls[left[0]] })
		left = slices.DeleteFunc(left, func(n uint32) bool { return slices.Contains(group, n) })
		if len(group) < 2 || len(group) > rule.MaxNames {
			continue
		}
		doubt := slices.ContainsFunc(group, doubtful)
		sets = append(sets, l.words.groupOf(group))
		for _, more := range names {
			if len(group) < rule.MaxNames && !slices.Contains(group, more) && (doubt || doubtful(more)) {
				sets = append(sets, l.words.setWith(group, more))
			}
		}
	}
	return sets
}

// eachSet yields the targets of setsOf of the current URL.
func (l *learner) eachSet(yield func(t target)) {
	g, names := &l.together, l.current.names
	if len(names) < 2 || len(names) > MaxPairNames {
		return
	}
	var key namesKey
	copy(key[:], names)
	sets, known := g.sets[key]
	if !known && max(len(g.sets), len(l.words.sets)) < l.mostSets {
		sets = l.setsOf(names)
		g.sets[key] = sets
	}
	for _, t := range sets {
		yield(t)
	}
}

// learnSets learns the targets of three and more names, a share at a time as learnPairs does. The
// targets of one group of names are in one share.
func (l *learner) learnSets(all int) {
	shares := all/l.pairEntries + 1
	var names []uint32
	for share := 0; share < shares && all > 0; share++ {
		l.entries = l.entries[:0]
		l.each(func() {
			l.eachSet(func(t target) {
				if maphash.Comparable(l.seed, l.words.groupIn(t))%uint64(shares) == uint64(share) {
					names = l.words.targetNames(names[:0], t)
					l.enter(t, false, func(i int) bool {
						p := l.current.Pieces[i]
						return (p.Valued() || p.Bare()) && slices.Contains(names, l.current.names[p.Name])
					})
				}
			})
		})
		slices.SortFunc(l.entries, entry.compare)
		l.learnSorted(target.many)
	}
	l.listSets()
}

// mostSets bounds the memory for hostile lists, some 300 bytes each: the targets of three and more
// names, and the sets of names that URLs have. Targets of further sets of names are left out.
const mostSets = 1 << 16

// groupIn returns the group of names that come together in a target of setsOf.
func (w *words) groupIn(t target) target {
	if t.many() && w.sets[uint32(t)].group != 0 {
		return w.sets[uint32(t)].group
	}
	return t
}

// run returns the members of a group of the current share.
func (l *learner) run(t target, hash uint64) []entry {
	wanted := entry{target: t, hash: hash}
	from, _ := slices.BinarySearchFunc(l.entries, wanted, entry.compare)
	to := from
	for to < len(l.entries) && l.entries[to].compare(wanted) == 0 {
		to++
	}
	return l.entries[from:to]
}

// unlisted is a likely rule of three and more names.
type unlisted struct {
	t    target
	at   spot
	sums sums
}

// listSets lists the likely rules of three and more names, unless each name is one of fewer of them
// that are likely in the same scope, or in a wider one.
func (l *learner) listSets() {
	for i := range l.unlisted {
		if u := &l.unlisted[i]; !l.hasFewer(u) {
			l.rules = append(l.rules, l.rule(u.t, u.at, &u.sums))
		}
	}
}

func (l *learner) hasFewer(u *unlisted) bool {
	s := &l.words.sets[uint32(u.t)]
	covered := func(name uint32) bool {
		if l.coveredBy(oneName(name), u.at) || s.group.many() && slices.Contains(s.together, name) && l.coveredBy(s.group, u.at) {
			return true
		}
		return slices.ContainsFunc(s.names, func(other uint32) bool { return other != name && l.coveredBy(l.words.two(name, other), u.at) })
	}
	return !slices.ContainsFunc(s.names, func(name uint32) bool { return !covered(name) })
}
