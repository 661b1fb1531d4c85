package forms

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/evidence"
)

// canCompare reports whether two pages have one digest each, or sizes of one class.
func canCompare(a, b evidence.Spans) bool {
	_, one := a.Digest()
	_, other := b.Digest()
	return one && other || slices.ContainsFunc(a.Sizes(), func(s evidence.Span) bool {
		return slices.ContainsFunc(b.Sizes(), func(t evidence.Span) bool { return s.Class == t.Class })
	})
}

// NewestPage returns a page with the evidence of the newest pane.
func (w *Window) NewestPage(page int32) evidence.Page {
	return evidence.Page{URL: w.Pages[page].URL, Evidence: w.Newest[page]}
}

// NewestSizes returns the counts of the rules of a list, by rank. There are none if the
// window has one endless pane. O(URLs of the newest pane changed by the list · rules that
// edit one).
func (w *View) NewestSizes(f *Forms, c *canon.Canonizer) []book.Sizes {
	if w.Window.Newest == nil {
		return nil
	}
	all := make([]book.Sizes, len(f.Rules))
	for i, n := range f.Of {
		u, v := w.Window.NewestPage(int32(i)), w.Window.NewestPage(f.reps[n])
		if u.URL == f.Texts[n] || v.URL != f.Texts[n] || !canCompare(u.Evidence, v.Evidence) {
			continue
		}
		apart := !Alike(w.Options, &u, &v)
		for _, rank := range ChainOf(c, u.URL) {
			all[rank].Pairs++
			if apart {
				all[rank].Apart++
			}
		}
	}
	return all
}

// NewestSizesOf is View.NewestSizes for a list and the window of a miner, of which no view is made. O(observations), and the URLs
// of the newest pane changed by the list · rules that edit one.
func NewestSizesOf(m *miner.Machine, o *book.Options, list []*book.Entry) []book.Sizes {
	newest, _ := m.Newest()
	if newest == 0 {
		return nil
	}
	recent := map[string]*evidence.Page{}
	for seen := range m.Observations() {
		if seen.Time != newest {
			continue
		}
		p := recent[string(seen.URL)]
		if p == nil {
			p = &evidence.Page{URL: string(seen.URL)}
			recent[p.URL] = p
		}
		p.Join(seen)
	}
	all, c := make([]book.Sizes, len(list)), Compile(RulesOf(list))
	var form []byte
	for url, u := range recent {
		out, end := c.Canon(form, []byte(url))
		if !end.Changed() {
			continue
		}
		form = out
		v := recent[string(form)]
		if v == nil || !canCompare(u.Evidence, v.Evidence) {
			continue
		}
		apart := !Alike(o, u, v)
		for _, rank := range ChainOf(c, url) {
			all[rank].Pairs++
			if apart {
				all[rank].Apart++
			}
		}
	}
	return all
}

// SizesWith returns the counts of a rule that joins L.
func (w *View) SizesWith(r rule.Rule) (s book.Sizes) {
	rules := With(w.Forms.Rules, r)
	if all := w.NewestSizes(Of(w.Window, rules), Compile(rules)); all != nil {
		s = all[len(rules)-1]
	}
	return s
}
