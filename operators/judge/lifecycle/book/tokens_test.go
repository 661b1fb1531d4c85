package book_test

import (
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule/dust"
)

// The common parts of two URLs are whole tokens of both, and as many as possible.
func TestCommon(t *testing.T) {
	all := oracle.Strings("%40", 4)
	for _, u := range all {
		for _, v := range all {
			p, s := book.Common(u, v)
			n := wholeInBoth(u, v)
			if p != u[:n] {
				t.Fatalf("%q and %q begin with %q, want %q", u, v, p, u[:n])
			}
			if !strings.HasSuffix(u, s) || !strings.HasSuffix(v, s) || len(p)+len(s) > min(len(u), len(v)) ||
				!dust.Boundary(u, len(u)-len(s)) || !dust.Boundary(v, len(v)-len(s)) {
				t.Fatalf("%q and %q end with %q after %q", u, v, s, p)
			}
		}
	}
}

// wholeInBoth returns the length of the longest prefix of whole tokens of two URLs.
func wholeInBoth(u, v string) int {
	a, b := dust.AppendCuts(nil, []byte(u)), dust.AppendCuts(nil, []byte(v))
	n := int32(0)
	for k := range min(len(a), len(b)) {
		if a[k] != b[k] || u[:a[k]] != v[:a[k]] {
			break
		}
		n = a[k]
	}
	return int(n)
}
