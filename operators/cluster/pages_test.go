package cluster

import (
	"fmt"
	"reflect"
	"testing"

	"dustbuster/operators/evidence"
)

func sized(url string, least, most int64) evidence.Page {
	return evidence.Page{URL: url, Evidence: evidence.Spans{{Min: least, Max: most}}}
}

func digested(url string, digest int64) evidence.Page {
	return evidence.Page{URL: url, Evidence: evidence.Spans{{Min: 7, Max: 7}, {Min: digest, Max: digest, Class: evidence.Digest}}}
}

// A digest is a label whatever the sizes. One size is a label for pages without a digest.
// Pages of several sizes, and of none, have no label.
func TestOfPages(t *testing.T) {
	pages := []evidence.Page{
		digested("/a", 1), digested("/b", 2), digested("/c", 1), sized("/d", 7, 7), sized("/e", 7, 7), sized("/f", 7, 8), {URL: "/g"}, sized("/h", 9, 9),
	}
	want := [][]string{{"/a", "/c"}, {"/b"}, {"/d", "/e"}, {"/h"}}
	if got := OfPages(pages); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A size of more than MostOfOneSize pages is no label. A digest of as many pages is one.
func TestOfPagesOfOneSize(t *testing.T) {
	for _, n := range []int{MostOfOneSize, MostOfOneSize + 1} {
		var sizes, digests []evidence.Page
		for i := range n {
			sizes = append(sizes, sized(fmt.Sprint("/", i), 5, 5))
			digests = append(digests, digested(fmt.Sprint("/", i), 5))
		}
		if got := OfPages(sizes); (len(got) == 1) != (n == MostOfOneSize) {
			t.Errorf("%d pages of one size: %d clusters", n, len(got))
		}
		if got := OfPages(digests); len(got) != 1 || len(got[0]) != n {
			t.Errorf("%d pages of one digest: %d clusters", n, len(got))
		}
	}
}
