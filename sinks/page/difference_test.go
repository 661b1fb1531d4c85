package page

import "testing"

// The pieces of two URLs are the URLs, and what is not marked is the same.
func FuzzCommon(f *testing.F) {
	f.Add("/a?b=%41c", "/a?b=%42c")
	f.Add("/กข", "/กฃ\xe0")
	f.Fuzz(func(t *testing.T, u, v string) {
		start, end := Common(u, v)
		if start < 0 || end < 0 || start+end > min(len(u), len(v)) || u[:start] != v[:start] || u[len(u)-end:] != v[len(v)-end:] {
			t.Fatalf("%q and %q share %d and %d bytes", u, v, start, end)
		}
	})
}
