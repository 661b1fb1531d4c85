package lifecycle

import (
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/waste"
)

// PendingUpdate describes the rules of L that wait for an operator. With them, more URLs would
// change their form than an update may change.
type PendingUpdate struct {
	Share float64 // of the counted URLs: the share whose form all of L would change
	Rules int     // rules of L that wait
	Mark  string  // identifies these rules for Decide
	List  []HeldRule
}

// HeldRule is a rule of L that waits for an operator.
type HeldRule struct {
	ID      string
	Rule    rule.Rule
	Verdict rule.Verdict // its examples have passed Options.Veil
	Share   float64      // of the counted URLs: the share whose form the rule alone would change
	Effect  waste.Effect
}

// Decide takes in what an operator says to the pending update. Approved rules are published, however many
// URLs change. Rejected rules are vetoed. The error is ErrNotHeld, ErrChanged if the mark is that of
// another update, ErrNoRule if the update has not the one rule, or an error of Wish.
func (op *Operator) Decide(d book.Decision) error {
	u := op.publisher.pending()
	switch {
	case u.Mark == "":
		return book.ErrNotHeld
	case u.Mark != d.Mark:
		return book.ErrChanged
	}
	var ids []string
	for i := range u.List {
		if id := u.List[i].ID; d.ID == "" || d.ID == id {
			ids = append(ids, id)
		}
	}
	switch {
	case len(ids) == 0:
		return book.ErrNoRule
	case d.Reject:
		next, err := op.book.Rejection(ids)
		if err == nil {
			op.do(book.Act{Wishes: &next})
		}
		return err
	}
	op.do(op.book.Approval(strings.Join(ids, "")))
	return nil
}

// why returns the reason for which no rule of L goes out.
func (p *publisher) why() Now {
	if p.pending().Mark != "" {
		return Now{Why: Approval}
	}
	return Now{}
}

// pending returns the update as of the last look, without the rules on which an operator has decided
// since. Its share is that of the last look.
func (p *publisher) pending() PendingUpdate {
	decided := func(h HeldRule) bool {
		e := p.book.Entries[h.ID]
		return e == nil || e.State != rule.Valid || p.book.IsApproved(e) || p.book.Vetoed(&e.Rule)
	}
	if p.update == nil {
		return PendingUpdate{}
	}
	u := *p.update
	if !slices.ContainsFunc(u.List, decided) {
		return u
	}
	u.List, u.Mark = slices.DeleteFunc(slices.Clone(u.List), decided), ""
	for i := range u.List {
		u.Mark += u.List[i].ID
	}
	if u.Rules = len(u.List); u.Rules == 0 {
		return PendingUpdate{}
	}
	return u
}

// outgoing is what could be published of L.
type outgoing struct {
	list     []*book.Entry // in the order of L
	update   PendingUpdate
	together bool    // some rule is held back that alone would change few enough URLs
	growth   *growth // nil: unknown
}

// hold divides L. Held back are first the rules that alone would change the form of more than
// HoldShare of the counted URLs. So are then, in order of rank, those with which the rules not held
// back would do so together, or would leave a URL without a form. Published and approved rules are
// never held back. Forms are compared with the forms under the basis. O(URLs · rules that are not
// published).
func (p *publisher) hold(w *forms.View) outgoing {
	isOut := func(e *book.Entry) bool { return p.book.IsPublished(e) || p.book.IsApproved(e) }
	list := p.ready(w.List)
	if p.o.HoldShare >= 1 || !slices.ContainsFunc(list, func(e *book.Entry) bool { return !isOut(e) }) {
		return outgoing{list: list}
	}
	var o outgoing
	var held []*book.Entry
	var described []HeldRule
	base := newReach(w.Window, p.basis(list), nil)
	out := newReach(w.Window, slices.DeleteFunc(slices.Clone(list), func(e *book.Entry) bool { return !isOut(e) }), base)
	for _, e := range list {
		if isOut(e) {
			continue
		}
		alone := book.Share(base.with(e).changed, base.counted)
		if alone <= p.o.HoldShare {
			all := out.with(e)
			if !all.restless && book.Share(all.changed, out.counted) <= p.o.HoldShare {
				out.join(all)
				continue
			}
			o.together = true
		}
		held = append(held, e)
		h := HeldRule{e.ID, e.Rule, e.Verdict, alone, w.Effects()[slices.Index(w.List, e)]}
		p.o.VeilExamples(&h.Verdict)
		described = append(described, h)
	}
	if o.list = out.list; len(held) > 0 {
		o.update = PendingUpdate{book.Share(base.changedBy(w.FormsUnder(list)), base.counted), len(held), book.MarkOf(held), described}
	}
	return o
}

// basis returns the rules of L with which an update is compared: the published rules and the
// rules approved by an operator. While rules are held back together, the published rules of the
// basis stay those published before. Otherwise all of L would be published step by step.
func (p *publisher) basis(all []*book.Entry) (list []*book.Entry) {
	for _, e := range all {
		before := p.book.IsPublished(e)
		if held := p.book.Publication.Held; held != nil {
			before = slices.Contains(held.Base, e.ID)
		}
		if before || p.book.IsApproved(e) {
			list = append(list, e)
		}
	}
	return list
}

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
