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

// enoughFailed is the number of folders of one depth with pages that differ after which the log suggests no other: see
// promising.
const enoughFailed = 2

// mostNarrowed is the number of scopes of one rule that are tried, those with the most positives.
const mostNarrowed = 16

// mostNarrower is the number of narrower scopes that follow a drop, those with the greatest support.
const mostNarrower = 64

// Followers returns the rules tried in place of a refuted rule. If some of its names made other pages, these are the rules
// with fewer names. Else they are the scopes where the rule held; the
// growing direction, if a pair of the rule's own was negative; for a drop, the narrower scopes that
// are likely by themselves, and set. None is wider than its evidence. late are the scopes that come last, since chance
// may explain why the rule held there.
func (a *Trial) Followers(j Judge) (next, late []rule.Rule) {
	w := j.View
	if len(a.without) > 0 {
		return a.distinct(w, a.fewer()), nil
	}
	r, d := a.Candidate.Rule, w.Finder()
	told, doubtful := a.held()
	inLog, doubtfulInLog := a.heldInLog()
	next = a.in(append(told, inLog...))
	late = a.in(slices.DeleteFunc(a.promising(append(doubtful, doubtfulInLog...)), func(s rule.Scope) bool {
		return slices.ContainsFunc(next, func(n rule.Rule) bool { return s == n.Scope || forms.Within(&s, &n.Scope) })
	}))
	if other, has := r.Reverse(); has && a.failed() {
		other.Except = rule.Except{}
		if len(late) > 0 { // it edits other URLs, and would not meet those that differ
			late = append(late, other)
		} else {
			next = append(next, other)
		}
	}
	if HasSuccessors(&r) {
		narrower := d.Narrower(&r)
		next = append(next, narrower[:min(len(narrower), mostNarrower)]...)
		if v, ok := d.Usual(&r); ok {
			set := rule.Rule{Edit: rule.Set{Param: r.Params().Param, Value: v}, Scope: r.Scope}
			if r.Scope.Prefix != "" || a.Tally.Sum().Positives >= enoughPositives { // pages do without the name, so some differ by its value
				late = append(late, set)
			} else {
				next = append(next, set)
			}
		}
	}
	a.justify(j, next)
	a.justify(j, late)
	return a.distinct(w, next), a.distinct(w, late)
}

// promising returns those of some doubtful scopes that lie at a depth where folders may tell pages apart. They do not where
// several hold pages that are alike and pages that differ, or several hold pages that differ and none held.
func (a *Trial) promising(doubtful []rule.Scope) []rule.Scope {
	held, failed, mixed, t := map[int]bool{}, map[int]int{}, map[int]int{}, a.tallies()
	for s, of := range t.by {
		if s != (rule.Scope{Prefix: s.Prefix}) || !strings.HasSuffix(s.Prefix, "/") {
			continue // no folder
		}
		switch at := depth(s.Prefix); {
		case of.negatives > 0 && of.positives > 0:
			mixed[at]++
		case of.negatives > 0:
			failed[at]++
		case of.positives > 0:
			held[at] = true
		}
	}
	named := func(s rule.Scope, prefix string) rule.Scope { s.Prefix = strings.TrimSuffix(prefix, "/"); return s }
	vain := map[rule.Scope]bool{}
	for _, s := range doubtful {
		if at := depth(s.Prefix); at > 0 && (mixed[at] >= enoughFailed || !held[at] && mixed[at]+failed[at] >= enoughFailed) {
			vain[named(s, s.Prefix)] = true
		}
	}
	return slices.DeleteFunc(doubtful, func(s rule.Scope) bool {
		for folder := range forms.Folders(s.Prefix) {
			if vain[named(s, folder)] {
				return true
			}
		}
		return vain[named(s, s.Prefix)]
	})
}

// depth is the number of the folders up to the end of the last one that a prefix begins.
func depth(prefix string) int { return strings.Count(strings.TrimSuffix(prefix, "/"), "/") }

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
	case a.Candidate.Within || a.levers.UndecidedParts: // the scope was chosen since all pages in it had proved something
	case slices.Contains(reasonsOfControl, a.Undecidable(a.options)):
		t := a.tallies()
		next = a.in(t.held(fewPositives, false))
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
	told, doubtful := a.held()
	if len(told)+len(doubtful) == 0 {
		told, doubtful = a.heldInLog()
	}
	return a.in(append(told, doubtful...))
}

// held returns the scopes in which the rule held in its trial. In the doubtful ones it may have held by chance.
func (a *Trial) held() (told, doubtful []rule.Scope) { return a.divided(a.tallies()) }

// heldInLog returns the scopes in which the rule holds by the log, in the same manner. Those of a pair's other direction
// were tried with the pair, and turned one by one.
func (a *Trial) heldInLog() (told, doubtful []rule.Scope) {
	if a.Candidate.Grounds == book.Turned || a.levers.LogScopes {
		return nil, nil
	}
	return a.divided(a.logged())
}

// divided returns the scopes in which the rule held, and the doubtful ones apart. A rule that a redirect refutes has no
// negatives that could tell.
func (a *Trial) divided(t tallies) (told, doubtful []rule.Scope) {
	for _, s := range t.held(enoughPositives, true) {
		if a.Tally.Returned > 0 || t.setsApart(s) || a.levers.LateParts {
			told = append(told, s)
		} else {
			doubtful = append(doubtful, s)
		}
	}
	return told, doubtful
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

// tally counts the outcomes of one scope, or of all pairs.
type tally struct {
	positives, negatives int
	aside                int // pairs whose pages prove nothing
}

// tallies are those of the scopes that contain a pair.
type tallies struct {
	by  map[rule.Scope]*tally
	all tally
}

// tallies counts the tried pairs.
func (a *Trial) tallies() tallies {
	t := tallies{by: map[rule.Scope]*tally{}}
	for p := range a.Tried {
		t.count(places(&a.Candidate.Rule, p), p.Outcome)
	}
	return t
}

// logged counts the pairs by what the log says: a pair of similar sizes holds, and one of other sizes does
// not. A pair that was tried counts only if it is wrong. The scopes have a trial of their own, so the log decides nothing.
func (a *Trial) logged() tallies {
	t := tallies{by: map[rule.Scope]*tally{}}
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
			t.count(places(&a.Candidate.Rule, p), trial.Judgement{Outcome: said})
		}
	}
	return t
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
func (t *tallies) count(in map[rule.Scope]bool, said trial.Judgement) {
	t.all.count(said)
	for s := range in {
		if t.by[s] == nil {
			t.by[s] = &tally{}
		}
		t.by[s].count(said)
	}
}

func (t *tally) count(said trial.Judgement) {
	switch {
	case said.Outcome == trial.Positive:
		t.positives++
	case Wrong(said):
		t.negatives++
	case said.Reason.Compared():
		t.aside++
	}
}

// held returns the scopes with at least so many positives and no negative, those with the most positives first. Pairs
// whose pages prove nothing may be among the others.
func (t *tallies) held(least int, others bool) (held []rule.Scope) {
	for s, of := range t.by {
		if of.positives >= least && of.negatives == 0 && (others || of.aside == 0) {
			held = append(held, s)
		}
	}
	slices.SortFunc(held, func(a, b rule.Scope) int {
		return cmp.Or(t.by[b].positives-t.by[a].positives, strings.Compare(a.Prefix, b.Prefix),
			rule.CompareParams(&rule.Rule{Scope: a}, &rule.Rule{Scope: b}))
	})
	return held
}

// setsApart reports whether the negatives set apart a scope without any: if they were a random part of all pairs, it
// would have none with a probability of less than 1 in 20 (hypergeometric distribution). O(the smaller number).
func (t *tallies) setsApart(s rule.Scope) bool {
	p, pairs := 1.0, t.all.positives+t.all.negatives
	few, many := t.by[s].positives, t.all.negatives
	if few > many {
		few, many = many, few
	}
	for i := 0; i < few && p >= 0.05; i++ {
		p *= float64(pairs-many-i) / float64(pairs-i)
	}
	return p < 0.05
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
