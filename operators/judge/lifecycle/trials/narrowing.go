package trials

import (
	"slices"
	"strings"

	"dustbuster/operators/judge/except"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// enoughPositives positives without a negative make a scope worth a trial of its own. Their number
// determines when its turn comes.
const enoughPositives = 5

// mostNarrowed is the number of scopes of one rule that are tried, those with the most positives.
const mostNarrowed = 16

// mostNarrower is the number of narrower scopes that follow a drop, those with the greatest support.
const mostNarrower = 64

// Followers returns the rules tried in place of a refuted rule: the scopes where the rule held; the
// growing direction, if a pair of the rule's own was negative; for a drop, the narrower scopes that
// are likely by themselves, and set.
func (a *Trial) Followers(w *forms.View) (next []rule.Rule) {
	r, d := a.Candidate.Rule, w.Finder()
	next = narrowed(&r, a)
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
	return w.Distinct(&a.Candidate, slices.DeleteFunc(next, func(r rule.Rule) bool { return r.Validate() != nil || w.Guard.Owns(r.Text()) }))
}

// HasSuccessors reports whether other rules wait for the refutation of a rule: the narrower scopes of a
// drop, and set. The trial of such a rule gives way to no other.
func HasSuccessors(r *rule.Rule) bool { return r.Kind() == rule.KindDrop && r.HasOneName() }

// narrowed returns the scopes in which a rule has held so far, with some positives and no negative. If no tried pair
// tells a scope, the sizes in the log do: see logged.
// Scopes covered by another such scope are left out. The scopes are paths; beginnings of URLs, of
// whole tokens, up to the edit; and, for a drop or set, pages with a parameter, or with one of its
// values. A returned scope need not lie within the rule's scope: a drop that is likely for one kind of
// page may hold exactly where another parameter is present.
func narrowed(r *rule.Rule, a *Trial) []rule.Rule {
	tallies := map[rule.Scope]*forms.Tally{}
	for p := range a.Tried {
		for s := range places(r, p) {
			count(tallies, s, p.Outcome.Outcome)
		}
	}
	held := heldIn(tallies)
	if len(held) == 0 && *r == r.Shrinking() { // in the other direction, forms would grow where nothing asks for it
		held = heldIn(logged(r, a))
	}
	var all []rule.Rule
	for _, s := range held {
		if len(all) == mostNarrowed {
			break
		}
		if s == r.Scope || slices.ContainsFunc(held, func(wide rule.Scope) bool { return within(&s, &wide) }) {
			continue
		}
		n := *r
		n.Scope, n.Except = s, except.Within(r, &s)
		all = append(all, n)
	}
	return all
}

// logged counts the pairs of each scope by what the log says: a pair of similar sizes holds, unless its trial refuted
// it, and one of other sizes does not. The scopes have a trial of their own, so the log decides nothing.
func logged(r *rule.Rule, a *Trial) map[rule.Scope]*forms.Tally {
	tallies := map[rule.Scope]*forms.Tally{}
	for stratum := range a.Pairs {
		said := trial.Negative
		switch stratum {
		case trial.Near:
			said = trial.Positive
		case trial.Unknown:
			continue
		}
		for i := range a.Pairs[stratum] {
			p := &a.Pairs[stratum][i]
			outcome := said
			if tried := p.Outcome.Outcome; tried == trial.Negative || tried == trial.Returned {
				outcome = tried
			}
			for s := range places(r, p) {
				count(tallies, s, outcome)
			}
		}
	}
	return tallies
}

// places returns the scopes that contain a pair.
func places(r *rule.Rule, p *Pair) map[rule.Scope]bool {
	all := map[rule.Scope]bool{}
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
	v := p.V
	if once, changed := r.Apply(nil, []byte(p.Form)); changed {
		v = string(once)
	}
	same, _ := book.Common(p.Form, v)
	if !strings.HasPrefix(same, beginning(&r.Scope)) {
		return all
	}
	for k := len(beginning(&r.Scope)) + 1; k <= len(same); k++ {
		if dust.Boundary(same, k) {
			s := r.Scope
			s.Prefix = same[:k]
			all[s] = true
		}
	}
	return all
}

// within reports whether a scope is narrower than another scope.
func within(s, wide *rule.Scope) bool {
	return *s != *wide && strings.HasPrefix(beginning(s), wide.Prefix) &&
		(s.Bare() == wide.Bare() || forms.Inside(s.Bare(), wide.Bare()))
}

// beginning returns the common beginning of all URLs of a scope.
func beginning(s *rule.Scope) string {
	if len(s.Path) > len(s.Prefix) {
		return s.Path
	}
	return s.Prefix
}

func count(places map[rule.Scope]*forms.Tally, where rule.Scope, outcome trial.Outcome) {
	t := places[where]
	if t == nil {
		t = &forms.Tally{}
		places[where] = t
	}
	switch outcome {
	case trial.Positive:
		t.Positives++
	case trial.Negative, trial.Returned:
		t.Negatives++
	}
}

// heldIn returns the places where a rule held, those with the most positives first.
func heldIn(places map[rule.Scope]*forms.Tally) (all []rule.Scope) {
	for s, t := range places {
		if t.Positives >= enoughPositives && t.Negatives == 0 {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b rule.Scope) int {
		if d := places[b].Positives - places[a].Positives; d != 0 {
			return d
		}
		return compareScopes(&a, &b)
	})
	return all
}

func compareScopes(a, b *rule.Scope) int {
	if d := strings.Compare(a.Prefix, b.Prefix); d != 0 {
		return d
	}
	return rule.CompareParams(&rule.Rule{Scope: *a}, &rule.Rule{Scope: *b})
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
	scopes := narrowed(r, a)
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
