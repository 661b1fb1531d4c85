package lifecycle

import (
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// part is some rules of L, in the order of L.
type part struct {
	list      []*Entry
	canonizer *canon.Canonizer
}

// control returns the joint control of the rules that are applied to a URL.
func (p *part) control(url string) (c rule.Control) {
	for _, rank := range chainOf(p.canonizer, url) {
		c = c.Join(p.list[rank].Verdict.Control)
	}
	return c
}

// walk returns the path of a URL to the URL's form, and the places in L, from 0, of the rules of the
// steps. The texts are the URL and the result of each step.
func (w *view) walk(p *part, u string) (texts []string, places []int) {
	texts = []string{u}
	for rank, text := range p.canonizer.Steps([]byte(u)) {
		texts, places = append(texts, string(text)), append(places, slices.Index(w.list, p.list[rank]))
	}
	return texts, places
}

// formsUnder returns the forms of the window under a part of L.
func (w *view) formsUnder(list []*Entry) *forms {
	if len(list) == len(w.list) {
		return w.forms
	}
	return formsOf(w.window, rulesOf(list))
}
