package worlds

import (
	"slices"
	"strings"

	"dustbuster/operators/window/evidence"
)

// Size returns the evidence of one size.
func Size(n int64) evidence.Spans { return evidence.Spans{{Min: n, Max: n}} }

// Digest returns the evidence of one digest.
func Digest(n int64) evidence.Spans { return evidence.Spans{{Min: n, Max: n, Class: evidence.Digest}} }

// Pages returns the pages of a map in the order of their URLs.
func Pages(m map[string]evidence.Spans) (pages []evidence.Page) {
	for url, e := range m {
		pages = append(pages, evidence.Page{URL: url, Evidence: e})
	}
	slices.SortFunc(pages, func(a, b evidence.Page) int { return strings.Compare(a.URL, b.URL) })
	return pages
}
