package forms

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// Part is some rules of L, in the order of L.
type Part struct {
	List      []*book.Entry
	Canonizer *canon.Canonizer
}

// Control returns the joint control of the rules that are applied to a URL.
func (p *Part) Control(url string) (c rule.Control) {
	for _, rank := range ChainOf(p.Canonizer, url) {
		c = c.Join(p.List[rank].Verdict.Control)
	}
	return c
}

// Walk returns the way of a URL to its form: the URL and the result of each step, and the places in L,
// from 0, of the rules of the steps.
func (w *View) Walk(p *Part, u string) (texts []string, places []int) {
	texts = []string{u}
	for rank, text := range p.Canonizer.Steps([]byte(u)) {
		texts, places = append(texts, string(text)), append(places, slices.Index(w.List, p.List[rank]))
	}
	return texts, places
}

// FormsUnder returns the forms of the window under a part of L.
func (w *View) FormsUnder(list []*book.Entry) *Forms {
	if len(list) == len(w.List) {
		return w.Forms
	}
	return Of(w.Window, RulesOf(list))
}

// Sharing returns the ids of the rules after a place of a list that take part in the canonization of a URL
// of the window that the rule at the place edits, with that rule in the list or without. The trials of other
// rules do not depend on it. O(bytes of all URLs · L).
func (w *Window) Sharing(list []*book.Entry, place int) map[string]bool {
	rest := slices.Delete(slices.Clone(list), place, place+1)
	with, without := Compile(RulesOf(list)), Compile(RulesOf(rest))
	ids := map[string]bool{}
	for i := range w.Pages {
		chain := ChainOf(with, w.Pages[i].URL)
		if !slices.Contains(chain, place) {
			continue
		}
		for _, rank := range chain {
			if rank > place {
				ids[list[rank].ID] = true
			}
		}
		for _, rank := range ChainOf(without, w.Pages[i].URL) {
			if rank >= place {
				ids[rest[rank].ID] = true
			}
		}
	}
	return ids
}

// ChainOf returns the ranks, from 0 and ascending, of the rules that take part in the
// canonization of a URL.
func ChainOf(c *canon.Canonizer, url string) (ranks []int) {
	for rank := range c.Steps([]byte(url)) {
		if at, found := slices.BinarySearch(ranks, rank); !found {
			ranks = slices.Insert(ranks, at, rank)
		}
	}
	return ranks
}
