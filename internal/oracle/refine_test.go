package oracle

import (
	"fmt"
	"slices"
	"testing"
)

func TestRefines(t *testing.T) {
	for _, c := range []struct {
		a, b Pair
		want bool
	}{
		{plain(".co.il/story?id=", ".co.il/story_"), plain("story?id=", "story_"), true}, // section 5.2
		{plain("story?id=", "story_"), plain(".co.il/story?id=", ".co.il/story_"), false},
		{plain("a", "b"), plain("a", "b"), true},
		{plain("/a", "/"), plain("a", ""), true},
		{plain("/ab", "/b"), plain("a", ""), false}, // a is not a token
		{Pair{".html", ".htm", false, true}, plain("html", "htm"), true},
		{plain("html", "htm"), Pair{"html", "htm", false, true}, false}, // $ is a token
		{Pair{"", "/", true, false}, Pair{"", "/", true, false}, true},
		{Pair{"^a", "a", false, false}, Pair{"a", "", true, false}, false}, // a literal ^ is not the special token
		{plain("1.a.b", "b.a.1"), plain("1", "b"), false},
		{plain("a.b.a", "a.b.c"), plain("a", "c"), true},    // the second occurrence
		{plain("c.aa", "c.b"), plain("b", "aa"), true},      // sides in the other order
		{plain("bb.a", "a.a"), plain("bb", "a"), true},      // the larger side first in both
		{plain("xbb.a", "xa.a"), plain("bb", "a"), false},   // the tokens are xbb and xa
		{plain("/a.a", "/a"), plain(".a", ""), true},        // an empty side, at the end
		{plain("/a.a", "/a"), plain("a.", ""), true},        // the same, in the middle
		{plain("/a.a", "/a"), plain("/a.", "/"), true},      // the same, at the start
		{plain("a//b", "a/b"), plain("/", ""), true},        // two ways
		{plain("ab", "a"), plain("b", ""), false},           // tokens only
		{Pair{"/a", "/", true, true}, plain("a", ""), true}, // both anchors around the sides
		{plain("a%2Bb", "ab"), plain("%2B", ""), true},      // the second side joins a and b
		{plain("a.b", "acb"), plain(".", "c"), true},        // the same
		{plain("acb", "a.b"), plain("c", "."), false},       // the first side does
		{Pair{"a.", "a", false, true}, plain(".", ""), true},
	} {
		if got := Refines(c.a, c.b); got != c.want {
			t.Errorf("%+v refines %+v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestRefine follows figure 2 by hand. The rules are in the order of the list.
func TestRefine(t *testing.T) {
	type named struct {
		alpha, beta   string
		support, high int
	}
	filler := func(n, high int) []named {
		var all []named
		for i := range n {
			all = append(all, named{fmt.Sprintf("%05dx", i), fmt.Sprintf("%05dy", i), high, high})
		}
		return all
	}
	for _, c := range []struct {
		what string
		list []named
		left []string // alphas
	}{
		{"the more general goes", []named{{"/a", "/", 9, 9}, {"a", "", 9, 9}}, []string{"/a"}},
		{"also when it stands first", []named{{"a", "", 10, 10}, {"/a", "/", 9, 9}}, []string{"/a"}},
		{"a difference of one counts as none", []named{{"a", "", 4, 4}, {"/a", "/", 3, 3}}, []string{"/a"}},
		{"one of two does not", []named{{"a", "", 5, 5}, {"/a", "/", 3, 3}}, []string{"a", "/a"}},
		{"5 % does", []named{{"a", "", 100, 100}, {"/a", "/", 95, 95}}, []string{"/a"}},
		{"6 % does not", []named{{"a", "", 100, 100}, {"/a", "/", 94, 94}}, []string{"a", "/a"}},
		{"size is High", []named{{"a", "", 3, 100}, {"/a", "/", 50, 95}}, []string{"/a"}},
		{"what is gone eliminates nothing", // the first eliminates the second; the third is too far from the first
			[]named{{"/a.b", "/c.b", 22, 22}, {"a.b", "c.b", 21, 21}, {"a", "c", 20, 20}}, []string{"/a.b", "a"}},
		{"what is not gone does", []named{{"a.b", "c.b", 21, 21}, {"a", "c", 20, 20}}, []string{"a.b"}},
		{"within the window", slices.Concat([]named{{"/a", "/", 50, 50}}, filler(1099, 50), []named{{"a", "", 50, 50}}), nil},
		{"beyond the window", slices.Concat([]named{{"/a", "/", 50, 50}}, filler(1100, 50), []named{{"a", "", 50, 50}}), []string{"a"}},
		{"survivors by support", []named{{"p", "", 3, 9}, {"q", "", 4, 8}, {"r", "", 3, 7}}, []string{"q", "p", "r"}},
		{"nothing", nil, nil},
	} {
		var rules []Rule
		for _, r := range c.list {
			rules = append(rules, Rule{plain(r.alpha, r.beta), Count{r.support, r.high}})
		}
		var left []string
		for _, r := range Refine(rules) {
			left = append(left, r.Alpha)
		}
		if len(c.list) > 1000 { // check only the last rule
			if got := slices.Contains(left, "a"); got != (c.left != nil) {
				t.Errorf("%s: a is left: %v", c.what, got)
			}
		} else if !slices.Equal(left, c.left) {
			t.Errorf("%s: %q are left, want %q", c.what, left, c.left)
		}
	}
}
