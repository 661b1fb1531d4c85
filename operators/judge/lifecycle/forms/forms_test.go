package forms_test

import (
	"slices"
	"testing"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// A kind is a directory and the names of the parameters with a value.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		name, u, v string
		same       bool
	}{
		{"two names", "/a/x", "/a/y", true},
		{"two values", "/a/x?n=1", "/a/y?n=2", true},
		{"another order and separator", "/a?n=1&m=2", "/b?m=3;n=4", true},
		{"a parameter twice", "/a?n=1&n=2", "/a?n=1", true},
		{"no name", "/a?17", "/a?18", true},
		{"no name and no query", "/a?17", "/a", true},
		{"no name at the root", "/?x/y", "/?z", true},
		{"two directories", "/a/x", "/b/x", false},
		{"a deeper directory", "/a/x", "/a/x/y", false},
		{"a parameter and no query", "/a?n=1", "/a", false},
		{"two parameters", "/a?n=1", "/a?m=1", false},
		{"an empty value and none", "/a?n=", "/a?n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if (forms.KindOf(c.u) == forms.KindOf(c.v)) != c.same {
				t.Errorf("%s and %s are of one kind: %v", c.u, c.v, !c.same)
			}
		})
	}
}

func TestForms(t *testing.T) {
	page := func(u string) evidence.Page { return evidence.Page{URL: u} }
	w := forms.NewWindow([]evidence.Page{page("/b/2"), page("/a/1"), page("/b/1"), page("/c/3"), page("/b/1")})
	f := forms.Of(w, []rule.Rule{{Edit: rule.Substring{From: "b", To: "a"}}, {Edit: rule.Substring{From: "c", To: "a"}}})
	if !slices.Equal(f.Texts, []string{"/a/1", "/a/2", "/a/3"}) || w.Len() != 4 {
		t.Fatalf("forms %q of %d URLs", f.Texts, w.Len())
	}
	for n, want := range []string{"/a/1", "/b/2", "/c/3"} {
		if f.Rep(int32(n)) != want {
			t.Errorf("%s is represented by %s, want %s", f.Texts[n], f.Rep(int32(n)), want)
		}
	}
}

// If a form is listed, it represents itself, even if another of its URLs comes first.
func TestRepresentative(t *testing.T) {
	f := forms.Of(forms.NewWindow([]evidence.Page{{URL: "/a"}, {URL: "/b"}}), []rule.Rule{{Edit: rule.Substring{From: "a", To: "b"}}})
	if len(f.Texts) != 1 || f.Rep(0) != "/b" {
		t.Errorf("%q stands for %q", f.Rep(0), f.Texts)
	}
}
