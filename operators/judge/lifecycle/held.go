package lifecycle

import (
	"slices"
	"strings"

	"dustbuster/operators/rule/canon"
)

// PendingUpdate describes the rules of L that wait for an operator. With them, more URLs would
// change their form than an update may change.
type PendingUpdate struct {
	Share float64 // of the counted URLs: the share whose form all of L would change
	Rules int     // rules of L that wait
	Mark  string  // identifies these rules for Approve
}

// PendingRules is the part of a publication that describes the rules of L that were held back.
type PendingRules struct {
	Rules int      `json:"rules"`
	Share float64  `json:"share"` // as in PendingUpdate
	Base  []string `json:"base"`  // ids of the rules with which updates are compared: see basis
}

// outgoing is what could be published of L.
type outgoing struct {
	list     []*Entry // in the order of L
	update   PendingUpdate
	together bool  // some rule is held back that alone would change few enough URLs
	growth   *bool // see hasGrown; nil: unknown
}

// hold divides L. Held back are the rules that alone would change the form of more than HoldShare of
// the counted URLs, and then, in order of rank, those with which the rules that are not held back
// would do so, or would leave a URL without a form. Published and approved rules are never held
// back. Forms are compared with the forms under the basis. O(URLs · rules that are not published).
func (p *publisher) hold(w *view) outgoing {
	isOut := func(e *Entry) bool { return p.book.isPublished(e) || p.book.isApproved(e) }
	if p.o.HoldShare >= 1 || !slices.ContainsFunc(w.list, func(e *Entry) bool { return !isOut(e) }) {
		return outgoing{list: w.list}
	}
	var o outgoing
	var held []*Entry
	base := newReach(w.window, p.basis(w.list), nil)
	out := newReach(w.window, slices.DeleteFunc(slices.Clone(w.list), func(e *Entry) bool { return !isOut(e) }), base)
	for _, e := range w.list {
		if isOut(e) {
			continue
		}
		if alone := base.with(e); share(alone.changed, base.counted) > p.o.HoldShare {
			held = append(held, e)
		} else if all := out.with(e); all.restless || share(all.changed, out.counted) > p.o.HoldShare {
			held, o.together = append(held, e), true
		} else {
			out.join(all)
		}
	}
	if o.list = out.list; len(held) > 0 {
		o.update = PendingUpdate{share(base.changedBy(w), base.counted), len(held), markOf(held)}
	}
	return o
}

// basis returns the rules of L with which an update is compared: the published rules and the
// rules approved by an operator. While rules are held back together, the published rules of the
// basis stay those published before. Otherwise all of L would be published step by step.
func (p *publisher) basis(all []*Entry) (list []*Entry) {
	for _, e := range all {
		before := p.book.isPublished(e)
		if held := p.book.publication.Held; held != nil {
			before = slices.Contains(held.Base, e.ID)
		}
		if before || p.book.isApproved(e) {
			list = append(list, e)
		}
	}
	return list
}

// markOf returns the mark of rules.
func markOf(list []*Entry) string {
	var b strings.Builder
	for _, e := range list {
		b.WriteString(e.ID)
	}
	return b.String()
}

// isApproved reports whether an operator approved a rule.
func (b *book) isApproved(e *Entry) bool { return strings.Contains(b.approved, e.ID) }

// approval returns the act that approves the rules of a mark. Rules of L approved before stay
// approved.
func (b *book) approval(mark string) Act {
	before := slices.DeleteFunc(b.valid(), func(e *Entry) bool { return !b.isApproved(e) })
	return Act{Approved: mark + markOf(before)}
}

// reach is the way of each URL of the window to the URL's form under a part of L.
type reach struct {
	window  *Window
	list    []*Entry   // in the order of L
	base    *reach     // forms are compared with the forms of base
	steps   [][]string // by page: see stepsOf; nil: no rule edits the URL
	counted int        // URLs that count towards shares
	changed int        // of these: URLs whose form differs
}

// newReach applies a part of L to the window. A base of nil stands for the reach itself.
// O(bytes of all URLs).
func newReach(w *Window, list []*Entry, base *reach) *reach {
	r := &reach{window: w, list: list, base: base, steps: make([][]string, len(w.pages))}
	if base == nil {
		r.base = r
	}
	c := compile(rulesOf(list))
	for i := range w.pages {
		r.steps[i], _ = stepsOf(c, w.pages[i].URL)
		if w.counts(i) {
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

// form returns the form of a page, given the texts on the way of the page's URL.
func (w *Window) form(page int, steps []string) string {
	if len(steps) == 0 {
		return w.pages[page].URL
	}
	return steps[len(steps)-1]
}

// differs returns 1 if the form of a page, given the texts on the way to it, differs from the form
// under base, and 0 otherwise.
func (r *reach) differs(page int, steps []string) int {
	if r.window.form(page, steps) != r.window.form(page, r.base.steps[page]) {
		return 1
	}
	return 0
}

// joined is the result of adding a rule to a reach.
type joined struct {
	list     []*Entry
	steps    map[int][]string // of the pages whose way changes
	changed  int              // as in reach
	restless bool             // some URL does not settle
}

// with returns the result of adding a rule. A rule takes part in changing a URL only if the rule
// edits one of the texts on the URL's way, so other URLs are not canonized again.
func (r *reach) with(e *Entry) joined {
	at, _ := slices.BinarySearchFunc(r.list, e, func(a, b *Entry) int { return a.Rank - b.Rank })
	j := joined{list: slices.Insert(slices.Clone(r.list), at, e), steps: map[int][]string{}, changed: r.changed}
	c := compile(rulesOf(j.list))
	var url, buf []byte
	edits := func(text string) (changed bool) {
		url = append(url[:0], text...)
		buf, changed = e.Rule.Apply(buf[:0], url)
		return changed
	}
	for i := range r.steps {
		if !edits(r.window.pages[i].URL) && !slices.ContainsFunc(r.steps[i], edits) {
			continue
		}
		steps, settled := stepsOf(c, r.window.pages[i].URL)
		j.steps[i], j.restless = steps, j.restless || !settled
		if r.window.counts(i) {
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

// changedBy returns the number of counted URLs whose form under L differs from the form under the
// reach.
func (r *reach) changedBy(w *view) (n int) {
	for i, form := range w.forms.of {
		if w.window.counts(i) && w.forms.texts[form] != w.window.form(i, r.steps[i]) {
			n++
		}
	}
	return n
}
