package notes

import (
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// pairs returns some pairs of pages of which both, the first, the second or none have a property:
// pages of even numbers have the property.
func pairs(both, first, second, none int) (all [][2]uint32) {
	for range both {
		all = append(all, [2]uint32{0, 2})
	}
	for range first {
		all = append(all, [2]uint32{0, 1})
	}
	for range second {
		all = append(all, [2]uint32{1, 0})
	}
	for range none {
		all = append(all, [2]uint32{1, 3})
	}
	return all
}

func TestRules(t *testing.T) {
	even := []bool{true, false, true, false}
	for _, c := range []struct {
		pairs              [][2]uint32
		explained, scanned bool
	}{
		{pairs(0, 0, 0, 0), false, false},
		{pairs(9, 1, 0, 0), true, true},
		{pairs(8, 1, 1, 0), false, true},
		{pairs(1, 0, 0, 0), true, true},
		{pairs(3, 3, 3, 1), false, true},
		{pairs(3, 3, 2, 1), false, false},
		{pairs(0, 0, 5, 5), false, false},
	} {
		s := Site{caught: even, scanned: even}
		pairs := func(*rule.Rule) [][2]uint32 { return c.pairs }
		if e, o := s.Explained(nil, pairs), s.OfScanners(nil, pairs); e != c.explained || o != c.scanned {
			t.Errorf("explained %v, of scanners %v, want %v", e, o, c)
		}
		if s := (Site{}); s.Explained(nil, pairs) || s.OfScanners(nil, pairs) {
			t.Error("a site without marked pages explains a rule")
		}
	}
}

// What is said of a site without notes is true.
func TestSummary(t *testing.T) {
	sizes := func(i int) evidence.Spans {
		switch {
		case i < 20:
			return of(0, 700)
		case i < 30:
			return evidence.Spans{{Min: 900, Max: 1000}}
		}
		return different(i)
	}
	hits := make([]int64, 100)
	for i := range hits {
		hits[i] = either[int64](i == 20, 26, 1)
	}
	digest := func(i int) evidence.Spans { return append(different(i), of(evidence.Digest, int64(i))...) }
	for _, c := range []struct {
		w    *Window
		want string
		good bool
	}{
		{window{sizes, many}.of(100), "Page sizes identify most pages here: 20 % of the URLs share their size with many others, and 10 % change their size by more than 1 %.", true},
		{window{sizes, many}.of(49), "Only 49 pages have a known size. 50 are needed", false},
		{window{func(int) evidence.Spans { return nil }, many}.of(100), "No size of a page is known", false},
		{window{digest, many}.of(100), "Pages are compared by their content", true},
		{&Window{NoSizes: true, Pages: window{sizes, many}.of(100).Pages}, "Pages are compared neither by size nor by digest", false},
		{&Window{Hits: hits, Tolerance: .02, Pages: window{sizes, many}.of(100).Pages}, "Page sizes identify most pages here: 20 % of the URLs share their size with many others, and 10 % (28 % of the requests) change their size by more than 2 %.", true},
	} {
		s := Of(c.w)
		if words, good := s.Summary(); !strings.HasPrefix(words, c.want) || good != c.good || len(s.Notes) > 0 {
			t.Errorf("%q (%v), want %q; notes %v", words, good, c.want, s.Notes)
		}
	}
}
