package forms

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
)

// A rule is tried no wider than its evidence (algorithms 11.2, 8a). Of a rule without a path and a prefix, let E be the
// first folders of its pairs, and O the other first folders in which it would edit a URL, or in which its name stands.
// If there is no O, the rule is for the whole site. If E is one folder, the rule is tried in that folder alone: a rule of
// the whole site, seen under /product/ alone, would merge /category/7?page=4 with its first page. Else the trial looks at
// a pair of each large folder of O, and the rule excepts those that cannot be had. Where too many cannot, the
// rule is tried in the largest folder of E.

// MostElsewhere is the number of folders of O that a trial looks at, those with the most URLs.
const MostElsewhere = 8

// Reach is where a rule has its pairs, and where else it would edit.
type Reach struct {
	pairs  map[string]int    // pairs, by folder: E
	edits  map[string]int    // URLs that the rule edits, by folder
	names  map[string]int    // URLs in which its name stands, by folder; nil: the rule edits all of them
	single map[string]string // by a URL that is not listed, and that was made of one URL so far: the folder of the latter; "": it counts
}

func newReach() *Reach {
	return &Reach{pairs: map[string]int{}, edits: map[string]int{}, single: map[string]string{}}
}

// add takes in a URL and what the rule makes of it. Two URLs that become one URL are a pair, listed or not.
func (r *Reach) add(u, made string, listed bool) {
	folder := Folder(u)
	r.edits[folder]++
	before, met := r.single[made]
	switch {
	case listed || met && before == "":
		r.pairs[folder]++
	case met:
		r.pairs[folder]++
		r.pairs[before]++
		r.single[made] = ""
	default:
		r.single[made] = folder
	}
}

// Elsewhere returns the folders of O, those with the most URLs first, then those that first prefers.
func (r *Reach) Elsewhere(first func(folder string) bool) []string {
	urls := maps.Clone(r.edits)
	for folder, n := range r.names {
		urls[folder] = max(urls[folder], n)
	}
	maps.DeleteFunc(urls, func(folder string, _ int) bool { return r.pairs[folder] > 0 })
	all := slices.SortedFunc(maps.Keys(urls), func(a, b string) int {
		d := urls[b] - urls[a]
		if d == 0 && first != nil && first(a) != first(b) {
			d = 1
			if first(a) {
				d = -1
			}
		}
		return cmp.Or(d, strings.Compare(a, b))
	})
	return all[:min(len(all), MostElsewhere)]
}

// Tried takes folders out of E in which no pair may be tried, and whose pairs the log tells to be unlike.
func (r *Reach) Tried(in, unlike map[string]bool) {
	maps.DeleteFunc(r.pairs, func(folder string, _ int) bool { return unlike[folder] && !in[folder] })
}

// UnlikeFolders returns the folders in which most pairs of moves are unlike by size. O(moves).
func (w *View) UnlikeFolders(f *Forms, moves []Move) map[string]bool {
	torn, more := w.torn(f, moves), map[string]int{}
	for _, v := range moves {
		folder := Folder(f.Texts[v.Form])
		switch h := w.stratum(f, v); {
		case h == trial.Apart, torn[v.To]:
			more[folder]++
		case h == trial.Near:
			more[folder]--
		}
	}
	unlike := map[string]bool{}
	for folder, n := range more {
		unlike[folder] = n > 0
	}
	return unlike
}

// Largest returns the folder of E with the most pairs. ok is false if there is none.
func (r *Reach) Largest() (folder string, ok bool) {
	for f, n := range r.pairs {
		if !ok || n > r.pairs[folder] || n == r.pairs[folder] && f < folder {
			folder, ok = f, true
		}
	}
	return folder, ok
}

// In returns a rule in a folder. ok is false if that cannot be said.
func In(r rule.Rule, folder string) (in rule.Rule, ok bool) {
	r.Scope = scopeOf(r.Scope, folder)
	return r, !r.Scope.IsWild() && r.Validate() == nil
}

// Outside returns a rule with exceptions for folders. ok is false if that cannot be said.
func Outside(r rule.Rule, folders []string) (out rule.Rule, ok bool) {
	for _, folder := range folders {
		s := scopeOf(rule.Scope{}, folder)
		except, err := r.Except.With(s)
		if err != nil || s.IsWild() {
			return r, false
		}
		r.Except = except
	}
	return r, true
}

func scopeOf(s rule.Scope, folder string) rule.Scope {
	if strings.HasSuffix(folder, "/") {
		s.Prefix = folder
	} else {
		s.Path, s.HasPath = folder, true
	}
	return s
}

// reaches reports whether a rule has neither a path nor a prefix.
func reaches(r *rule.Rule) bool { return !r.Scope.HasPath && r.Scope.Prefix == "" }

// Reach returns where a rule has its pairs among its moves, and where else it would edit. It is nil if the rule has a path
// or a prefix. O(moves), and O(bytes of all forms) for a rule on a value.
func (f *Forms) Reach(r *rule.Rule, moves []Move) *Reach {
	if !reaches(r) {
		return nil
	}
	at := newReach()
	for _, v := range moves {
		at.add(f.Texts[v.Form], v.To, v.Known >= 0)
	}
	at.names = f.confiner().names(r)
	for _, s := range r.Except.Scopes() { // a folder that was excepted is none
		maps.DeleteFunc(at.names, func(folder string, _ int) bool { return s == scopeOf(rule.Scope{}, folder) })
	}
	return at
}

// Confiner gives rules without a path and a prefix the folder of their evidence.
type Confiner struct {
	n      int
	text   func(n int) string // a URL, or a form
	listed func(v []byte) bool
	index  *search.Index             // of the texts; nil until needed
	named  map[string]map[string]int // URLs, by the name of a parameter and by folder; nil until needed
}

// Confiner returns what confines rules by their pairs of URLs.
func (w *Window) Confiner() *Confiner {
	return &Confiner{n: len(w.Pages), text: func(n int) string { return w.Pages[n].URL }, listed: func(v []byte) bool {
		_, listed := w.Find(string(v))
		return listed
	}}
}

// Confiner returns what confines rules by their pairs of forms.
func (w *View) Confiner() *Confiner {
	if w.confiner == nil {
		w.confiner = w.Forms.confiner()
		w.confiner.index = w.Index
	}
	return w.confiner
}

func (f *Forms) confiner() *Confiner {
	return &Confiner{n: len(f.Texts), text: func(n int) string { return f.Texts[n] }, listed: func(v []byte) bool {
		_, listed := f.Number[string(v)]
		return listed
	}}
}

// Confined returns the rule in the folder of its evidence, or as it is. O(URLs that the rule may change), and O(bytes of
// all URLs) once.
func (c *Confiner) Confined(r rule.Rule) rule.Rule {
	if !reaches(&r) || r.Validate() != nil {
		return r
	}
	at := c.reach(&r)
	elsewhere := at.Elsewhere(nil)
	folder, ok := at.Largest()
	if !ok || len(elsewhere) == 0 {
		return r
	}
	unseen := 0
	for _, folder := range elsewhere {
		if at.edits[folder] == 0 {
			unseen++
		}
	}
	if len(at.pairs) > 1 && unseen <= rule.MaxExceptScopes {
		return r
	}
	if in, ok := In(r, folder); ok {
		return in
	}
	return r
}

// reach returns where a rule has its pairs, and where else it would edit.
func (c *Confiner) reach(r *rule.Rule) *Reach {
	at := newReach()
	at.names = c.names(r)
	if c.index == nil {
		c.index = search.New(c.n, c.text)
	}
	var v []byte
	among, _ := c.index.MayChange(r)
	for n := range among {
		var changed bool
		if v, changed = r.Apply(v[:0], []byte(c.text(int(n)))); changed {
			at.add(c.text(int(n)), string(v), c.listed(v))
		}
	}
	return at
}

// names returns the folders in which a parameter stands that a rule edits by its value, with their URLs. Nil: the rule
// edits all values of its parameters.
func (c *Confiner) names(r *rule.Rule) (folders map[string]int) {
	names := namesIn(r)
	if len(names) > 0 && c.named == nil {
		c.count()
	}
	for _, name := range names {
		if folders == nil {
			folders = map[string]int{}
		}
		for folder, n := range c.named[name] {
			folders[folder] += n
		}
	}
	return folders
}

// namesIn returns the names of the parameters whose values a rule tells apart.
func namesIn(r *rule.Rule) (names []string) {
	switch e := r.Edit.(type) {
	case rule.Drop:
		if e.HasValue && !e.InPath {
			names = append(names, e.Param)
		}
	case rule.Set:
		names = append(names, e.Param)
	case rule.Substring:
		for _, piece := range strings.FieldsFunc(e.From, func(c rune) bool { return c == '?' || c == '&' || c == ';' }) {
			if name, _, valued := strings.Cut(piece, "="); valued && name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// count counts the URLs of each parameter by folder.
func (c *Confiner) count() {
	c.named = map[string]map[string]int{}
	for n := range c.n {
		_, query, _ := strings.Cut(c.text(n), "?")
		for _, piece := range pieces(query) {
			name, _, _ := strings.Cut(piece, "=")
			if c.named[name] == nil {
				c.named[name] = map[string]int{}
			}
			c.named[name][Folder(c.text(n))]++
		}
	}
}

// Folder returns the beginning of a mined string up to the end of its first folder, with its slash. A URL directly
// under the root is its own folder: the path, up to the query.
func Folder(url string) string {
	path, _, _ := strings.Cut(url, "?")
	from := strings.IndexByte(path, '/') // behind the host, if there is one
	if from < 0 {
		return path
	}
	for from+1 < len(path) && path[from+1] == '/' {
		from++
	}
	if end := strings.IndexByte(path[from+1:], '/'); end >= 0 {
		return path[:from+1+end+1]
	}
	return path
}

// mostFolders bounds the folders of one path.
const mostFolders = 8

// Folders yields the beginnings of a mined string up to the end of each of its folders, with its slash, from the widest.
func Folders(url string) iter.Seq[string] {
	return func(yield func(string) bool) {
		path, _, _ := strings.Cut(url, "?")
		for at, n := len(Folder(path)), 0; n < mostFolders && path[:at] != "" && path[at-1] == '/'; n++ {
			if !yield(path[:at]) {
				return
			}
			next := strings.IndexByte(path[at:], '/')
			if next < 0 {
				return
			}
			at += next + 1
		}
	}
}
