package forms

import (
	"maps"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
)

// Confine gives each candidate the folder of its evidence: see confiner. O(bytes of the window), and for each candidate
// O(URLs that it may change).
func Confine(w *Window, candidates []rule.Candidate) []rule.Candidate {
	url := func(n int) string { return w.Pages[n].URL }
	c := &confiner{n: len(w.Pages), text: url, index: search.New(len(w.Pages), url), listed: func(v []byte) bool {
		_, listed := w.Find(string(v))
		return listed
	}}
	for i := range candidates {
		candidates[i].Rule = c.confined(candidates[i].Rule)
	}
	return candidates
}

// confiner gives a rule without a path and a prefix the folder of its evidence: if all its pairs lie in one first folder,
// and it would change URLs in others, or its name stands in others, it is tried in that folder alone. A rule of the whole
// site, seen under /product/ alone, would merge /category/7?page=4 with its first page. (Algorithms 11.2, 8a.)
type confiner struct {
	n      int
	text   func(n int) string // a URL, or a form
	index  *search.Index      // of the texts
	listed func(v []byte) bool
	named  map[string]map[string]bool // folders by the name of a parameter; nil until needed
}

// confiner returns what confines rules by their pairs of forms.
func (w *View) confiner() *confiner {
	return &confiner{n: len(w.Forms.Texts), text: func(n int) string { return w.Forms.Texts[n] }, index: w.Index, listed: func(v []byte) bool {
		_, listed := w.Forms.Number[string(v)]
		return listed
	}}
}

// confined returns the rule in the folder of its evidence, or as it is.
func (c *confiner) confined(r rule.Rule) rule.Rule {
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
func (c *confiner) names(name string) map[string]bool {
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
func (c *confiner) folder(r *rule.Rule) (in rule.Scope, ok bool) {
	pairs, all := map[string]bool{}, map[string]bool{}
	if r.EditsParams() {
		maps.Copy(all, c.names(r.Param))
		maps.Copy(all, c.names(r.Other))
	}
	first := map[string]string{} // the folder of the first URL of a form that is not listed; "": it has been counted
	var v []byte
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
