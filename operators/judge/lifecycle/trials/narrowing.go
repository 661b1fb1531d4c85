package trials

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/judge/except"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// Positives that make a scope worth a trial of its own. Their number determines when its turn comes.
const (
	enoughPositives = 5 // without a negative
	fewPositives    = 3 // of a rule whose pages prove nothing, without any other outcome
)

// reasonsOfControl are the reasons for which a rule is undecided that may hold outside a scope alone.
var reasonsOfControl = []string{trial.Everywhere.String(), trial.Uncontrolled.String()}

// mostNarrowed is the number of scopes of one rule that are tried, those with the most positives.
const mostNarrowed = 16

// mostNarrower is the number of narrower scopes that follow a drop, those with the greatest support.
const mostNarrower = 64

// Followers returns the rules tried in place of a refuted rule. If some of its names made other pages, these are the rules
// with fewer names. Else they are the scopes where the rule held; the
// growing direction, if a pair of the rule's own was negative; for a drop, the narrower scopes that
// are likely by themselves, and set. None is wider than its evidence.
func (a *Trial) Followers(j Judge) (next []rule.Rule) {
	w := j.View
	if len(a.without) > 0 {
		return a.distinct(w, a.fewer())
	}
	r, d := a.Candidate.Rule, w.Finder()
	next = a.in(append(heldIn(a.tallies(), enoughPositives, true), a.heldInLog()...))
	if other, has := r.Reverse(); has && a.failed() {
		other.Except = rule.Except{}
		next = append(next, other)
	}
	if HasSuccessors(&r) {
		narrower := d.Narrower(&r)
		next = append(next, narrower[:min(len(narrower), mostNarrower)]...)
		if v, ok := d.Usual(&r); ok {
			next = append(next, rule.Rule{Edit: rule.Set{Param: r.Params().Param, Value: v}, Scope: r.Scope})
		}
	}
	a.justify(j, next)
	return a.distinct(w, next)
}

// distinct returns those of some followers that may be tried, confined to their evidence.
func (a *Trial) distinct(w *forms.View, next []rule.Rule) []rule.Rule {
	for i := range next {
		next[i] = w.Confiner().Confined(next[i])
	}
	return w.Distinct(&a.Candidate, slices.DeleteFunc(next, func(r rule.Rule) bool { return r.Validate() != nil || w.Guard.Owns(r.Text()) }))
}

// justify takes from narrower rules the exceptions that only pairs outside their scope suggested: such an exception may
// except many pages that hold. One whose pairs are forgotten stays.
func (a *Trial) justify(j Judge, next []rule.Rule) {
	r := a.Candidate.Rule
	if r.Except == (rule.Except{}) {
		return
	}
	wrong := j.excepted(&r)
	for i := range next {
		n := &next[i]
		idle := func(e *rule.Rule) bool {
			of := slices.DeleteFunc(slices.Clone(wrong), func(form string) bool { return !e.Excepts([]byte(form)) })
			return len(of) > 0 && !slices.ContainsFunc(of, func(form string) bool { return n.HoldsIn(&n.Scope, []byte(form)) })
		}
		scopes := slices.DeleteFunc(n.Except.Scopes(), func(s rule.Scope) bool {
			one := *n
			one.Except, _ = rule.Except{}.With(s)
			return idle(&one)
		})
		if kept, err := rule.NewExcept(scopes, n.Except.URLs()); err == nil {
			n.Except = kept
		}
	}
}

// excepted returns the forms that a rule excepts and that are known to make another page. O(moves).
func (j Judge) excepted(r *rule.Rule) (wrong []string) {
	all := *r
	all.Except = rule.Except{}
	c := book.Candidate{ID: rule.ID(j.View.Site, &all), Rule: all}
	for v := range j.View.KnownMoves(&c) {
		form := j.View.Forms.Texts[v.Form]
		if found, _, _ := j.Known(j.View.Forms.Rep(v.Form), v.To, &rule.Control{}, 0); Wrong(found) && r.Excepts([]byte(form)) {
			wrong = append(wrong, form)
		}
	}
	return wrong
}

// Held returns the rules tried beside an undecided rule. If the rule would edit in folders where no pair can be had, this
// is the rule in the folder of most of its pairs. If it would merge pages whose sizes are apart, these are the scopes
// without such. If no pair of some of its names can be had, it is the rule with fewer names. If its pages prove nothing,
// these are the scopes in which all pages that were compared did.
func (a *Trial) Held(w *forms.View) (next []rule.Rule) {
	switch {
	case a.unseen:
		next = a.inside()
	case len(a.apart) > 0:
		next = a.beside()
	case len(a.without) > 0:
		next = a.fewer()
	case a.Candidate.Within: // the scope was chosen since all pages in it had proved something
	case slices.Contains(reasonsOfControl, a.Undecidable(a.options)):
		next = a.in(heldIn(a.tallies(), fewPositives, false))
	}
	return a.distinct(w, next)
}

// HasSuccessors reports whether other rules wait for the refutation of a rule: the narrower scopes of a
// drop, and set. The trial of such a rule gives way to no other.
func HasSuccessors(r *rule.Rule) bool { return r.Kind() == rule.KindDrop && r.HasOneName() }

// narrowed returns the rule of a trial in the scopes in which it has held so far, with some positives and no negative, as
// tried pairs tell; if these tell none, as the sizes in the log do, see logged.
// Scopes covered by another such scope are left out. The scopes are paths; folders; beginnings of URLs, of
// whole tokens, up to the edit; and, for a drop or set, pages with a parameter, or with one of its
// values. A returned scope need not lie within the rule's scope: a drop that is likely for one kind of
// page may hold exactly where another parameter is present.
func narrowed(a *Trial) []rule.Rule {
	held := heldIn(a.tallies(), enoughPositives, true)
	if len(held) == 0 {
		held = a.heldInLog()
	}
	return a.in(held)
}

// heldInLog returns the scopes in which the rule holds by the log. Those of a pair's other direction were tried with the
// pair, and turned one by one.
func (a *Trial) heldInLog() []rule.Scope {
	if a.Candidate.Grounds == book.Turned {
		return nil
	}
	return heldIn(a.logged(), enoughPositives, true)
}

// in returns the rule of a trial in the first of some scopes.
func (a *Trial) in(held []rule.Scope) (all []rule.Rule) {
	r := &a.Candidate.Rule
	for i, s := range held {
		if len(all) == mostNarrowed {
			break
		}
		if s == r.Scope || slices.Contains(held[:i], s) || slices.ContainsFunc(held, func(wide rule.Scope) bool { return forms.Within(&s, &wide) }) {
			continue
		}
		n := *r
		n.Scope, n.Except = s, except.Within(r, &s)
		all = append(all, n)
	}
	return all
}

// tally counts the outcomes of one scope.
type tally struct {
	positives, negatives int
	aside                int // pairs whose pages prove nothing
}

// tallies counts the tried pairs of each scope.
func (a *Trial) tallies() map[rule.Scope]*tally {
	all := map[rule.Scope]*tally{}
	for p := range a.Tried {
		count(all, places(&a.Candidate.Rule, p), p.Outcome)
	}
	return all
}

// logged counts the pairs of each scope by what the log says: a pair of similar sizes holds, and one of other sizes does
// not. A pair that was tried counts only if it is wrong. The scopes have a trial of their own, so the log decides nothing.
func (a *Trial) logged() map[rule.Scope]*tally {
	all := map[rule.Scope]*tally{}
	for stratum := range a.Pairs {
		for i := range a.Pairs[stratum] {
			p, said := &a.Pairs[stratum][i], trial.Negative
			switch tried := p.Outcome.Outcome; {
			case Wrong(p.Outcome):
			case stratum == trial.Unknown, tried == trial.Skip:
				continue
			case stratum == trial.Near:
				said = trial.Positive
			}
			count(all, places(&a.Candidate.Rule, p), trial.Judgement{Outcome: said})
		}
	}
	return all
}

// places returns the scopes that contain a pair.
func places(r *rule.Rule, p *Pair) map[rule.Scope]bool {
	all := map[rule.Scope]bool{}
	begins := forms.Beginning(&r.Scope)
	if r.EditsParams() {
		for s := range forms.ScopesOf(string(r.Rest([]byte(p.Form)))) {
			s.Prefix = r.Scope.Prefix
			all[s] = true
		}
		delete(all, rule.Scope{Prefix: r.Scope.Prefix})
	} else if !r.Scope.HasPath {
		s := r.Scope
		if s.Path, s.HasPath = pathOf(p.Form), true; !s.IsWild() {
			all[s] = true
		}
	}
	add := func(prefix string) {
		if s := r.Scope; len(prefix) > len(begins) && strings.HasPrefix(prefix, begins) {
			s.Prefix = prefix
			all[s] = true
		}
	}
	for folder := range forms.Folders(p.Form) {
		add(folder)
	}
	v := p.V
	if once, changed := r.Apply(nil, []byte(p.Form)); changed {
		v = string(once)
	}
	same, _ := book.Common(p.Form, v)
	for k := range len(same) {
		if dust.Boundary(same, k+1) {
			add(same[:k+1])
		}
	}
	return all
}

// count counts the outcome of a pair in scopes.
func count(all map[rule.Scope]*tally, where map[rule.Scope]bool, said trial.Judgement) {
	for s := range where {
		t := all[s]
		if t == nil {
			t = &tally{}
			all[s] = t
		}
		switch {
		case said.Outcome == trial.Positive:
			t.positives++
		case Wrong(said):
			t.negatives++
		case said.Reason.Compared():
			t.aside++
		}
	}
}

// heldIn returns the scopes with at least so many positives and no negative, those with the most positives first. Pairs
// whose pages prove nothing may be among the others.
func heldIn(all map[rule.Scope]*tally, least int, others bool) (held []rule.Scope) {
	for s, t := range all {
		if t.positives >= least && t.negatives == 0 && (others || t.aside == 0) {
			held = append(held, s)
		}
	}
	slices.SortFunc(held, func(a, b rule.Scope) int {
		return cmp.Or(all[b].positives-all[a].positives, strings.Compare(a.Prefix, b.Prefix),
			rule.CompareParams(&rule.Rule{Scope: a}, &rule.Rule{Scope: b}))
	})
	return held
}

// pathOf returns a URL up to the first '?'.
func pathOf(url string) string {
	path, _, _ := strings.Cut(url, "?")
	return path
}

// keeps reports whether a rule with negatives is better tried in the scopes without
// negatives. This is the case if those scopes keep nearly all positives, or if the rule's
// own scope is the result of narrowing and was chosen because the scope had no negative.
func keeps(a *Trial) bool {
	r := &a.Candidate.Rule
	if a.Tally.Sum().Negatives == 0 {
		return false
	}
	scopes := narrowed(a)
	all, kept := 0, 0
	for p := range a.Tried {
		if p.Outcome.Outcome != trial.Positive {
			continue
		}
		all++
		in := places(r, p)
		if slices.ContainsFunc(scopes, func(n rule.Rule) bool { return in[n.Scope] }) {
			kept++
		}
	}
	return kept > 0 && (a.Candidate.Within || 10*kept >= 9*all)
}
