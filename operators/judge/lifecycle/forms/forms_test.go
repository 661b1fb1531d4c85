package forms

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// A kind is a directory and the names of the parameters with a value.
func TestKinds(t *testing.T) {
	for _, same := range [][2]string{
		{"/a/x", "/a/y"}, {"/a/x?n=1", "/a/y?n=2"}, {"/a?n=1&m=2", "/b?m=3;n=4"}, {"/a?n=1&n=2", "/a?n=1"}, {"/a?17", "/a?18"}, {"/a?17", "/a"}, {"/?x/y", "/?z"},
	} {
		if KindOf(same[0]) != KindOf(same[1]) {
			t.Errorf("%q are of two kinds", same)
		}
	}
	for _, other := range [][2]string{{"/a/x", "/b/x"}, {"/a/x", "/a/x/y"}, {"/a?n=1", "/a"}, {"/a?n=1", "/a?m=1"}, {"/a?n=", "/a?n"}} {
		if KindOf(other[0]) == KindOf(other[1]) {
			t.Errorf("%q are of one kind", other)
		}
	}
}

// Four pairs of one v are drawn before pairs of another v. Otherwise the order is
// unchanged.
func TestInRounds(t *testing.T) {
	var pairs []Pair
	for i := range 10 {
		pairs = append(pairs, Pair{U: fmt.Sprint(i), V: "many", Key: book.Key{uint64(i)}})
	}
	for i := range 3 {
		pairs = append(pairs, Pair{U: fmt.Sprint(10 + i), V: fmt.Sprint("one ", i), Key: book.Key{uint64(10 + i)}})
	}
	inRounds(pairs)
	got := ""
	for _, p := range pairs {
		got += p.U + " "
	}
	if want := "0 1 2 3 10 11 12 4 5 6 7 8 9 "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestForms(t *testing.T) {
	page := func(u string) evidence.Page { return evidence.Page{URL: u} }
	w := NewWindow([]evidence.Page{page("/b/2"), page("/a/1"), page("/b/1"), page("/c/3"), page("/b/1")})
	f := Of(w, []rule.Rule{{Edit: rule.Substring{From: "b", To: "a"}}, {Edit: rule.Substring{From: "c", To: "a"}}})
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
	f := Of(NewWindow([]evidence.Page{{URL: "/a"}, {URL: "/b"}}), []rule.Rule{{Edit: rule.Substring{From: "a", To: "b"}}})
	if len(f.Texts) != 1 || f.Rep(0) != "/b" {
		t.Errorf("%q stands for %q", f.Rep(0), f.Texts)
	}
}
