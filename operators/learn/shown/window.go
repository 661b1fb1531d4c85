package shown

import (
	"slices"
	"strings"

	"dustbuster/operators/learn/weight"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/public"
)

// Window is the pages of the rules, and what is known of their visitors.
type Window struct {
	Pages []evidence.Page
	Pairs func(*rule.Rule) [][2]uint32 // pairs of pages that a rule joins, by their places
	Asked func(url string) bool        // reports whether many ask for such a URL; nil: the log does not tell visitors apart
	Acts  func(url string) bool        // reports whether a URL looks like an action
}

// Unasked is the reason for which the pages of a row may not be requested.
type Unasked string

// The reasons. A row may also have none.
const (
	FewVisitors Unasked = "few visitors"
	Action      Unasked = "action"
)

// Files reports whether a rule joins only files such as images, no two of which have one size. Such files
// are thumbnails beside their pictures. O(pairs).
func (w *Window) Files(r *rule.Rule) bool {
	pairs := w.Pairs(r)
	for _, p := range pairs {
		u, v := &w.Pages[p[0]], &w.Pages[p[1]]
		if !public.IsMedia(u.URL) || !public.IsMedia(v.URL) || u.Evidence.Touches(v.Evidence) {
			return false
		}
	}
	return len(pairs) > 0
}

// WithoutFiles removes the rules of Files from a list, in place, and counts them.
func (w *Window) WithoutFiles(rules []rule.Likely) (left []rule.Likely, files int) {
	left = slices.DeleteFunc(rules, func(r rule.Likely) bool { return w.Files(&r.Rule) })
	return left, len(rules) - len(left)
}

// fewestValues is the number of rows from which on rows about the values of one name share a row.
const fewestValues = 3

// Values folds rows that replace one value of a name by another: at least three substring rules without
// evidence of their own, most of whose pairs differ in the value of that name alone. The first of them stays.
// O(pairs).
func (w *Window) Values(rows []Row) []Row {
	names := make([]string, len(rows))
	count := map[string]int{}
	for i := range rows {
		if r := &rows[i].Rule; r.Rule.Kind() == rule.KindSubstring && !Counts(r) {
			names[i] = w.varies(&r.Rule)
			count[names[i]]++
		}
	}
	first := map[string]int{}
	left := rows[:0]
	for i := range rows {
		name := names[i]
		if name == "" || count[name] < fewestValues {
			left = append(left, rows[i])
		} else if at, seen := first[name]; seen {
			left[at].Values += 1 + rows[i].Folded()
		} else {
			first[name] = len(left)
			left = append(left, rows[i])
			left[len(left)-1].Of = name
		}
	}
	return left
}

// varies returns the name in whose value alone most pairs of a rule differ; "" if there is none.
func (w *Window) varies(r *rule.Rule) string {
	count := map[string]int{}
	pairs := w.Pairs(r)
	for _, p := range pairs {
		if name := differing(w.Pages[p[0]].URL, w.Pages[p[1]].URL); name != "" {
			if count[name]++; 2*count[name] > len(pairs) {
				return name
			}
		}
	}
	return ""
}

// differing returns the name in whose value alone two URLs differ: of a parameter, or /N of the segment with
// number N, or ?N of the piece of the query with number N, which has no name. "" if there is none.
func differing(u, v string) (name string) {
	uPath, uQuery, _ := strings.Cut(u, "?")
	vPath, vQuery, _ := strings.Cut(v, "?")
	separator := func(c rune) bool { return c == '&' || c == ';' }
	for _, part := range []struct {
		mark string
		u, v []string
	}{
		{"/", strings.Split(uPath, "/"), strings.Split(vPath, "/")},
		{"?", strings.FieldsFunc(uQuery, separator), strings.FieldsFunc(vQuery, separator)},
	} {
		if len(part.u) != len(part.v) {
			return ""
		}
		for i := range part.u {
			if part.u[i] == part.v[i] {
				continue
			}
			of, ok := nameOf(part.mark, i, part.u[i], part.v[i])
			if !ok || name != "" {
				return ""
			}
			name = of
		}
	}
	return name
}

// nameOf names two pieces that differ. ok is false if their names differ.
func nameOf(mark string, place int, u, v string) (name string, ok bool) {
	uName, _, uValued := strings.Cut(u, "=")
	vName, _, vValued := strings.Cut(v, "=")
	switch {
	case mark == "?" && uValued && vValued:
		return uName, uName == vName
	case uValued || vValued:
		return "", false
	}
	return mark + string(rune('0'+min(place, 9))), true
}

// Last puts rows behind all others of whose pairs fewer than half may be requested, and says why. A pair whose
// first URL looks like a secret counts as requested, since an invented URL stands in for it. O(rows · pairs).
func (w *Window) Last(rows []Row) []Row {
	for i := range rows {
		rows[i].Unasked = w.unasked(&rows[i].Rule.Rule)
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return last(a) - last(b) })
	return rows
}

func last(r Row) int {
	if r.Unasked != "" {
		return 1
	}
	return 0
}

// mostSeen bounds the pairs of a row that tell whether most of them may be requested: they are spread over all.
const mostSeen = 128

func (w *Window) unasked(r *rule.Rule) Unasked {
	pairs, seen, acts, few := w.Pairs(r), 0, 0, 0
	for i := 0; i < len(pairs); i += 1 + len(pairs)/mostSeen {
		u, v := w.Pages[pairs[i][0]].URL, w.Pages[pairs[i][1]].URL
		seen++
		switch {
		case w.Acts(u) || w.Acts(v):
			acts++
		case w.Asked != nil && (!w.Asked(v) || !w.Asked(u) && !secret.InURL(u)):
			few++
		}
	}
	switch {
	case 2*(acts+few) <= seen:
		return ""
	case acts > few:
		return Action
	}
	return FewVisitors
}

// preference orders kinds of rules that join the same pages, the plainest first: a form of syntax, then a parameter.
func preference(r *rule.Likely) int {
	switch r.Rule.Kind() {
	case rule.KindSyntax, rule.KindOrder:
		return 0
	case rule.KindDrop, rule.KindSet, rule.KindSegment:
		return 1
	}
	return 2
}

// Counts reports whether a likely rule that is shown counts in what duplicates cost, without proof: it has evidence
// of its own.
func Counts(r *rule.Likely) bool { return !r.Weighed || r.Own >= weight.Shown }
