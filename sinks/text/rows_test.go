package text

import (
	"fmt"
	"testing"

	"dustbuster/operators/rule"
)

func weighed(from string, pairs, alike int, weight float64) rule.Likely {
	return rule.Likely{Rule: rule.Rule{From: from}, Weighed: true, Pairs: pairs, Alike: alike, Weight: weight}
}

func TestOrder(t *testing.T) {
	unweighed := rule.Likely{Rule: rule.Rule{From: "none"}}
	for _, c := range []struct {
		all    bool
		rules  []rule.Likely
		want   string
		hidden int
	}{
		{false, []rule.Likely{weighed("a", 10, 9, 50), weighed("b", 4, 4, 5), weighed("c", 20, 20, 7), weighed("d", 9, 9, 2.99)}, "c b a ", 1},
		{true, []rule.Likely{weighed("a", 10, 9, 50), weighed("b", 4, 4, 5), weighed("c", 20, 20, 7), weighed("d", 9, 9, 2.99)}, "c b d a ", 0},
		{false, []rule.Likely{weighed("a", 10, 10, 3), weighed("b", 5, 5, 3), weighed("x", 0, 0, 0)}, "a b ", 1},
		{false, []rule.Likely{unweighed, unweighed}, "none none ", 0},
		{false, nil, "", 0},
	} {
		shown, hidden := Order(c.rules, c.all)
		got := ""
		for _, r := range shown {
			got += r.Rule.From + " "
		}
		if got != c.want || hidden != c.hidden {
			t.Errorf("%q and %d hidden, want %q and %d", got, hidden, c.want, c.hidden)
		}
	}
}

func TestRows(t *testing.T) {
	pair := func(from, to string, start, end bool) rule.Likely {
		return rule.Likely{Rule: rule.Rule{From: from, To: to, AtStart: start, AtEnd: end}}
	}
	drop := func(name string, s rule.Scope) rule.Likely {
		return rule.Likely{Rule: rule.Rule{Kind: rule.Drop, Param: name, Scope: s}}
	}
	for _, c := range []struct {
		rules            []rule.Likely
		folded, expanded string
	}{
		{[]rule.Likely{pair("/new/", "/old/", true, false), pair("/new/x", "/old/x", false, false), pair("b/new", "b/old", false, true)}, "[2]", "[0 0 0]"},
		{[]rule.Likely{pair("newer", "new", false, false), pair("new", "", false, false)}, "[0 0]", "[0 0]"}, // tokens, not letters
		{[]rule.Likely{pair(".html", "", false, true), pair("x.html", "x", false, false), pair("//", "/", true, false), pair("/", "", false, false)}, "[1 1]", "[0 0 0 0]"},
		{[]rule.Likely{drop("a", rule.Scope{}), drop("b", rule.Scope{}), drop("a", rule.Scope{HasPath: true, Path: "/"})}, "[1 0]", "[0 0 0]"},
	} {
		for expand, want := range map[bool]string{false: c.folded, true: c.expanded} {
			var others []int
			for _, r := range Rows(c.rules, expand) {
				others = append(others, r.Others)
			}
			if got := fmt.Sprint(others); got != want {
				t.Errorf("%v, expand %v: %s, want %s", c.rules, expand, got, want)
			}
		}
	}
}

func TestReadable(t *testing.T) {
	for url, want := range map[string]string{
		"/a%20b?x=%2F":                   "/a%20b?x=%2F",
		"/%E0%B8%81%E0%B8%82/x":          "/กข/x",
		"/caf%C3%A9":                     "/caf%C3%A9",
		"/%D0%BC%D0%B8%D1%80%":           "/мир%",
		"/%ff%fe%fd%fc%fb%fa%f9":         "/%ff%fe%fd%fc%fb%fa%f9",
		"/%E2%80%AE%E2%80%AE/x":          "/%E2%80%AE%E2%80%AE/x", // would turn the line around
		"/%C2%9B%C2%9B%C2%9B31m":         "/%C2%9B%C2%9B%C2%9B31m",
		"%E0%B8%81%E0%B8":                "%E0%B8%81%E0%B8",
		"/%E0%B8%81%E0%B8%82.%E0%B8%81-": "/กข.%E0%B8%81-",
	} {
		if got := Readable(url); got != want {
			t.Errorf("%q: %q, want %q", url, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1 kB", 12345: "12.3 kB", 999_499: "999 kB",
		999_501: "1 MB", 7_250_000_000: "7.25 GB"} {
		if got := Size(bytes); got != want {
			t.Errorf("%d: %s, want %s", bytes, got, want)
		}
	}
}
