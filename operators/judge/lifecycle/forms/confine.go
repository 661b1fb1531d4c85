package forms

import (
	"maps"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
)

// Confiner gives a rule without a path and a prefix the folder of its evidence: if all its pairs lie in one first folder,
// and it would change URLs in others, or its name stands in others, it is tried in that folder alone. A rule of the whole
// site, seen under /product/ alone, would merge /category/7?page=4 with its first page. (Algorithms 11.2, 8a.)
type Confiner struct {
	n      int
	text   func(n int) string // a URL, or a form
	listed func(v []byte) bool
	index  *search.Index              // of the texts; nil until needed
	named  map[string]map[string]bool // folders by the name of a parameter; nil until needed
}

// Confiner returns what confines rules by their pairs of URLs.
func (w *Window) Confiner() *Confiner {
	return &Confiner{n: len(w.Pages), text: func(n int) string { return w.Pages[n].URL }, listed: func(v []byte) bool {
		_, listed := w.Find(string(v))
		return listed
	}}
}

// confiner returns what confines rules by their pairs of forms.
func (w *View) confiner() *Confiner {
	return &Confiner{n: len(w.Forms.Texts), text: func(n int) string { return w.Forms.Texts[n] }, index: w.Index, listed: func(v []byte) bool {
		_, listed := w.Forms.Number[string(v)]
		return listed
	}}
}

// Confined returns the rule in the folder of its evidence, or as it is. O(URLs that the rule may change), and O(bytes of
// all URLs) once.
func (c *Confiner) Confined(r rule.Rule) rule.Rule {
	if r.Scope.HasPath || r.Scope.Prefix != "" || r.Validate() != nil {
		return r
	}
	in := r
	var ok bool
	if in.Scope, ok = c.folder(&r); !ok || in.Scope.IsWild() || in.Validate() != nil {
		return r
	}
	return in
}

// names returns the folders in which the name of a parameter stands.
func (c *Confiner) names(name string) map[string]bool {
	if c.named == nil {
		c.named = map[string]map[string]bool{}
		for n := range c.n {
			_, query, _ := strings.Cut(c.text(n), "?")
			for _, piece := range pieces(query) {
				name, _, _ := strings.Cut(piece, "=")
				if c.named[name] == nil {
					c.named[name] = map[string]bool{}
				}
				c.named[name][firstFolder(c.text(n))] = true
			}
		}
	}
	return c.named[name]
}

// folder returns the scope of a rule in the one folder that has all its pairs. False: its pairs lie in several, it has
// none, or nothing in another folder is touched.
func (c *Confiner) folder(r *rule.Rule) (in rule.Scope, ok bool) {
	pairs, all := map[string]bool{}, map[string]bool{}
	if r.EditsParams() {
		params := r.Params()
		for name := range params.Names() {
			maps.Copy(all, c.names(name))
		}
	}
	first := map[string]string{} // the folder of the first URL of a form that is not listed
	var v []byte
	if c.index == nil {
		c.index = search.New(c.n, c.text)
	}
	among, _ := c.index.MayChange(r)
	for n := range among {
		u := c.text(int(n))
		var changed bool
		if v, changed = r.Apply(v[:0], []byte(u)); !changed {
			continue
		}
		folder := firstFolder(u)
		all[folder] = true
		if c.listed(v) {
			pairs[folder] = true
		} else if before, met := first[string(v)]; met {
			pairs[folder], pairs[before] = true, true
		} else {
			first[string(v)] = folder
		}
		if len(pairs) > 1 {
			return in, false
		}
	}
	if len(pairs) != 1 || len(all) == 1 {
		return in, false
	}
	in = r.Scope
	for folder := range pairs {
		if strings.HasSuffix(folder, "/") {
			in.Prefix = folder
		} else {
			in.Path, in.HasPath = folder, true
		}
	}
	return in, true
}

// firstFolder returns the beginning of a mined string up to the end of its first folder, with its slash. A URL directly
// under the root is its own folder: the path, up to the query.
func firstFolder(url string) string {
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
