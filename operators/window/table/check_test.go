package table

import (
	"fmt"
	"slices"

	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/budget"
)

// Check recomputes the derived state of the table from the entries alone, and returns the
// first difference. For tests. O(URLs · panes).
func (t *Table) Check() error {
	inPane := map[int64]map[uint32]bool{}
	seen := make([]bool, len(t.entries))
	gone := 0
	for id := range t.heads {
		if err := t.checkChain(uint32(id), seen, inPane); err != nil {
			return err
		}
		if t.heads[id] == 0 && t.dirty[id]&inChanged != 0 {
			gone++
		}
	}
	for at := t.free; at != 0; at = t.entries[at-1].next {
		if seen[at-1] {
			return fmt.Errorf("check table: entry %d is free and in use, or free twice", at-1)
		}
		seen[at-1] = true
	}
	for at, is := range seen {
		if !is {
			return fmt.Errorf("check table: entry %d is lost", at)
		}
	}
	if gone != t.gone {
		return fmt.Errorf("check table: %d URLs gone, %d counted", gone, t.gone)
	}
	if err := t.checkLists(); err != nil {
		return err
	}
	if err := t.checkCost(); err != nil {
		return err
	}
	return t.checkPanes(inPane)
}

// checkChain checks the entries of a URL, and records the URL's panes.
func (t *Table) checkChain(id uint32, seen []bool, inPane map[int64]map[uint32]bool) error {
	type place struct {
		pane  int64
		class uint8
	}
	had := map[place]bool{}
	for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
		e := &t.entries[at-1]
		switch here := (place{t.number(e), e.class}); {
		case seen[at-1]:
			return fmt.Errorf("check table: entry %d is in two chains", at-1)
		case had[here]:
			return fmt.Errorf("check table: URL %d has two entries of pane %d and class %d", id, t.number(e), e.class)
		case e.unsaved && t.dirty[id]&inUnsaved == 0:
			return fmt.Errorf("check table: URL %d has an entry to save and is not listed", id)
		default:
			had[here] = true
		}
		seen[at-1] = true
		if pane := t.number(e); inPane[pane] == nil {
			inPane[pane] = map[uint32]bool{}
		}
		inPane[t.number(e)][id] = true
	}
	return nil
}

// checkLists checks that each URL is once in each list of changes to which the URL belongs.
func (t *Table) checkLists() error {
	listed := make([]dirt, len(t.dirty))
	for _, l := range []struct {
		as   dirt
		list []uint32
	}{{inChanged, t.changed}, {inUnsaved, t.unsaved}} {
		for _, id := range l.list {
			if listed[id]&l.as != 0 {
				return fmt.Errorf("check table: URL %d is listed twice", id)
			}
			listed[id] |= l.as
		}
	}
	for id := range listed {
		if listed[id] != t.dirty[id] {
			return fmt.Errorf("check table: URL %d is in lists %b, known as in %b", id, listed[id], t.dirty[id])
		}
	}
	return nil
}

// checkCost compares the cost of the table with the sum over the list's URLs.
func (t *Table) checkCost() error {
	cost := int64(0)
	for id := range t.urls.All() {
		text := t.urls.Text(id)
		cost += budget.Cost(len(text), dust.CountTokens(text))
	}
	if cost != t.cost {
		return fmt.Errorf("check table: URLs cost %d, %d counted", cost, t.cost)
	}
	return nil
}

// checkPanes compares the panes' counts and rankings with the URLs in them.
func (t *Table) checkPanes(inPane map[int64]map[uint32]bool) error {
	for number := range inPane {
		if t.state[number] == nil {
			return fmt.Errorf("check table: entries of pane %d, which is none", number)
		}
	}
	for number, p := range t.state {
		urls := inPane[number]
		cut, is := t.cutOf(number)
		switch {
		case p.cut != cut || p.isCut != is:
			return fmt.Errorf("check table: pane %d has the cut %v, want %v", number, p.cut, cut)
		case p.number != number || number <= t.oldest() || number > t.newest:
			return fmt.Errorf("check table: pane %d, as %d, in a window of %d to %d", p.number, number, t.oldest()+1, t.newest)
		case p.count != len(urls) || p.count > t.o.MaxURLs:
			return fmt.Errorf("check table: pane %d has %d URLs, %d counted, of at most %d", number, len(urls), p.count, t.o.MaxURLs)
		}
		if err := t.checkOrder(p, urls); err != nil {
			return err
		}
	}
	return nil
}

// checkOrder compares the ranking of a pane with a ranking of the pane's URLs from nothing.
func (t *Table) checkOrder(p *pane, urls map[uint32]bool) error {
	if p.order == nil {
		return nil
	}
	count := 0
	for at, f := range p.order.largest.items {
		count += len(f.urls)
		if f.inLargest != at || p.order.families[f.id] != f || at > 0 && p.order.largest.Less(at, (at-1)/2) {
			return fmt.Errorf("check table: pane %d has family %x out of place", p.number, f.id)
		}
		for i := range f.urls {
			if i > 0 && f.Less(i, (i-1)/2) {
				return fmt.Errorf("check table: pane %d ranks URL %d out of place", p.number, f.urls[i].id)
			}
		}
	}
	for at, w := range p.order.last.items {
		count := 0
		for k, f := range w.families.items {
			if count += len(f.urls); f.inOf != k || p.order.words[wordOf(f.id)] != w || k > 0 && w.families.Less(k, (k-1)/2) {
				return fmt.Errorf("check table: pane %d has family %x out of its word's place", p.number, f.id)
			}
		}
		if w.inLast != at || count != w.urls || at > 0 && p.order.last.Less(at, (at-1)/2) {
			return fmt.Errorf("check table: pane %d has a word of %d URLs out of place", p.number, w.urls)
		}
	}
	if count != len(urls) || len(p.order.families) != len(p.order.largest.items) || len(p.order.words) != len(p.order.last.items) {
		return fmt.Errorf("check table: pane %d ranks %d URLs of %d", p.number, count, len(urls))
	}
	for id := range urls {
		family, u := t.ranked(id)
		if f := p.order.families[family]; f == nil || !slices.Contains(f.urls, u) {
			return fmt.Errorf("check table: pane %d ranks URL %d in no family or another", p.number, id)
		}
	}
	return nil
}
