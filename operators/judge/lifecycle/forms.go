package lifecycle

import (
	"iter"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/evidence"
)

// forms are the canonical forms of the window's URLs under a list of rules. Forms are
// numbered in the order of their first URL in the sorted window.
type forms struct {
	window *Window
	rules  []rule.Rule
	texts  []string         // by number
	reps   []int32          // by number: the page that represents the form: the form itself, or the first of its URLs
	of     []int32          // by page: the page's form
	number map[string]int32 // by text
}

// formsOf canonizes the window. The rules must be valid. O(bytes of all URLs).
func formsOf(w *Window, rules []rule.Rule) *forms {
	f := &forms{window: w, rules: rules, of: make([]int32, len(w.pages)), number: make(map[string]int32, len(w.pages))}
	c := compile(rules)
	var url, buf []byte
	for i := range w.pages {
		url = append(url[:0], w.pages[i].URL...)
		out, end := c.Canon(buf, url)
		if !end.Changed() {
			f.add(w.pages[i].URL, int32(i))
			continue
		}
		buf = out
		f.add(string(out), int32(i))
	}
	return f
}

func (f *forms) add(form string, page int32) {
	n, known := f.number[form]
	if !known {
		n = int32(len(f.texts))
		f.number[form] = n
		f.texts, f.reps = append(f.texts, form), append(f.reps, page)
	}
	if f.window.pages[page].URL == form {
		f.reps[n] = page
	}
	f.of[page] = n
}

// page returns the page of the window that represents a form.
func (f *forms) page(form int32) *evidence.Page { return &f.window.pages[f.reps[form]] }

// rep returns the URL of the window that represents a form.
func (f *forms) rep(form int32) string { return f.window.pages[f.reps[form]].URL }

// evidence returns the known sizes of a form's page.
func (f *forms) evidence(form int32) evidence.Spans {
	return f.window.pages[f.reps[form]].Evidence
}

// compile returns a canonizer. compile panics if a rule is not valid, since every rule was
// validated on arrival.
func compile(rules []rule.Rule) *canon.Canonizer {
	c, err := canon.Compile(rules)
	if err != nil {
		panic(err)
	}
	return c
}

// bytes yields the window's URLs. Each URL is valid until the next URL.
func (w *Window) bytes() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var url []byte
		for i := range w.pages {
			url = append(url[:0], w.pages[i].URL...)
			if !yield(url) {
				return
			}
		}
	}
}

// with returns a copy of a list with one more rule.
func with(rules []rule.Rule, r rule.Rule) []rule.Rule {
	return append(rules[:len(rules):len(rules)], r)
}

// move is a form changed by a rule, and the canonical form after the change.
type move struct {
	form  int32
	to    string
	known int32 // number of to if to is already a form, otherwise -1
}

// moves returns the forms among some forms that a rule changes when tried after the rules
// of the forms: R(f), canonized further by L if L changes R(f). safe is false if one of the
// results has no canonical form. O(bytes of the forms looked at).
func (f *forms) moves(r *rule.Rule, among iter.Seq[int32]) (all []move, safe bool) {
	m := mover{f: f, r: r}
	for n := range among {
		v, changed, settled := m.move(n)
		if !settled {
			return nil, false
		}
		if changed {
			all = append(all, v)
		}
	}
	return all, true
}

// mover applies one rule to forms.
type mover struct {
	f                     *forms
	r                     *rule.Rule
	all                   *canon.Canonizer // L and the rule; built on demand
	url, once, twice, buf []byte
}

func (m *mover) move(n int32) (v move, changed, settled bool) {
	m.url = append(m.url[:0], m.f.texts[n]...)
	if m.once, changed = m.r.Apply(m.once[:0], m.url); !changed {
		return v, false, true
	}
	if k, known := m.f.number[string(m.once)]; known {
		if m.twice, changed = m.r.Apply(m.twice[:0], m.once); !changed { // L does not change the result either, since the result is a form
			return move{n, m.f.texts[k], k}, true, true
		}
	}
	if m.all == nil {
		m.all = compile(with(m.f.rules, *m.r))
	}
	out, end := m.all.Canon(m.buf, m.url)
	if !end.Changed() {
		return v, false, end.End == canon.Settled
	}
	m.buf = out
	if k, known := m.f.number[string(out)]; known {
		return move{n, m.f.texts[k], k}, true, true
	}
	return move{n, string(out), -1}, true, true
}

// gain returns the number of forms merged by the moves.
func (f *forms) gain(moves []move) int {
	leaving := make(map[int32]bool, len(moves))
	for _, v := range moves {
		leaving[v.form] = true
	}
	coming := map[string]bool{}
	for _, v := range moves {
		if v.known < 0 || leaving[v.known] {
			coming[v.to] = true
		}
	}
	return len(moves) - len(coming)
}

// everything yields the numbers of all forms.
func (f *forms) everything() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for n := range f.texts {
			if !yield(int32(n)) {
				return
			}
		}
	}
}

// rulesOf returns the rules of entries.
func rulesOf(list []*Entry) []rule.Rule {
	rules := make([]rule.Rule, len(list))
	for i, e := range list {
		rules[i] = e.Rule
	}
	return rules
}
