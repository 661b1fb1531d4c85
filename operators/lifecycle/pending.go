package lifecycle

import (
	"slices"
	"strings"

	"dustbuster/operators/canon"
	"dustbuster/operators/rule"
)

// PendingUpdate describes the rest of L that waits for an operator. With the rest, more URLs would
// change their form than an update may change.
type PendingUpdate struct {
	Share float64 // of the counted URLs: the share whose form all of L would change
	Rules int     // rules of L that wait
	Mark  string  // identifies L for Approve
}

// PendingRules is the part of a publication that describes the rest of L that was held back.
type PendingRules struct {
	Rules int      `json:"rules"`
	Share float64  `json:"share"` // as in PendingUpdate
	Base  []string `json:"base"`  // ids of the rules that were published before anything was held back, or were approved: the update is the change by L beyond these rules
}

// publishable returns the length of the beginning of L that may be published: the longest that
// changes the form of at most HoldShare of the counted URLs. Published rules stay
// published. O(URLs · rules that edit one), once for each window and L.
func (p *publisher) publishable(w *view) int {
	if p.length >= 0 {
		return p.length
	}
	all, out := len(w.list), 0
	for out < all && p.book.isPublished(w.list[out]) {
		out++
	}
	if p.length, p.update = all, (PendingUpdate{}); p.o.HoldShare >= 1 || out == all {
		return p.length
	}
	shares := w.shares(rulesOf(p.basis(w.list)), out)
	for p.length > out && shares[p.length] > p.o.HoldShare {
		p.length--
	}
	if p.length < all {
		p.update = PendingUpdate{shares[all], all - p.length, w.listMark()}
	}
	return p.length
}

// basis returns the rules of L with which an update is compared: the published rules and
// the rules approved by an operator. While a rest is held back, the basis stays the set
// published before. Otherwise all of L would be published step by step.
func (p *publisher) basis(all []*Entry) (list []*Entry) {
	for _, e := range all {
		before := p.book.isPublished(e)
		if held := p.book.publication.Held; held != nil {
			before = slices.Contains(held.Base, e.ID)
		}
		if before || strings.Contains(p.book.approved, e.ID) {
			list = append(list, e)
		}
	}
	return list
}

// unsafe stands for the share of a beginning of L that leaves a URL without a form.
const unsafe = 2

// formUnder returns a URL's canonical form under a list, the length of the shortest
// beginning of the list known to give the same form, and whether the URL has a canonical
// form.
func formUnder(c *canon.Canonizer, url []byte) (form []byte, least int, settled bool) {
	for rank := range c.Steps(url) {
		least = max(least, rank+1)
	}
	if least == 0 {
		return url, 0, true
	}
	form, end := c.Canon(nil, url)
	return form, least, end.End == canon.Settled
}

// shares returns, for each length of a beginning of L starting at from, the share of the
// counted URLs whose form under the beginning differs from the form under the rules before.
// A URL has the same form under all beginnings longer than the greatest rank of a rule that
// edits the URL, so only shorter beginnings are applied again.
func (w *view) shares(before []rule.Rule, from int) []float64 {
	base, rules := compile(before), rulesOf(w.list)
	lists := make([]*canon.Canonizer, len(rules)+1)
	changed, broken, of := make([]int, len(rules)+1), make([]bool, len(rules)+1), 0
	for i := range w.window.pages {
		url, counts := []byte(w.window.pages[i].URL), w.window.counts(i)
		if counts {
			of++
		}
		was, _ := base.Canon(nil, url)
		for n := len(rules); n >= from; {
			if lists[n] == nil {
				lists[n] = compile(rules[:n])
			}
			form, least, settled := formUnder(lists[n], url)
			for ; n >= max(from, least); n-- {
				broken[n] = broken[n] || !settled
				if counts && string(form) != string(was) {
					changed[n]++
				}
			}
		}
	}
	shares := make([]float64, len(rules)+1)
	for n := from; n <= len(rules); n++ {
		if shares[n] = share(changed[n], of); broken[n] {
			shares[n] = unsafe
		}
	}
	return shares
}
