package miner

import (
	"iter"

	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Pages returns the pages of the window, in byte order of their URLs. Methods of Reach name a
// page by its place in Pages. Callers must not modify the pages.
func (a *Reach) Pages() []evidence.Page { return a.pages }

// Hits returns the tally of a page: the number of hits, and the bytes sent. Without
// Options.Tally, both are 0.
func (a *Reach) Hits(page int) (hits, bytes int64) {
	t := a.tally(page)
	return t.hits, t.bytes
}

// Alike reports whether two pages are likely similar.
func (a *Reach) Alike(u, v int) bool {
	return a.similar.Similar(a.pages[u].Evidence, a.pages[v].Evidence)
}

// Meetings yields each page u whose URL a rule changes into that of a page v. If a form is not the
// URL of a page, v is the first page with it, and u is each further one. The pages u come in their
// order. O(URLs that hold the rarest token of the rule).
func (a *Reach) Meetings(r *rule.Rule) iter.Seq2[int, int] {
	return func(yield func(u, v int) bool) {
		first := map[string]int{} // pages with an unlisted form
		var form []byte
		among, _ := a.index.MayChange(r)
		for n := range among {
			u, changed := int(n), false
			if form, changed = r.Apply(form[:0], []byte(a.pages[u].URL)); !changed {
				continue
			}
			v, known := a.number(form)
			if !known {
				v, known = first[string(form)]
			}
			if !known {
				first[string(form)] = u
				continue
			}
			if !yield(u, v) {
				return
			}
		}
	}
}
