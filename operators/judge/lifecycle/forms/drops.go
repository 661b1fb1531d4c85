package forms

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/judge/except"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/drops"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	urlquery "dustbuster/operators/url/query"
	"dustbuster/operators/window/evidence"
)

// dropFinder finds the drops that are likely by the sizes of the forms.
type dropFinder struct {
	site  string
	o     *book.Options
	forms *Forms
	index *search.Index
}

// mostCompared bounds the number of members of a group that are compared pairwise.
const mostCompared = 8

// all returns the drops that are likely among the forms, those with the greatest support first.
// O(forms · parameters).
func (d *dropFinder) all() (all []book.Candidate) {
	names := map[string]bool{}
	for _, form := range d.forms.Texts {
		_, query, _ := strings.Cut(form, "?")
		for _, piece := range pieces(query) {
			if name, _, _ := strings.Cut(piece, "="); name != "" {
				names[name] = true
			}
		}
	}
	for name := range names {
		all = append(all, d.likelyDrops(&rule.Rule{Edit: rule.Drop{Param: name}}, func(rule.Scope) bool { return true })...)
	}
	slices.SortFunc(all, compareDrops)
	return all
}

// Narrower returns the scopes within a drop's scope that are likely by themselves. They are counted
// over the forms that have the parameter. A scope covered by a wider likely scope is left out. O(forms
// with the parameter · members of a group).
func (d *dropFinder) Narrower(r *rule.Rule) (all []rule.Rule) {
	for _, c := range d.likelyDrops(r, func(s rule.Scope) bool { return Within(&s, &r.Scope) }) {
		all = append(all, c.Rule)
	}
	return all
}

// likelyDrops returns the scopes within a drop's prefix, among those that a function selects, in which
// it is likely by the sizes of the forms.
func (d *dropFinder) likelyDrops(r *rule.Rule, among func(rule.Scope) bool) (all []book.Candidate) {
	counts := tallies{}
	for rest, group := range d.groups(r) {
		if comparable, similar := d.allAlike(group); comparable {
			for s := range ScopesOf(rest) {
				s.Prefix = r.Scope.Prefix
				counts.count(s, similar)
			}
			if r.Scope.Prefix == "" {
				counts.add(rest, similar)
			}
		}
	}
	few := d.fewValued(counts)
	return d.likely(r, counts, func(s rule.Scope) bool { return among(s) && few(s) })
}

// likely returns a rule in the widest of the scopes in which it is likely, among those that a function selects.
func (d *dropFinder) likely(r *rule.Rule, counts tallies, among func(rule.Scope) bool) (all []book.Candidate) {
	folders, likely := map[rule.Scope]bool{}, map[rule.Scope]bool{}
	for s, t := range counts {
		if t.similar >= d.o.MinGain && 10*t.similar >= 9*(t.similar+t.others) && among(s) {
			if s == (rule.Scope{Prefix: s.Prefix}) && s.Prefix != "" {
				folders[s] = true
			} else {
				likely[s] = true
			}
		}
	}
	for _, some := range []map[rule.Scope]bool{folders, likely} {
		for s := range some {
			if !inFolder(s, folders) && !covered(s, likely) {
				n := *r
				n.Scope, n.Except = s, except.Within(r, &s)
				all = append(all, book.Candidate{ID: rule.ID(d.site, &n), Rule: n, Support: counts[s].similar})
			}
		}
	}
	slices.SortFunc(all, compareDrops)
	return all
}

// tally counts the groups of one scope.
type tally struct{ similar, others int }

// tallies count by scope.
type tallies map[rule.Scope]*tally

func (c tallies) count(s rule.Scope, similar bool) {
	t := c[s]
	if t == nil {
		t = &tally{}
		c[s] = t
	}
	if similar {
		t.similar++
	} else {
		t.others++
	}
}

// add counts in the folders of a URL.
func (c tallies) add(url string, similar bool) {
	for folder := range Folders(url) {
		c.count(rule.Scope{Prefix: folder}, similar)
	}
}

func compareDrops(a, b book.Candidate) int {
	return cmp.Or(cmp.Compare(b.Support, a.Support), rule.CompareParams(&a.Rule, &b.Rule), strings.Compare(a.Rule.Scope.Prefix, b.Rule.Scope.Prefix))
}

// groups returns the forms with a drop's parameter, by their rest without it. If that is itself a
// form, it is a member of the group.
func (d *dropFinder) groups(r *rule.Rule) map[string][]int32 {
	groups := map[string][]int32{}
	among, _ := d.index.MayChange(r)
	for n := range among {
		if !strings.HasPrefix(d.forms.Texts[n], r.Scope.Prefix) {
			continue
		}
		if rest, has := urlquery.Rest([]byte(d.forms.Texts[n]), r.Params().Param); has {
			groups[string(rest)] = append(groups[string(rest)], n)
		}
	}
	for rest, group := range groups {
		if n, known := d.forms.Number[rest]; known {
			groups[rest] = append(group, n)
		}
	}
	return groups
}

// allAlike reports whether the members of a group can be compared, and whether they are
// likely to be similar.
func (d *dropFinder) allAlike(group []int32) (comparable, similar bool) {
	group = slices.DeleteFunc(slices.Clone(group), func(n int32) bool { return len(d.forms.evidence(n)) == 0 })
	group = group[:min(len(group), mostCompared)]
	for i, a := range group {
		for _, b := range group[:i] {
			if !Alike(d.o, d.forms.Page(a), d.forms.Page(b)) {
				return true, false
			}
		}
	}
	return len(group) > 1, len(group) > 1
}

// ScopesOf returns the set of scopes that contain a rest. A path that would be a wildcard
// is in none.
func ScopesOf(rest string) map[rule.Scope]bool {
	path, query, _ := strings.Cut(rest, "?")
	under := rule.Scope{Path: path, HasPath: true}
	all := map[rule.Scope]bool{{}: true, under: true}
	for _, piece := range pieces(query) {
		name, value, valued := strings.Cut(piece, "=")
		if name == "" {
			continue
		}
		under.Where = rule.With(name)
		all[under] = true
		if valued {
			under.Where = rule.Where(name, value)
			all[under] = true
			all[rule.Scope{Where: under.Where}] = true
		}
	}
	if under.IsWild() {
		maps.DeleteFunc(all, func(s rule.Scope, _ bool) bool { return s.HasPath })
	}
	return all
}

// inside reports whether a scope is narrower than another scope: it states all that the wider one
// states, and more.
func inside(s, wide rule.Scope) bool {
	return s != wide &&
		(!wide.HasPath || s.HasPath && s.Path == wide.Path) &&
		implied(s.Where, wide.Where[0]) && implied(s.Where, wide.Where[1])
}

// Within reports whether a scope is narrower than another scope, by their beginnings too.
func Within(s, wide *rule.Scope) bool {
	return *s != *wide && strings.HasPrefix(Beginning(s), wide.Prefix) &&
		(s.Bare() == wide.Bare() || inside(s.Bare(), wide.Bare()))
}

// Beginning returns the common beginning of all URLs of a scope.
func Beginning(s *rule.Scope) string {
	if path, _, _ := strings.Cut(s.Path, "/*/"); len(path) > len(s.Prefix) {
		return path
	}
	return s.Prefix
}

// implied reports whether one of two conditions implies a condition.
func implied(all [2]rule.Condition, wide rule.Condition) bool {
	return all[0].Implies(wide) || all[1].Implies(wide)
}

// inFolder reports whether a scope lies in one of some folders and is not it.
func inFolder(s rule.Scope, folders map[rule.Scope]bool) bool {
	for folder := range Folders(Beginning(&s)) {
		if in := (rule.Scope{Prefix: folder}); in != s && folders[in] {
			return true
		}
	}
	return false
}

// covered reports whether a wider scope is likely, that is, one that lacks some of what the scope states, or the value of
// its only condition.
func covered(s rule.Scope, likely map[rule.Scope]bool) bool {
	for i := range 12 {
		wide := s
		if i%2 > 0 {
			wide.Path, wide.HasPath = "", false
		}
		if i/2%2 > 0 {
			wide.Prefix = ""
		}
		switch i / 4 {
		case 1:
			wide.Where = [2]rule.Condition{}
		case 2:
			wide.Where = rule.With(s.Where[0].Param)
		}
		if wide != s && likely[wide] {
			return true
		}
	}
	return false
}

// fewValued returns a function that reports whether a scope's parameter has few values among those
// counted. A scope without a value always passes.
func (d *dropFinder) fewValued(counts tallies) func(rule.Scope) bool {
	values := map[string]map[string]bool{}
	for s := range counts {
		if c := s.Where[0]; c.HasValue {
			if values[c.Param] == nil {
				values[c.Param] = map[string]bool{}
			}
			values[c.Param][c.Value] = true
		}
	}
	return func(s rule.Scope) bool {
		c := s.Where[0]
		return !c.HasValue || len(values[c.Param]) <= params.DefaultMaxValues
	}
}

// Usual returns the value that most forms in a drop's scope give its parameter. Ties are broken by
// byte order. ok is false unless there are several values.
func (d *dropFinder) Usual(r *rule.Rule) (value string, ok bool) {
	counts := map[string]int{}
	scope := r.Scope.Bare() // the groups' forms have the prefix
	for rest, group := range d.groups(r) {
		if !scope.Holds([]byte(rest)) {
			continue
		}
		for _, n := range group {
			for _, v := range valuesOf(d.forms.Texts[n], r.Params().Param) {
				counts[v]++
			}
		}
	}
	for v, n := range counts {
		if !ok || n > counts[value] || n == counts[value] && v < value {
			value, ok = v, true
		}
	}
	return value, len(counts) > 1
}

func valuesOf(url, param string) (values []string) {
	_, query, _ := strings.Cut(url, "?")
	for _, piece := range strings.FieldsFunc(query, func(c rune) bool { return c == '&' || c == ';' }) {
		if name, value, valued := strings.Cut(piece, "="); valued && name == param {
			values = append(values, value)
		}
	}
	return values
}

// A late follower of a refuted drop merges at least lateGain forms. At most mostLate rules
// follow a drop late, the rules with the greatest support.
const (
	lateGain = 10
	mostLate = 64
)

// LateFollowers returns the narrower scopes of a refuted drop that are likely among the
// forms, and whose wider likely scopes are all refuted: see drops.Followers. refuted reports
// whether a rule is refuted. There are none if the learner drops is off. O(forms).
func (w *View) LateFollowers(r *rule.Rule, refuted func(*rule.Rule) bool) (late []rule.Rule) {
	if !slices.Contains(w.Options.Miner.Window, drops.Name) || !listedByDrops(r) {
		return nil
	}
	in := func(s rule.Scope) bool {
		narrower := *r
		narrower.Scope = s
		return refuted(&narrower)
	}
	p := &w.Options.Miner.Params
	likely, _ := drops.Followers(drops.Options{MinSupport: p.MinSupport, Similarity: p.Similarity}, w.Forms.pages(), r, in, nil)
	for i := range likely {
		c := book.Candidate{ID: rule.ID(w.Site, &likely[i].Rule), Rule: likely[i].Rule}
		if len(late) < mostLate && c.Rule.Validate() == nil && w.Most(&c) >= lateGain && w.Gain(&c) >= lateGain {
			late = append(late, c.Rule)
		}
	}
	return late
}

// listedByDrops reports whether the learner drops may list a rule.
func listedByDrops(r *rule.Rule) bool {
	return r.Kind() == rule.KindDrop && r.Params().Pattern == (rule.Pattern{}) && !r.Params().InPath && r.Scope.Prefix == ""
}

// pages returns the forms, each with the evidence of its page.
func (f *Forms) pages() []evidence.Page {
	pages := make([]evidence.Page, len(f.Texts))
	for n, text := range f.Texts {
		pages[n] = evidence.Page{URL: text, Evidence: f.evidence(int32(n))}
	}
	return pages
}

// A page repeats its own URL in links and forms. In some pages the repetitions dominate the size: a
// listing of source has a link for each line. Two copies of such a page differ in size by a whole
// multiple of the difference in the length of their URLs, and no tolerance suited to other pages makes
// the copies similar. Alike therefore takes them for one page, so that drops are found that are likely
// for this reason.

// leastDifference is the least difference in length, in bytes, of two URLs before a multiple of it is
// believed. A chance match then has a probability of at most one in eight for each pair, and the
// groups of a likely drop agree nine times in ten.
const leastDifference = 8

// Alike reports whether two pages are similar by size, or may be one page that repeats its
// URL, or whether the size of one page is unknown.
func Alike(o *book.Options, a, b *evidence.Page) bool {
	return len(a.Evidence) == 0 || len(b.Evidence) == 0 ||
		o.Miner.Envelope.Similarity.Similar(a.Evidence, b.Evidence) || Repeats(a, b)
}

// Repeats reports whether the sizes of two pages differ by a multiple, 1 or more, of the
// difference in the length of their URLs.
func Repeats(longer, shorter *evidence.Page) bool {
	if len(longer.URL) < len(shorter.URL) {
		longer, shorter = shorter, longer
	}
	difference := int64(len(longer.URL) - len(shorter.URL))
	if difference < leastDifference {
		return false
	}
	shared := false
	for _, s := range longer.Evidence {
		for _, t := range shorter.Evidence {
			if s.Class != t.Class || s.Class == evidence.Digest {
				continue
			}
			more := s.Min - t.Min
			if shared = true; more < difference || more%difference != 0 {
				return false
			}
		}
	}
	return shared
}

func pieces(query string) []string {
	all := strings.FieldsFunc(query, func(c rune) bool { return c == '&' || c == ';' })
	return all[:min(len(all), params.DefaultMaxParams)]
}
