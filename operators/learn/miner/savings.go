package miner

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
)

// Saving is what a rule alone spares some clients.
type Saving struct {
	URLs  int   // duplicates that they fetched by the rule, as in package waste
	Bytes int64 // of these
	New   int   // of these, the duplicates by no rule before
}

// Savings tells what one rule after the other spares the clients of some families. It belongs to one goroutine.
type Savings struct {
	URLs  int   // different duplicates by any of the rules so far
	Bytes int64 // of these

	reach    *Reach
	families []uint32 // by the number of a URL
	mask     uint32   // of the clients; 0: all clients
	class    uint8    // of the sizes
	seen     []bool   // duplicates, by page
}

// Savings returns the Savings of no rule yet, for clients with a bit of the mask; 0: for all clients. O(URLs).
func (a *Reach) Savings(mask uint32) *Savings {
	return &Savings{reach: a, families: a.window.Families(), mask: mask, class: waste.CommonClass(a.pages), seen: make([]bool, len(a.pages))}
}

// Add adds a rule. O(URLs that hold the rarest token of the rule).
func (s *Savings) Add(r *rule.Rule) (of Saving) {
	fetched := map[int]bool{} // pages into which others are merged, and whether one URL of them was fetched
	for u, v := range s.reach.Meetings(r) {
		was, known := fetched[v]
		if !known {
			was = s.fetched(v)
		}
		fetched[v] = was || s.fetched(u)
		if !was || !s.fetched(u) {
			continue
		}
		size, _ := waste.Smallest(&s.reach.pages[u], s.class)
		of.URLs, of.Bytes = of.URLs+1, of.Bytes+size
		if !s.seen[u] {
			s.seen[u] = true
			of.New++
			s.URLs, s.Bytes = s.URLs+1, s.Bytes+size
		}
	}
	return of
}

func (s *Savings) fetched(page int) bool {
	return s.mask == 0 || s.families[s.reach.pages[page].Number]&s.mask != 0
}
