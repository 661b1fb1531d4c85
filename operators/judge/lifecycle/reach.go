package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule/canon"
)

// reach is the way of each URL of the window to the URL's form under a part of L.
type reach struct {
	window  *forms.Window
	list    []*book.Entry // in the order of L
	base    *reach        // forms are compared with the forms of base
	steps   [][]string    // by page: see stepsOf; nil: no rule edits the URL
	counted int           // URLs that count towards shares
	changed int           // of these: URLs whose form differs
}

// newReach applies a part of L to the window. A base of nil stands for the reach itself.
// O(bytes of all URLs).
func newReach(w *forms.Window, list []*book.Entry, base *reach) *reach {
	r := &reach{window: w, list: list, base: base, steps: make([][]string, len(w.Pages))}
	if base == nil {
		r.base = r
	}
	c := forms.Compile(forms.RulesOf(list))
	for i := range w.Pages {
		r.steps[i], _ = stepsOf(c, w.Pages[i].URL)
		if w.Counts(i) {
			r.counted++
			r.changed += r.differs(i, r.steps[i])
		}
	}
	return r
}

// stepsOf returns the texts on the way of a URL to its form, which is the last. A URL that does not
// settle is its own form.
func stepsOf(c *canon.Canonizer, url string) (steps []string, settled bool) {
	for _, text := range c.Steps([]byte(url)) {
		steps = append(steps, string(text))
	}
	if len(steps) == 0 {
		return nil, true
	}
	if _, end := c.Canon(nil, []byte(url)); end.End != canon.Settled {
		return append(steps, url), false
	}
	return steps, true
}

// differs returns 1 if the form of a page, given the texts on the way to it, differs from that under
// base, and 0 otherwise.
func (r *reach) differs(page int, steps []string) int {
	if r.window.Form(page, steps) != r.window.Form(page, r.base.steps[page]) {
		return 1
	}
	return 0
}

// joined is the result of adding a rule to a reach.
type joined struct {
	list     []*book.Entry
	steps    map[int][]string // of the pages whose way changes
	changed  int              // as in reach
	restless bool             // some URL does not settle
}

// with returns the result of adding a rule. It changes a URL only if it edits one of the texts on its
// way, so other URLs are not canonized again.
func (r *reach) with(e *book.Entry) joined {
	at, _ := slices.BinarySearchFunc(r.list, e, func(a, b *book.Entry) int { return a.Rank - b.Rank })
	j := joined{list: slices.Insert(slices.Clone(r.list), at, e), steps: map[int][]string{}, changed: r.changed}
	c := forms.Compile(forms.RulesOf(j.list))
	var url, buf []byte
	edits := func(text string) (changed bool) {
		url = append(url[:0], text...)
		buf, changed = e.Rule.Apply(buf[:0], url)
		return changed
	}
	for i := range r.steps {
		if !edits(r.window.Pages[i].URL) && !slices.ContainsFunc(r.steps[i], edits) {
			continue
		}
		steps, settled := stepsOf(c, r.window.Pages[i].URL)
		j.steps[i], j.restless = steps, j.restless || !settled
		if r.window.Counts(i) {
			j.changed += r.differs(i, steps) - r.differs(i, r.steps[i])
		}
	}
	return j
}

// join adds a rule for good.
func (r *reach) join(j joined) {
	r.list, r.changed = j.list, j.changed
	for i, steps := range j.steps {
		r.steps[i] = steps
	}
}

// changedBy returns the number of counted URLs whose form differs from the form under the reach.
func (r *reach) changedBy(f *forms.Forms) (n int) {
	for i, form := range f.Of {
		if r.window.Counts(i) && f.Texts[form] != r.window.Form(i, r.steps[i]) {
			n++
		}
	}
	return n
}
