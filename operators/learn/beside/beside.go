// Package beside finds what crawlers fetch in vain although no two URLs are duplicates. It follows from the log
// alone, without a rule and without a fetch.
//
//   - Actions are URLs that the list of action words names (package action): carts, logouts, votes.
//   - Facets are pages with at least 4 names with values, in at least 20 different sets, with at least 5 URLs to a
//     content: filters and orders of one list.
//   - Endless is a name with at least 100 values on a page, of which the newest tenth shows at most 3 contents:
//     calendars, and lists beyond their end.
//
// A page is a path in shape (package public), without the query. Contents are told apart by digests, and otherwise by
// sizes that are likely similar. Where the log names agents, only URLs that a crawler or another robot asked for
// count. Files of style, script, image or font are no actions, whatever their names. Advice on these needs no proof, since it merges nothing.
package beside

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/public"
	"dustbuster/operators/window/waste"
)

// Kind is a kind of waste that is no duplicate.
type Kind string

// The kinds, in their order.
const (
	Actions Kind = "actions"
	Facets  Kind = "facets"
	Endless Kind = "endless"
)

// Thresholds of the kinds.
const (
	leastNames  = 4 // of facets
	leastSets   = 20
	perContent  = 5   // URLs to a content
	leastValues = 100 // of an endless name
	newestPart  = 10  // one in so many values is among the newest
	mostNewest  = 3   // contents of the newest values
)

// Waste is URLs of one kind: all actions of a site, the facets of a page, or a name without an end on a page.
type Waste struct {
	waste.Effect // of its URLs

	Kind     Kind
	Page     string // its shape; "" for actions
	Name     string // of an endless parameter
	Names    int    // of facets
	Values   int    // of an endless name
	Contents int    // of the URLs of facets, and of the newest values of an endless name
	Example  string // a mined string
}

// Window is what is known of the URLs of a site.
type Window struct {
	Pages    []evidence.Page
	Class    uint8                          // in which sizes are summed
	Families func(page int) uint32          // the mask of those who asked for a URL
	First    func(page int) int64           // the day on which a URL was first asked for; 0 if it is not known
	Action   func(url string) bool          // the URL looks like an action
	Dropped  func(name string) bool         // a likely or valid rule removes the parameter or sets it
	Similar  func(e, f evidence.Spans) bool // pages are likely similar
}

// Find returns the waste that is no duplicate: the kinds in their order, of each the most URLs first. O(bytes of the
// URLs), and sorting.
func Find(w *Window) (all []Waste) {
	var actions, rest []int // pages
	agents := w.agents()
	for i := range w.Pages {
		if agents && w.Families(i)&^people == 0 {
			continue
		}
		if url := w.Pages[i].URL; w.Action(url) && !public.IsStatic(url) {
			actions = append(actions, i)
		} else if strings.Contains(url, "?") {
			rest = append(rest, i)
		}
	}
	if len(actions) > 0 {
		all = append(all, w.sum(Waste{Kind: Actions}, actions))
	}
	shapes := make([]string, len(w.Pages))
	for _, i := range rest {
		shapes[i] = public.Page(w.Pages[i].URL)
	}
	slices.SortStableFunc(rest, func(i, j int) int { return strings.Compare(shapes[i], shapes[j]) })
	var endless []Waste
	begin := len(all)
	for len(rest) > 0 {
		n := 1
		for n < len(rest) && shapes[rest[n]] == shapes[rest[0]] {
			n++
		}
		group := rest[:n]
		if f, ok := w.facets(shapes[group[0]], group); ok {
			all = append(all, f)
		}
		endless = append(endless, w.endless(shapes[group[0]], group)...)
		rest = rest[n:]
	}
	most := func(a, b Waste) int { return cmp.Compare(b.URLs, a.URLs) }
	slices.SortStableFunc(all[begin:], most)
	slices.SortStableFunc(endless, most)
	return append(all, endless...)
}

// people is the mask of the family of people.
const people = 1

// agents reports whether the log names agents.
func (w *Window) agents() bool {
	for i := range w.Pages {
		if w.Families(i) != 0 {
			return true
		}
	}
	return false
}

// sum adds up some pages.
func (w *Window) sum(of Waste, pages []int) Waste {
	for _, i := range pages {
		of.Add(&w.Pages[i], w.Families(i), w.Class)
		if of.Example == "" || secret.InURL(of.Example) && !secret.InURL(w.Pages[i].URL) {
			of.Example = w.Pages[i].URL
		}
	}
	return of
}

// facets returns the facets of a page, if it has some.
func (w *Window) facets(shape string, pages []int) (Waste, bool) {
	names, sets := map[string]bool{}, map[string]bool{}
	var with []int // pages with values
	for _, i := range pages {
		var set []string
		for name, value := range params(w.Pages[i].URL) {
			if value != "" {
				names[name] = true
				set = append(set, name)
			}
		}
		slices.Sort(set)
		if set = slices.Compact(set); len(set) > 0 {
			sets[strings.Join(set, "&")] = true
			with = append(with, i)
		}
	}
	if len(names) < leastNames || len(sets) < leastSets {
		return Waste{}, false
	}
	contents, known := w.contents(with)
	if contents == 0 || known < perContent*contents {
		return Waste{}, false
	}
	return w.sum(Waste{Kind: Facets, Page: shape, Names: len(names), Contents: contents}, with), true
}

// value is a value of a name on a page.
type value struct {
	text  string
	first int64 // the first day of its URLs
	pages []int
}

// endless returns the names without an end of a page.
func (w *Window) endless(shape string, pages []int) (all []Waste) {
	byName := map[string]map[string]*value{}
	for _, i := range pages {
		for name, text := range params(w.Pages[i].URL) {
			values := byName[name]
			if values == nil {
				values = map[string]*value{}
				byName[name] = values
			}
			v, day := values[text], w.First(i)
			if v == nil {
				v = &value{text: text, first: day}
				values[text] = v
			}
			v.first, v.pages = min(v.first, day), append(v.pages, i)
		}
	}
	for _, name := range sortedNames(byName) {
		if values := byName[name]; len(values) >= leastValues && !w.Dropped(name) && !sessions(name, values) {
			if found, ok := w.withoutEnd(values); ok {
				found.Page, found.Name = shape, name
				all = append(all, found)
			}
		}
	}
	return all
}

func sortedNames[V any](all map[string]V) (names []string) {
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// sessions reports whether most values of a name look like sessions.
func sessions(name string, values map[string]*value) bool {
	n := 0
	for text := range values {
		if secret.InURL("/?" + name + "=" + text) {
			n++
		}
	}
	return 2*n >= len(values)
}

// withoutEnd returns the waste of the values of a name, if the newest show next to nothing new.
func (w *Window) withoutEnd(values map[string]*value) (Waste, bool) {
	var all []*value
	for _, v := range values {
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b *value) int { // of values of one day the greater ones are the newer
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(len(a.text), len(b.text)), strings.Compare(a.text, b.text))
	})
	newest := (len(all) + newestPart - 1) / newestPart
	var late, pages []int
	for n, v := range all {
		pages = append(pages, v.pages...)
		if n >= len(all)-newest {
			late = append(late, v.pages...)
		}
	}
	contents, known := w.contents(late)
	if contents == 0 || contents > mostNewest || known < newest {
		return Waste{}, false
	}
	slices.Sort(pages)
	return w.sum(Waste{Kind: Endless, Values: len(all), Contents: contents}, slices.Compact(pages)), true
}

// contents returns the number of different contents of some pages, and the number of pages of which a size or digest is
// known. Pages in the order of their sizes are one content while they are similar to its first.
func (w *Window) contents(pages []int) (n, known int) {
	digests := map[int64]bool{}
	var sized []int
	for _, i := range pages {
		e := w.Pages[i].Evidence
		if d, ok := e.Digest(); ok {
			digests[d] = true
			known++
		} else if len(e.Sizes()) > 0 {
			sized = append(sized, i)
		}
	}
	least := func(i int) evidence.Span { return w.Pages[i].Evidence.Sizes()[0] }
	slices.SortStableFunc(sized, func(i, j int) int {
		a, b := least(i), least(j)
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Min, b.Min), cmp.Compare(a.Max, b.Max))
	})
	first := -1
	for _, i := range sized {
		if first < 0 || !w.Similar(w.Pages[first].Evidence, w.Pages[i].Evidence) {
			first = i
			n++
		}
	}
	return n + len(digests), known + len(sized)
}

// params yields the names and values of a mined string's query.
func params(url string) func(yield func(name, value string) bool) {
	return func(yield func(name, value string) bool) {
		_, query, _ := strings.Cut(url, "?")
		for piece := range strings.FieldsFuncSeq(query, func(c rune) bool { return c == '&' || c == ';' }) {
			if name, value, _ := strings.Cut(piece, "="); name != "" && !yield(name, value) {
				return
			}
		}
	}
}
