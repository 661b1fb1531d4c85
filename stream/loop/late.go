package loop

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"dustbuster/operators/learn/miner"
)

// lateness says of the newest hits of a site which were older than its window. It begins with the first
// that was, so sites without late hits cost nothing.
type lateness struct {
	late uint64 // a bit for each hit, the newest last
	hits int    // at most newestHits
}

const (
	newestHits = 64 // a word of bits
	leastHits  = 16 // of which most may be called late
)

// take takes in a hit.
func (n *lateness) take(late uint64) {
	n.late = n.late<<1 | late
	n.hits = min(n.hits+1, newestHits)
}

// count returns how many of the newest hits were late, if most of them were, and else 0.
func (n *lateness) count() int {
	if late := bits.OnesCount64(n.late); n.hits >= leastHits && 2*late > n.hits {
		return late
	}
	return 0
}

// noteLate notes whether a hit of a site was late.
func (l *Loop) noteLate(m *miner.Machine, late bool) {
	switch n := l.lates[m]; {
	case late && n == nil:
		l.lates[m] = &lateness{late: 1, hits: 1}
	case late:
		n.take(1)
	case n != nil:
		if n.take(0); n.late == 0 {
			delete(l.lates, m)
		}
	}
}

// Late is a site most of whose newest hits are older than its window.
type Late struct {
	Site   string
	Hits   int       // of the newest 64, how many are late
	Newest time.Time // start of the newest pane
}

// lateSites returns the sites most of whose newest hits are late, in the order of their names.
func (l *Loop) lateSites() (all []Late) {
	for m, n := range l.lates {
		if hits := n.count(); hits > 0 {
			newest, _ := m.Newest()
			all = append(all, Late{m.Site(), hits, time.Unix(newest, 0).UTC()})
		}
	}
	slices.SortFunc(all, func(a, b Late) int { return cmp.Compare(a.Site, b.Site) })
	return all
}

// reportLate reports late sites, at once when there is the first, and then once an hour.
func (l *Loop) reportLate() {
	if sites := l.lateSites(); len(sites) > 0 && l.o.Late != nil && l.tellsLate.take() {
		l.o.Late(sites)
	}
}
