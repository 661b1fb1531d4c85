package validator

import (
	"testing"

	"dustbuster/operators/urllist"
)

// URLs are unlike where sizes of one class differ, and not where nothing can be
// compared.
func TestUnlike(t *testing.T) {
	m := New("", townOptions())
	if m.Unlike("/a", "/b") {
		t.Error("without a window")
	}
	m.Load(NewWindow([]Page{
		{"/a", urllist.Evidence{{Min: 1000, Max: 1000}, {Min: 1, Max: 1, Class: urllist.Digest}}},
		{"/b", urllist.Evidence{{Min: 1000, Max: 1000}, {Min: 2, Max: 2, Class: urllist.Digest}}},
		{"/c", urllist.Evidence{{Min: 5000, Max: 5000}}},
		{"/gzip", urllist.Evidence{{Min: 300, Max: 300, Class: 1}}},
		{"/none", nil},
	}), nil)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"/a", "/c", true}, {"/c", "/b", true},
		{"/a", "/a", false}, {"/a", "/b", false}, // digests do not count
		{"/a", "/gzip", false}, {"/a", "/none", false}, {"/a", "/unknown", false},
	} {
		if got := m.Unlike(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
