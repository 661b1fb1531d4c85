package compare

import (
	"cmp"
	"container/heap"
	"iter"
	"slices"
	"strings"

	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule/search"
)

// chooser chooses rules one at a time, each in the company of the rules before, as trials
// do: the candidate that merges the most canonical forms comes next, and joins the list if
// no two of the forms that it merges have different pages.
type chooser struct {
	site   *site
	list   *list
	forms  []form
	number map[string]int32 // of a form, by text
	index  *search.Index
	shapes shapes // of the forms; nil until an expression is tried
	round  int    // grows with each rule that joins
}

// form is a canonical form of some URLs under the list.
type form struct {
	text string
	page int32 // the cluster of the form's page
}

// effect is what a candidate would do to the forms.
type effect struct {
	gain  int // forms merged
	false int // forms whose page is not the page of their new form
}

// choose returns the rules that join the list, in the order of joining. A gain counted for a
// shorter list is counted again before the candidate is tried; so a candidate whose gain has
// grown may come too late.
func choose(s *site, all []Candidate, stop func() bool) ([]Candidate, error) {
	none, err := newList(nil)
	if err != nil {
		return nil, err
	}
	c := &chooser{site: s, list: none}
	c.start()
	q := &queue{}
	for i := range all {
		if stop() {
			return nil, ErrStopped
		}
		if e := c.effect(&all[i]); e.gain >= cluster.MinSupport {
			*q = append(*q, waiting{&all[i], i, e, c.round})
		}
	}
	heap.Init(q)
	for q.Len() > 0 {
		if stop() {
			return nil, ErrStopped
		}
		w := heap.Pop(q).(waiting)
		if w.round != c.round {
			w.effect, w.round = c.effect(w.candidate), c.round
			if w.gain >= cluster.MinSupport {
				heap.Push(q, w)
			}
			continue
		}
		if w.false == 0 {
			if err := c.join(w.candidate); err != nil {
				return nil, err
			}
			continue
		}
		if other, ok := w.candidate.reverse(); ok {
			if e := c.effect(&other); e.gain >= cluster.MinSupport {
				heap.Push(q, waiting{&other, w.place, e, c.round})
			}
		}
	}
	return c.list.rules, nil
}

func (c *chooser) start() {
	var forms []form
	for number, urls := range c.site.clusters {
		for _, url := range urls {
			forms = append(forms, form{url, int32(number)})
		}
	}
	c.renew(forms)
}

// join adds a rule to the list, and takes the forms further.
func (c *chooser) join(r *Candidate) error {
	longer, err := newList(append(slices.Clone(c.list.rules), *r))
	if err != nil {
		return err
	}
	c.list = longer
	c.round++
	var forms []form
	for n := range c.forms {
		f := c.forms[n]
		if to, changed := r.rewrite(f.text); changed {
			f.text = c.list.form(to)
		}
		forms = append(forms, f)
	}
	c.renew(forms)
	return nil
}

// renew replaces the forms. A form that is a URL has its own page, and another that of the
// first of the given forms with this text.
func (c *chooser) renew(forms []form) {
	slices.SortStableFunc(forms, func(a, b form) int { return strings.Compare(a.text, b.text) })
	c.forms = slices.CompactFunc(forms, func(a, b form) bool { return a.text == b.text })
	c.number = make(map[string]int32, len(c.forms))
	for n := range c.forms {
		f := &c.forms[n]
		if page, listed := c.site.Owner(f.text); listed {
			f.page = page
		}
		c.number[f.text] = int32(n)
	}
	c.index = search.New(len(c.forms), func(n int) string { return c.forms[n].text })
	c.shapes = nil
}

// effect returns what a candidate would do. The new form of a form is taken further by the
// list.
func (c *chooser) effect(r *Candidate) (e effect) {
	groups := map[string][]int32{} // changed forms by their new form
	for n := range c.mayChange(r) {
		to, changed := r.rewrite(c.forms[n].text)
		if changed && len(c.list.rules) > 0 {
			to = c.list.form(to)
		}
		if to != c.forms[n].text {
			groups[to] = append(groups[to], n)
		}
	}
	for to, members := range groups {
		page, listed := c.site.Owner(to)
		stays := false
		if at, ok := c.number[to]; ok {
			_, moves := r.rewrite(to)
			stays = !moves
			page, listed = c.forms[at].page, true
		}
		e.gain += len(members)
		if !stays {
			e.gain--
		}
		if !listed {
			page = c.forms[slices.Min(members)].page // forms are in byte order
		}
		for _, n := range members {
			if c.forms[n].page != page {
				e.false++
			}
		}
	}
	return e
}

func (c *chooser) mayChange(r *Candidate) iter.Seq[int32] {
	if r.Expression == nil {
		forms, _ := c.index.MayChange(&r.Rule)
		return forms
	}
	if c.shapes == nil {
		c.shapes = newShapes(len(c.forms), func(n int32) string { return c.forms[n].text })
	}
	return c.shapes.mayChange(r.Expression)
}

// waiting is a candidate with what it would do, as counted in a round.
type waiting struct {
	candidate *Candidate
	place     int // in the list of candidates
	effect
	round int
}

// queue holds the waiting candidates, those of the greatest gain first, of equal gain those
// that come first in the list.
type queue []waiting

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q queue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[j].gain, q[i].gain), cmp.Compare(q[i].place, q[j].place)) < 0
}

// Push implements [heap.Interface].
func (q *queue) Push(x any) { *q = append(*q, x.(waiting)) }

// Pop implements [heap.Interface].
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
