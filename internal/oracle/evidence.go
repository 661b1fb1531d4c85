package oracle

import "dustbuster/operators/window/evidence"

// OneDigest returns the digest of a page that has exactly one.
func OneDigest(e evidence.Spans) (int64, bool) {
	for _, s := range e {
		if s.Class == evidence.Digest && s.Min == s.Max {
			return s.Min, true
		}
	}
	return 0, false
}

// Common returns the sizes of two pages in each class that both have.
func Common(e, f evidence.Spans) (sizes [][2]evidence.Span) {
	for _, s := range e {
		for _, t := range f {
			if s.Class == t.Class && s.Class != evidence.Digest {
				sizes = append(sizes, [2]evidence.Span{s, t})
			}
		}
	}
	return sizes
}

// Comparable reports whether both pages have one digest, or sizes in one class.
func Comparable(s evidence.Similarity, e, f evidence.Spans) bool {
	_, one := OneDigest(e)
	_, two := OneDigest(f)
	return s.Off || one && two || len(Common(e, f)) > 0
}

// Known reports whether a page can be compared with some page.
func Known(s evidence.Similarity, e evidence.Spans) bool { return Comparable(s, e, e) }

// FewValued returns the names of parameters that have at most most values on all pages.
func FewValued(pages []evidence.Page, most int) map[string]bool {
	values := map[string]map[string]bool{}
	for _, page := range pages {
		for _, p := range Params(page.URL) {
			if !p.Bare {
				if values[p.Name] == nil {
					values[p.Name] = map[string]bool{}
				}
				values[p.Name][p.Value] = true
			}
		}
	}
	few := map[string]bool{}
	for name, v := range values {
		few[name] = len(v) <= most
	}
	return few
}
