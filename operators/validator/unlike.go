package validator

import (
	"slices"
	"strings"

	"dustbuster/operators/urllist"
)

// Unlike tells whether the log shows pages of different sizes at two URLs of the
// window: one page at both is not what clients were given. O(log of the window).
func (m *Machine) Unlike(a, b string) bool {
	if m.window == nil {
		return false
	}
	p, q := m.window.sizes(a), m.window.sizes(b)
	return shareClass(p.Evidence, q.Evidence) && !m.alike(&p, &q)
}

// sizes is what is known of the sizes of a URL's page. Digests are left out: a page
// that says the same may have another each time.
func (w *Window) sizes(url string) Page {
	i, found := slices.BinarySearchFunc(w.pages, url, func(p Page, url string) int { return strings.Compare(p.URL, url) })
	if !found {
		return Page{URL: url}
	}
	return Page{URL: url, Evidence: w.pages[i].Evidence.Sizes()}
}

// shareClass tells whether anything of two pages may be compared.
func shareClass(a, b urllist.Evidence) bool {
	return slices.ContainsFunc(a, func(s urllist.Span) bool {
		return slices.ContainsFunc(b, func(t urllist.Span) bool { return s.Class == t.Class })
	})
}
