// Package forms derives from a site's window and the list L of its valid rules what trials ask about URLs.
//
// A [View] has the canonical forms of the window's URLs under L, and answers which forms a candidate would
// move and merge, which pairs of them may be fetched, and in which order pairs are drawn. It never changes:
// when the window or L does, the view is thrown away. What is costly is computed when it is first needed,
// and kept.
//
// A link that confirms an address or sets a password belongs to one client and works once. URLs that may be
// such links are left out of all pairs, and so are URLs of kinds that the public does not ask for: see
// [Guard]. A rule with fewer remaining pairs than a verdict needs, or than were left out since nobody asks for
// them, is not tried.
package forms

import (
	"iter"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/evidence"
)

// Forms are the canonical forms of the window's URLs under a list of rules. Forms are
// numbered in the order of their first URL in the sorted window.
type Forms struct {
	window *Window
	Rules  []rule.Rule
	Texts  []string         // by number
	reps   []int32          // by number: the page that represents the form: it itself, or the first of its URLs
	Of     []int32          // by page: its form
	Number map[string]int32 // by text
}

// Of canonizes the window. The rules must be valid. O(bytes of all URLs).
func Of(w *Window, rules []rule.Rule) *Forms {
	f := &Forms{window: w, Rules: rules, Of: make([]int32, len(w.Pages)), Number: make(map[string]int32, len(w.Pages))}
	c := Compile(rules)
	var url, buf []byte
	for i := range w.Pages {
		url = append(url[:0], w.Pages[i].URL...)
		out, end := c.Canon(buf, url)
		if !end.Changed() {
			f.add(w.Pages[i].URL, int32(i))
			continue
		}
		buf = out
		f.add(string(out), int32(i))
	}
	return f
}

func (f *Forms) add(form string, page int32) {
	n, known := f.Number[form]
	if !known {
		n = int32(len(f.Texts))
		f.Number[form] = n
		f.Texts, f.reps = append(f.Texts, form), append(f.reps, page)
	}
	if f.window.Pages[page].URL == form {
		f.reps[n] = page
	}
	f.Of[page] = n
}

// Page returns the page of the window that represents a form.
func (f *Forms) Page(form int32) *evidence.Page { return &f.window.Pages[f.reps[form]] }

// Rep returns the URL of the window that represents a form.
func (f *Forms) Rep(form int32) string { return f.window.Pages[f.reps[form]].URL }

// evidence returns the known sizes of a form's page.
func (f *Forms) evidence(form int32) evidence.Spans {
	return f.window.Pages[f.reps[form]].Evidence
}

// Compile returns a canonizer. It panics if a rule is not valid, since all were validated on arrival.
func Compile(rules []rule.Rule) *canon.Canonizer {
	c, err := canon.Compile(rules)
	if err != nil {
		panic(err)
	}
	return c
}

// With returns a copy of a list with one more rule.
func With(rules []rule.Rule, r rule.Rule) []rule.Rule {
	return append(rules[:len(rules):len(rules)], r)
}

// Move is a form changed by a rule, and the canonical form after the change.
type Move struct {
	Form  int32
	To    string
	Known int32 // number of To if it is already a form, otherwise -1
}

// Moves returns those of some forms that a rule changes, with what it makes of them: R(f), canonized
// further by L if L changes it. safe is false if one of the results has no canonical form. O(bytes of
// the forms looked at).
func (f *Forms) Moves(r *rule.Rule, among iter.Seq[int32]) (all []Move, safe bool) {
	m := Mover{F: f, R: r}
	return m.moves(among)
}

func (m *Mover) moves(among iter.Seq[int32]) (all []Move, safe bool) {
	for n := range among {
		v, changed, settled := m.Move(n)
		if !settled {
			return nil, false
		}
		if changed {
			all = append(all, v)
		}
	}
	return all, true
}

// Mover applies one rule to forms.
type Mover struct {
	F                     *Forms
	R                     *rule.Rule
	all                   *canon.Canonizer // L and the rule; built on demand
	list                  *canon.Canonizer // L; nil: far is not wanted
	far                   []int32          // forms of which L decides as well what becomes of them
	url, once, twice, buf []byte
}

// Move returns the move of a form. changed is false if the rule leaves it as it is, and settled is
// false if the result has no canonical form.
func (m *Mover) Move(n int32) (v Move, changed, settled bool) {
	m.url = append(m.url[:0], m.F.Texts[n]...)
	if m.once, changed = m.R.Apply(m.once[:0], m.url); !changed {
		return v, false, true
	}
	k, known := m.F.Number[string(m.once)]
	again := false
	if known || m.list != nil {
		m.twice, again = m.R.Apply(m.twice[:0], m.once)
	}
	switch {
	case known && !again: // L does not change the result either, since it is a form
		return Move{n, m.F.Texts[k], k}, true, true
	case m.list != nil && !again && len(m.once) <= rule.MaxBytes && !isEdited(m.list, m.once):
		return Move{n, string(m.once), -1}, true, true
	case m.list != nil:
		m.far = append(m.far, n)
	}
	return m.canonize(n)
}

// canonize is Move of a form that the rule changes, whatever becomes of the result.
func (m *Mover) canonize(n int32) (v Move, changed, settled bool) {
	if m.all == nil {
		m.all = Compile(With(m.F.Rules, *m.R))
	}
	out, end := m.all.Canon(m.buf, m.url)
	if !end.Changed() {
		return v, false, end.End == canon.Settled
	}
	m.buf = out
	if k, known := m.F.Number[string(out)]; known {
		return Move{n, m.F.Texts[k], k}, true, true
	}
	return Move{n, string(out), -1}, true, true
}

// Gain returns the number of forms merged by the moves.
func (f *Forms) Gain(moves []Move) int {
	leaving := make(map[int32]bool, len(moves))
	for _, v := range moves {
		leaving[v.Form] = true
	}
	coming := map[string]bool{}
	for _, v := range moves {
		if v.Known < 0 || leaving[v.Known] {
			coming[v.To] = true
		}
	}
	return len(moves) - len(coming)
}

// Everything yields the numbers of all forms.
func (f *Forms) Everything() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for n := range f.Texts {
			if !yield(int32(n)) {
				return
			}
		}
	}
}

// RulesOf returns the rules of entries.
func RulesOf(list []*book.Entry) []rule.Rule {
	rules := make([]rule.Rule, len(list))
	for i, e := range list {
		rules[i] = e.Rule
	}
	return rules
}
