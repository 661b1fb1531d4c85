package except

import "dustbuster/operators/rule"

// Explained returns the rule with the exception that explains all negatives. ok is false if
// there is none, or if the rule would have too many exceptions or one that must not be
// published.
func (t *Trial) Explained() (r rule.Rule, ok bool) {
	e, ok := t.Choose()
	if !ok {
		return *t.Rule, false
	}
	return t.with(t.Rule, e)
}

// Without returns the rule with exceptions for all negatives: one for all if possible, else
// one for each, and a single URL if no wider exception can be added. If few positives are
// known, the exceptions are single URLs: all else could be excepted otherwise. left is the
// number of negatives that no exception covers.
func (t *Trial) Without() (r rule.Rule, left int) {
	few := len(t.Positives) < PositivesFor*len(t.Negatives)
	if r, ok := t.Explained(); ok && !few {
		return r, 0
	}
	r = *t.Rule
	for _, f := range t.Negatives {
		if r.Excepts([]byte(f)) {
			continue
		}
		one := *t
		one.Negatives = []string{f}
		if e, ok := one.Choose(); ok && !few {
			if next, ok := t.with(&r, e); ok {
				r = next
				continue
			}
		}
		next, ok := t.with(&r, Exception{URL: f})
		if !ok {
			left++
			continue
		}
		r = next
	}
	return r, left
}

// with returns a rule with one more exception.
func (t *Trial) with(r *rule.Rule, e Exception) (rule.Rule, bool) {
	next, err := *r, error(nil)
	if e.URL != "" {
		next.Except, err = r.Except.WithURL(e.URL)
	} else {
		next.Except, err = r.Except.With(e.Scope)
	}
	if err != nil {
		return *r, false
	}
	if t.Hides == nil {
		return next, true
	}
	return next.Shown(t.Hides)
}

// Within returns the exceptions that may hold for URLs in a scope of a rule. An exception is left out
// only if its path or its prefix excludes the scope, or its URL lies outside. For a rule that edits
// the parameters of paths, all are kept: paths in scopes are then not the paths of URLs.
func Within(r *rule.Rule, s *rule.Scope) rule.Except {
	if r.Params().InPath {
		return r.Except
	}
	var scopes []rule.Scope
	var urls []string
	for _, e := range r.Except.Scopes() {
		if !apart(&e, s) {
			scopes = append(scopes, e)
		}
	}
	for _, url := range r.Except.URLs() {
		if r.HoldsIn(s, []byte(url)) {
			urls = append(urls, url)
		}
	}
	kept, err := rule.NewExcept(scopes, urls)
	if err != nil {
		return r.Except // a part of valid exceptions is valid
	}
	return kept
}

// apart reports whether no URL is in both scopes, by their paths and prefixes. Paths with a
// wildcard do not count.
func apart(a, b *rule.Scope) bool {
	fixed := func(s *rule.Scope) bool { return s.HasPath && !s.IsWild() }
	return fixed(a) && fixed(b) && a.Path != b.Path || diverge(a.Prefix, b.Prefix) ||
		fixed(a) && diverge(a.Path, b.Prefix) || fixed(b) && diverge(b.Path, a.Prefix)
}

// diverge reports whether two texts differ before the end of both.
func diverge(a, b string) bool {
	n := min(len(a), len(b))
	return a[:n] != b[:n]
}
