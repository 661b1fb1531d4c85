package drops

import (
	"math/bits"
	"slices"

	"dustbuster/operators/rule"
)

// group is a group that counts, of at least two URLs.
type group struct {
	url  uint32 // a URL with the target
	sums sums
}

// singles are the groups of all targets of one name.
type singles struct {
	entries []entry
	runs    []run
	slots   []uint32 // open addressing with linear probing: numbers of runs + 1; 0: free
	shift   int      // of a hash, whose upper bits are the number of a slot
}

// init makes room for the groups of sorted entries.
func (s *singles) init(entries []entry) {
	n := 0
	for i := range entries {
		if i == 0 || entries[i].compare(entries[i-1]) != 0 {
			n++
		}
	}
	size := 2
	for 4*n > 3*size {
		size *= 2
	}
	s.entries, s.runs, s.slots, s.shift = entries, make([]run, 0, n), make([]uint32, size), 65-bits.Len(uint(size))
}

// find returns the group of a name and the hash of a rest, or an empty one.
func (s *singles) find(name uint32, hash uint64) run {
	if id := s.slots[s.place(name, hash)]; id != 0 {
		return s.runs[id-1]
	}
	return run{}
}

// add adds a group that is not there yet.
func (s *singles) add(r run) {
	s.runs = append(s.runs, r)
	s.slots[s.place(uint32(s.entries[r.from].target), s.entries[r.from].hash)] = uint32(len(s.runs))
}

// home returns the place at which the search for a group begins. The groups of a name are added, and asked for, in the
// order of their hashes, so their places are in the same order, and not scattered over the memory.
func (s *singles) home(name uint32, hash uint64) uint64 {
	const spread = 0x9e3779b97f4a7c15 // 2^64 by the golden ratio (Knuth, volume 3, 6.4)
	return (hash + uint64(name)*spread) >> s.shift
}

// place returns the place of a group, or the free place where it belongs.
func (s *singles) place(name uint32, hash uint64) uint64 {
	mask := uint64(len(s.slots) - 1)
	for at := s.home(name, hash); ; at = (at + 1) & mask {
		id := s.slots[at]
		if id == 0 {
			return at
		}
		if e := &s.entries[s.runs[id-1].from]; e.hash == hash && uint32(e.target) == name {
			return at
		}
	}
}

// run is a group of a target of one name: entries[from:to].
type run struct {
	from, to uint32
	counts   counts // of the group
}

func (s *singles) members(r run) []entry { return s.entries[r.from:r.to] }

// fold returns the groups of one target, whose entries are l.entries[from:to], and their
// sum. The groups are valid until the next fold.
func (l *learner) fold(from, to int) (total sums, groups []group) {
	groups = l.groups[:0]
	read := from
	for from < to && !l.give() {
		if from >= read {
			read = min(from+readAhead, to)
			l.readSome(l.entries[from:read])
		}
		end := from + 1
		for end < to && l.entries[end].hash == l.entries[from].hash {
			end++
		}
		members := l.entries[from:end]
		var s sums
		var counting bool
		if t := members[0].target; t.pair() || t.many() {
			s, counting = l.foldSeveral(members)
		} else {
			s, counting = l.foldOne(members)
			if t&ownValue == 0 {
				l.single.add(run{uint32(from), uint32(end), s.all})
			}
		}
		if counting {
			groups = append(groups, group{members[0].url, s})
			total.add(&s)
		}
		from = end
	}
	l.groups = groups
	return total, groups
}

// readAhead is the number of entries whose pages are read at once.
const readAhead = 64

// readSome reads what fold needs of some entries, in rounds, since it is scattered over the memory.
func (l *learner) readSome(some []entry) {
	for i := range some {
		l.touched ^= byte(l.pages[some[i].url].Number)
	}
	for i := range some {
		p := &l.pages[some[i].url]
		if l.touched ^= p.URL[0]; len(p.Evidence) > 0 {
			l.touched ^= p.Evidence[0].Class
		}
	}
}

func (l *learner) foldOne(members []entry) (s sums, counting bool) {
	base := members[0].base
	if base != none {
		return sums{all: l.compareAll(members, base)}, true
	}
	if len(members) < 2 {
		return s, false
	}
	return sums{all: l.compareAll(members, l.least(members))}, true
}

// part is the group of some of a target's names, with the same rest.
type part struct {
	run
	members []entry
	names   []uint32
}

// parts returns the groups that take part in a group of several names: those of each of two names
// alone; of more, those of the names that come together, and of the one more.
func (l *learner) parts(t target, hash uint64, names []uint32) (parts [2]part) {
	if t.pair() {
		return [2]part{l.alone(names[:1], hash), l.alone(names[1:], hash)}
	}
	s := &l.words.sets[uint32(t)]
	if s.group == 0 {
		return parts
	}
	group := part{members: l.run(s.group, hash), names: s.together}
	if len(group.members) > 0 && group.members[0].base != none {
		group.counts = l.compareAll(group.members, group.members[0].base)
	}
	return [2]part{group, l.alone(s.more[:], hash)}
}

// alone returns the part of one name.
func (l *learner) alone(name []uint32, hash uint64) part {
	r := l.single.find(name[0], hash)
	return part{r, l.single.members(r), name}
}

// foldSeveral is foldOne for several names. The groups of some of the names with the same rest
// take part.
func (l *learner) foldSeveral(whole []entry) (s sums, counting bool) {
	l.targetNames = l.words.targetNames(l.targetNames[:0], whole[0].target)
	names := l.targetNames
	parts := l.parts(whole[0].target, whole[0].hash, names)
	if base := whole[0].base; base != none { // without the names, and so unlike all members
		s.all = l.compareAll(whole, base)
		for i := range names {
			s.of[i] = s.all
		}
		for i := range parts {
			if p := &parts[i]; p.counts != (counts{}) {
				s.all.add(p.counts)
				for k, name := range names {
					if slices.Contains(p.names, name) {
						s.of[k].add(p.counts)
					}
				}
			}
		}
		return s, true
	}
	if len(whole)+len(parts[0].members)+len(parts[1].members) < 2 {
		return s, false
	}
	all := append(append(append(l.members[:0], whole...), parts[0].members...), parts[1].members...)
	l.members = all
	base := l.least(all)
	l.other.text(l.pages[base].URL, 0)
	for _, e := range all {
		if e.url == base || l.give() {
			continue
		}
		c := l.compare(e.url, base)
		if c.comparable == 0 {
			continue
		}
		s.all.add(c)
		l.current.text(l.pages[e.url].URL, 0)
		for i, name := range names {
			if l.differ(name) {
				s.of[i].add(c)
			}
		}
	}
	return s, true
}

// least returns the member that is first in byte order.
func (l *learner) least(members []entry) uint32 {
	least := members[0].url
	for _, e := range members[1:] {
		if l.pages[e.url].URL < l.pages[least].URL {
			least = e.url
		}
	}
	return least
}

// compareAll compares the members with their base. The base itself is left out.
func (l *learner) compareAll(members []entry, base uint32) (all counts) {
	for _, e := range members {
		if e.url != base && !l.give() {
			all.add(l.compare(e.url, base))
		}
	}
	return all
}

func (l *learner) compare(u, v uint32) counts {
	e, f := l.pages[u].Evidence, l.pages[v].Evidence
	switch {
	case l.o.Similarity.Similar(e, f):
		return counts{1, 1}
	case l.o.Similarity.Comparable(e, f):
		return counts{0, 1}
	}
	return counts{}
}

// differ reports whether the current URL and the other one have unlike sequences of pieces of a name.
func (l *learner) differ(name uint32) bool {
	c, d := &l.current, &l.other
	text := l.words.names[name].text
	i, j := 0, 0
	for {
		i, j = c.next(i, text), d.next(j, text)
		if i < 0 || j < 0 {
			return i != j
		}
		if string(c.Text(c.Pieces[i])) != string(d.Text(d.Pieces[j])) {
			return true
		}
		i, j = i+1, j+1
	}
}

// next returns the first piece of a name from the i-th on, or -1.
func (c *current) next(i int, name string) int {
	for ; i < len(c.Pieces); i++ {
		if p := c.Pieces[i]; (p.Valued() || p.Bare()) && string(c.NameOf(p)) == name {
			return i
		}
	}
	return -1
}

// counts are pairs of URLs that can be compared, and those of them that are similar.
type counts struct{ similar, comparable int32 }

func (c *counts) add(d counts) {
	c.similar += d.similar
	c.comparable += d.comparable
}

// likely is the law for one sum.
func (c counts) likely(least int) bool {
	return int(c.similar) >= least && 5*int64(c.similar) >= 4*int64(c.comparable)
}

// sums are the counts of a target's groups. For a target of several names, of[i] are the
// pairs that differ in the pieces of the i-th name.
type sums struct {
	all counts
	of  [rule.MaxNames]counts
}

func (s *sums) add(t *sums) {
	s.all.add(t.all)
	for i := range s.of {
		s.of[i].add(t.of[i])
	}
}

// likely is the law of a scope. names is the number of several names, or 0.
func (s *sums) likely(names, least int) bool {
	return s.all.likely(least) && !slices.ContainsFunc(s.of[:names], func(c counts) bool { return !c.likely(least) })
}

func (s *sums) enough(names, least int) bool {
	return int(s.all.similar) >= least && !slices.ContainsFunc(s.of[:names], func(c counts) bool { return int(c.similar) < least })
}
