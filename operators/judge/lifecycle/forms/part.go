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
