package lifecycle

import (
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/dust"
	"dustbuster/operators/evidence"
	"dustbuster/operators/oracle"
	"dustbuster/operators/rule"
)

// The index finds every form changed by a rule, whatever the escapes of the form and the
// rule.
func TestMayChangeThroughEscapes(t *testing.T) {
	var pages []evidence.Page
	for _, s := range oracle.Strings("%40=", 4) {
		pages = append(pages, evidence.Page{URL: "/" + s}, evidence.Page{URL: "/?" + s})
	}
	f := formsOf(NewWindow(pages), nil)
	x := newIndex(f)
	changed := 0
	for _, s := range oracle.Strings("%40=", 3)[1:] {
		name := strings.ReplaceAll(s, "=", "")
		for _, r := range []rule.Rule{
			{From: s, To: "x"}, {From: s, To: "x", AtEnd: true}, {From: "/", To: "/x", Scope: rule.Scope{Path: "/" + s, HasPath: true}},
			{Kind: rule.Drop, Param: name}, {From: "/", To: "/x", Scope: rule.Scope{Where: rule.With(name)}},
		} {
			if r.Validate() != nil {
				continue
			}
			few, _ := x.mayChange(&r)
			got, _ := f.moves(&r, few)
			want, _ := f.moves(&r, f.everything())
			if !slices.Equal(got, want) {
				t.Fatalf("%+v: %d forms change, want %d", r, len(got), len(want))
			}
			changed += len(want)
		}
	}
	if changed < 1000 {
		t.Errorf("only %d forms change", changed)
	}
}

// The common parts of two URLs are whole tokens of both, and as many as possible.
func TestCommon(t *testing.T) {
	all := oracle.Strings("%40", 4)
	for _, u := range all {
		for _, v := range all {
			p, s := common(u, v)
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
