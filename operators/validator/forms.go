package validator

import (
	"iter"

	"dustbuster/operators/canon"
	"dustbuster/operators/evidence"
	"dustbuster/operators/rule"
)

// forms are the canonical forms of the window's URLs under a list of rules. Forms
// have numbers in the order in which the window, sorted, first comes to them.
type forms struct {
	window *Window
	rules  []rule.Rule
	texts  []string         // by number
	reps   []int32          // by number: the page that stands for the form: the form itself, or the first of its URLs
	of     []int32          // by page: its form
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

// page is the page of the window that stands for a form.
func (f *forms) page(form int32) *Page { return &f.window.pages[f.reps[form]] }

// rep is the URL in the window that stands for a form.
func (f *forms) rep(form int32) string { return f.window.pages[f.reps[form]].URL }

// evidence is what is known of the size of a form's page.
func (f *forms) evidence(form int32) evidence.Spans {
	return f.window.pages[f.reps[form]].Evidence
}

// compile panics on a rule that is not valid: all were validated when they came
// in.
func compile(rules []rule.Rule) *canon.Canonizer {
	c, err := canon.Compile(rules)
	if err != nil {
		panic(err)
	}
	return c
}

// bytes yields the window's URLs; what is yielded is valid until the next.
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

// with is a list with one rule more.
func with(rules []rule.Rule, r rule.Rule) []rule.Rule {
	return append(rules[:len(rules):len(rules)], r)
}

// move is a form that a rule changes, and the canonical form it then has.
type move struct {
	form  int32
	to    string
	known int32 // the number of to, if it is a form already; else -1
}

// moves are the forms among some that a rule changes, tried after the rules of
// the forms: R(f), taken further by L if L changes it. Not safe if one of them
// does not settle. O(bytes of the forms looked at).
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
	all                   *canon.Canonizer // L and the rule; made when needed
	url, once, twice, buf []byte
}

func (m *mover) move(n int32) (v move, changed, settled bool) {
	m.url = append(m.url[:0], m.f.texts[n]...)
	if m.once, changed = m.r.Apply(m.once[:0], m.url); !changed {
		return v, false, true
	}
	if k, known := m.f.number[string(m.once)]; known {
		if m.twice, changed = m.r.Apply(m.twice[:0], m.once); !changed { // nor does L change it, as it is a form
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

// gain is how many forms the moves merge.
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
