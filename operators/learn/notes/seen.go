package notes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/url/query"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/evidence"
)

// Seen is what the log of a site shows where no rule is likely.
type Seen struct {
	URLs      int     `json:"urls"`
	Sample    bool    `json:"sample,omitempty"`  // further URLs were left out
	Once      int     `json:"once,omitempty"`    // URLs with one hit; 0 if hits are not counted
	Off       bool    `json:"off,omitempty"`     // pages are compared neither by size nor by digest
	Known     int     `json:"known"`             // URLs whose size or digest is known
	Digests   bool    `json:"digests,omitempty"` // most of these have a digest
	Contents  int     `json:"contents"`          // different sizes of these, each page in its first class, or digests
	Alike     int     `json:"alike"`             // of these, URLs whose size or digest is near that of another
	Tolerance float64 `json:"tolerance"`         // of sizes, as a share of the larger
	Params    []Param `json:"params,omitempty"`  // of the most URLs, most first
	More      int     `json:"more,omitempty"`    // further parameters
}

// Param is a parameter of the query.
type Param struct {
	Name   string `json:"name"`
	URLs   int    `json:"urls"`
	Groups int    `json:"groups"` // of two or more URLs that differ in it alone
	Alike  int    `json:"alike"`  // of these, groups whose pages are all alike to the first
}

// Bounds of the parameters of a Seen.
const (
	mostParams = 5
	maxParams  = 40 // of a URL; others have no names here
	longestKey = 40 // bytes
)

// See returns what the window shows. O(bytes of the URLs), and sorting.
func See(w *Window) Seen {
	s := Seen{URLs: len(w.Pages), Sample: w.LeftOut > 0, Off: w.NoSizes, Tolerance: w.Tolerance}
	for _, hits := range w.Hits {
		if hits == 1 {
			s.Once++
		}
	}
	s.compare(w)
	s.params(w)
	return s
}

// compare counts the contents. A page with one digest has this content, and any other page the sizes
// of its first class. Sorted by their ends, two spans are near if and only if two neighbors are.
func (s *Seen) compare(w *Window) {
	var all []evidence.Span
	digests := 0
	for i := range w.Pages {
		if d, ok := w.Pages[i].Evidence.Digest(); ok {
			digests++
			all = append(all, evidence.Span{Min: d, Max: d, Class: evidence.Digest})
		} else if sizes := w.Pages[i].Evidence.Sizes(); len(sizes) > 0 {
			all = append(all, sizes[0])
		}
	}
	slices.SortFunc(all, func(a, b evidence.Span) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Min, b.Min), cmp.Compare(a.Max, b.Max))
	})
	near := func(a, b evidence.Span) bool {
		return a == b || a.Class == b.Class && a.Class != evidence.Digest && evidence.Similarity{Tolerance: w.Tolerance}.Near(a, b)
	}
	for i := range all {
		if i > 0 && near(all[i-1], all[i]) || i+1 < len(all) && near(all[i], all[i+1]) {
			s.Alike++
		}
	}
	s.Known, s.Digests = len(all), 2*digests > len(all)
	s.Contents = len(slices.Compact(all))
}

// params counts the parameters, and the groups of the most frequent. A name that is long, or looks like a
// secret, is no name to show.
func (s *Seen) params(w *Window) {
	pages := map[string][]int{} // by name
	var q query.Query
	for i := range w.Pages {
		q.Split([]byte(w.Pages[i].URL), maxParams)
		for n := range q.Names() {
			pages[string(q.Name(n))] = append(pages[string(q.Name(n))], i)
		}
	}
	for name, of := range pages {
		if len(name) <= longestKey && !secret.InURL("/?"+name+"=") {
			s.Params = append(s.Params, Param{Name: name, URLs: len(of)})
		}
	}
	slices.SortFunc(s.Params, func(a, b Param) int {
		return cmp.Or(cmp.Compare(b.URLs, a.URLs), strings.Compare(a.Name, b.Name))
	})
	s.Params = slices.Clip(s.Params[:min(mostParams, len(s.Params))])
	s.More = len(pages) - len(s.Params)
	for i := range s.Params {
		s.Params[i].group(w, pages[s.Params[i].Name])
	}
}

// group counts the groups of pages that have the parameter, and of the page without it.
func (p *Param) group(w *Window, pages []int) {
	groups := map[string][]int{}
	for _, i := range pages {
		if rest, has := query.Rest([]byte(w.Pages[i].URL), p.Name); has {
			groups[string(rest)] = append(groups[string(rest)], i)
		}
	}
	for rest, group := range groups {
		if at, found := slices.BinarySearchFunc(w.Pages, rest, func(p evidence.Page, url string) int { return strings.Compare(p.URL, url) }); found {
			group = append([]int{at}, group...)
		}
		if len(group) < 2 {
			continue
		}
		p.Groups++
		similar := evidence.Similarity{Tolerance: w.Tolerance, Off: w.NoSizes}
		if !slices.ContainsFunc(group[1:], func(i int) bool { return !similar.Similar(w.Pages[group[0]].Evidence, w.Pages[i].Evidence) }) {
			p.Alike++
		}
	}
}

// String says what the log shows, in sentences.
func (s *Seen) String() string {
	said := []string{s.pages(), s.names()}
	switch {
	case s.Off || s.Known < 2:
	case s.URLs > 1 && 2*s.Once > s.URLs:
		said = append(said, fmt.Sprintf("%d of the URLs were fetched once: a longer log may show more URLs of each page.", s.Once))
	case s.URLs < least:
		said = append(said, "These are few URLs: a rule needs at least three examples.")
	}
	return strings.Join(said, " ")
}

// pages says how many pages there are, and how they compare.
func (s *Seen) pages() string {
	all := count(s.URLs, "URL")
	if s.Sample {
		all = "A sample of " + all
	}
	switch {
	case s.Off:
		return all + ", compared neither by size nor by digest."
	case s.Known == 0:
		return all + ". The log has no page sizes, so no two pages can be compared."
	case s.Known == 1:
		return all + ". The log has the size of one page only, so there is nothing to compare."
	case s.Known < s.URLs:
		all += fmt.Sprintf(", of which the size of %d is known,", s.Known)
	}
	what, none, near := "size", fmt.Sprintf("no two within %.4g %%", 100*s.Tolerance), fmt.Sprintf("a size within %.4g %% of another's", 100*s.Tolerance)
	if s.Digests {
		what = "content"
	}
	if s.Digests || s.Tolerance == 0 {
		none, near = "no two equal", "the "+what+" of another"
	}
	switch {
	case s.Contents == 1:
		return all + " of one " + what + ", but no rule has enough examples."
	case s.Alike == 0:
		return fmt.Sprintf("%s with %s, %s: no two pages seem alike.", all, count(s.Contents, what), none)
	}
	return fmt.Sprintf("%s with %s. %d have %s, but no rule has enough examples.", all, count(s.Contents, what), s.Alike, near)
}

// names says what parameters there are.
func (s *Seen) names() string {
	if len(s.Params) == 0 && s.More == 0 {
		return "No URL has parameters."
	}
	var all []string
	for _, p := range s.Params {
		words := fmt.Sprintf("%s in %s", p.Name, count(p.URLs, "URL"))
		if p.Groups > 0 {
			words += fmt.Sprintf(" (%s of URLs that differ in it alone", count(p.Groups, "group"))
			if s.Known > 0 {
				words += fmt.Sprintf(", %d alike", p.Alike)
			}
			words += ")"
		}
		all = append(all, words)
	}
	if s.More > 0 {
		all = append(all, fmt.Sprintf("%d more", s.More))
	}
	said := "Parameters: " + strings.Join(all, ", ")
	if !slices.ContainsFunc(s.Params, func(p Param) bool { return p.Groups > 0 }) && s.More == 0 {
		said += "; no two URLs differ in one of them alone"
	}
	return said + "."
}
