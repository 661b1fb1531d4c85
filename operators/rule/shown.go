package rule

import (
	"slices"
	"strings"
)

// Shown returns the rule as it may be published. hides reports whether a text looks like a
// secret. An exception that looks like a secret is replaced by the smallest scope around
// it that does not: the path or the folder, with the parameters that show no secret. ok is
// false if another text of the rule looks like a secret, or if there is no such scope
// short of the whole site: the rule must then be withheld. Without secrets, Shown returns
// the rule itself.
//
// The shown rule changes fewer URLs. A caller that makes exceptions shows the rule before
// trying it, so that what is tried is what is published.
func (r *Rule) Shown(hides func(text string) bool) (shown Rule, ok bool) {
	if !hides(r.Text()) {
		return *r, true
	}
	shown = *r
	shown.Except = Except{}
	if r.Except == (Except{}) || hides(shown.Text()) {
		return *r, false
	}
	var scopes []Scope
	var urls []string
	for _, s := range r.Except.Scopes() {
		if hides(s.Text()) {
			if s, ok = s.widened(hides); !ok {
				return *r, false
			}
		}
		scopes = append(scopes, s)
	}
	for _, url := range r.Except.URLs() {
		if !hides(url) {
			urls = append(urls, url)
			continue
		}
		s := shown.around(url, hides)
		if s, ok = s.widened(hides); !ok {
			return *r, false
		}
		scopes = append(scopes, s)
	}
	var err error
	shown.Except, err = NewExcept(scopes, urls)
	return shown, err == nil && !hides(shown.Text())
}

// Mask passes the texts of a rule through a mask, each value with its name before it. It reports
// whether the rule can be said so: a template, exceptions and pairs that need the hidden text cannot.
func (r *Rule) Mask(mask func(text string) string) (ok bool) {
	if r.Kind() == KindRewrite || r.Except != (Except{}) {
		return false
	}
	d := r.Params()
	for name := range d.Names() {
		if mask(name) != name {
			return false
		}
	}
	value := func(param, value string) string {
		if value != "" {
			_, value, _ = strings.Cut(mask(param+"="+value), "=")
		}
		return value
	}
	switch e := r.Edit.(type) {
	case Substring:
		e.From, e.To = mask(e.From), mask(e.To)
		r.Edit = e
	case Segment:
		e.After, e.To = mask(e.After), mask(e.To)
		r.Edit = e
	case Drop:
		e.Value = value(e.Param, e.Value)
		r.Edit = e
	case Set:
		e.Value = value(e.Param, e.Value)
		r.Edit = e
	}
	s := &r.Scope
	s.Prefix, s.Path = mask(s.Prefix), mask(s.Path)
	for i := range s.Where {
		c := &s.Where[i]
		c.Value = value(c.Param, c.Value)
	}
	return mask(r.Text()) == r.Text() || r.Kind() == KindSubstring
}

// around returns a small scope around a URL: its path, and two of the parameters that the
// rule leaves, rather such that show no secret.
func (r *Rule) around(url string, hides func(text string) bool) (s Scope) {
	text := r.Rest([]byte(url))
	s.Path, s.HasPath = string(text[:pathEnd(text)]), true
	var open, closed []Condition
	for from, to := range Query(text) {
		name, value, valued := strings.Cut(string(text[from:to]), "=")
		switch c := (Condition{Param: name, Value: value, HasValue: valued}); {
		case name == "" || hides(name):
		case hides(pieceOf(name, value)):
			closed = append(closed, Condition{Param: name, Valued: true})
		default:
			open = append(open, c)
		}
	}
	slices.SortFunc(open, Condition.compare)
	slices.SortFunc(closed, Condition.compare)
	both := slices.Compact(append(open, closed...))
	s.setWhere(both[:min(len(both), len(s.Where))])
	return s
}

// setWhere sets the conditions, in order and without repetitions.
func (s *Scope) setWhere(conditions []Condition) {
	slices.SortFunc(conditions, Condition.compare)
	s.Where = [2]Condition{}
	copy(s.Where[:], slices.Compact(conditions))
}

// widened returns the scope without its parts that look like secrets: values of
// conditions, the path, and the end of the prefix. ok is false if the scope would be the
// whole site, or still looks like a secret.
func (s Scope) widened(hides func(text string) bool) (wide Scope, ok bool) {
	var kept []Condition
	for _, c := range s.Where {
		switch secret := hides(pieceOf(c.Param, c.asked())); {
		case secret && c.Own:
			continue
		case secret && c.HasValue:
			c = Condition{Param: c.Param, Valued: true}
		}
		if c.Param != "" && !hides(c.Param) {
			kept = append(kept, c)
		}
	}
	s.setWhere(kept)
	if s.HasPath && hides(s.Path) {
		path, _, _ := strings.Cut(s.Path, wild[1:]) // with the slash before a wildcard
		s.Path, s.HasPath = "", false
		if folder := folderOf(path + "x"); len(folder) > len(s.Prefix) {
			s.Prefix = folder
		}
	}
	for s.Prefix != "" && hides(s.Prefix) {
		s.Prefix = folderOf(s.Prefix)
	}
	isWide := !s.HasPath && s.Where[0] == Condition{} && (s.Prefix == "" || s.Prefix == "/")
	return s, !isWide && !hides(s.Text())
}

// folderOf returns the longest proper beginning of a text that ends with a slash.
func folderOf(text string) string {
	return text[:strings.LastIndexByte(text[:max(len(text)-1, 0)], '/')+1]
}
