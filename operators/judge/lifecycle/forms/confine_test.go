package forms_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// A rule is tried no wider than its evidence: in the one folder of its pairs, if it touches URLs of others.
func TestConfine(t *testing.T) {
	drop := func(name, value string) rule.Rule {
		return rule.Rule{Edit: rule.Drop{Param: name, Value: value, HasValue: value != ""}}
	}
	for _, c := range []struct {
		name string
		urls []string // with a number
		r    rule.Rule
		want rule.Scope
	}{
		{"a value that another folder has with other values", []string{"/product/%d", "/product/%d?page=4", "/category/%d?page=2"}, drop("page", "4"), rule.Scope{Prefix: "/product/"}},
		{"a name that another folder has without a second form", []string{"/product/%d", "/product/%d?page=4", "/category/%d?page=2"}, drop("page", ""), rule.Scope{Prefix: "/product/"}},
		{"a name of one folder", []string{"/product/%d", "/product/%d?page=4", "/category/%d?sort=2"}, drop("page", ""), rule.Scope{}},
		{"pairs in two folders", []string{"/product/%d", "/product/%d?page=4", "/shop/%d", "/shop/%d?page=4", "/category/%d?page=2"}, drop("page", "4"), rule.Scope{}},
		{"two forms of a page that is not listed", []string{"/product/x?id=%d&s=1", "/product/x?s=2&id=%d", "/category/%d?s=3"}, drop("s", ""), rule.Scope{Prefix: "/product/"}},
		{"no pair", []string{"/product/%d?page=4", "/category/%d?page=2"}, drop("page", ""), rule.Scope{}},
		{"a page under the root", []string{"/show?id=%d", "/show?id=%d&v=1", "/list/%d?v=2"}, drop("v", ""), rule.Scope{Path: "/show", HasPath: true}},
		{"several slashes", []string{"//product/%d", "//product/%d?page=4", "/category/%d?page=2"}, drop("page", ""), rule.Scope{Prefix: "//product/"}},
		{"a host", []string{"a.example/p/%d", "a.example/p/%d?v=1", "b.example/p/%d?v=2"}, drop("v", ""), rule.Scope{Prefix: "a.example/p/"}},
		{"forms", []string{"/doc/%d.html", "/doc/%d.htm", "/res/%d.htm"}, rule.Rule{Edit: rule.Substring{From: ".htm", To: ".html", AtEnd: true}}, rule.Scope{Prefix: "/doc/"}},
		{"forms of one folder", []string{"/doc/%d.html", "/doc/%d.htm", "/res/%d.xml"}, rule.Rule{Edit: rule.Substring{From: ".htm", To: ".html", AtEnd: true}}, rule.Scope{}},
		{"a value of two folders, and the name in three more", []string{"/a/%d", "/a/%d?p=4", "/b/%d", "/b/%d?p=4", "/c/%d?p=2", "/d/%d?p=2", "/e/%d?p=2"}, drop("p", "4"), rule.Scope{}},
		{"a value of two folders, and the name in four more", []string{"/a/%d", "/a/%d?p=4", "/b/%d", "/b/%d?p=4", "/b/x%d", "/b/x%d?p=4", "/c/%d?p=2", "/d/%d?p=2", "/e/%d?p=2", "/f/%d?p=2"}, drop("p", "4"), rule.Scope{Prefix: "/b/"}},
		{"any value of two folders, and four more", []string{"/a/%d", "/a/%d?p=4", "/b/%d", "/b/%d?p=4", "/c/%d?p=2", "/d/%d?p=2", "/e/%d?p=2", "/f/%d?p=2"}, drop("p", ""), rule.Scope{}},
		{"the text of a value", []string{"/product/%d", "/product/%d?page=4", "/category/%d?page=2"}, rule.Rule{Edit: rule.Substring{From: "?page=4", AtEnd: true}}, rule.Scope{Prefix: "/product/"}},
		{"a set, and one value elsewhere", []string{"/product/%d?v=1", "/product/%d?v=2", "/category/%d?v=1"}, rule.Rule{Edit: rule.Set{Param: "v", Value: "1"}}, rule.Scope{Prefix: "/product/"}},
		{"a path already", []string{"/product/%d", "/product/%d?page=4", "/category/%d?page=2"}, rule.Rule{Edit: rule.Drop{Param: "page"}, Scope: rule.Scope{Path: "/product/1", HasPath: true}}, rule.Scope{Path: "/product/1", HasPath: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var pages []evidence.Page
			for _, url := range c.urls {
				for i := range 12 {
					pages = append(pages, evidence.Page{URL: fmt.Sprintf(url, i)})
				}
			}
			want := c.r
			want.Scope = c.want
			if got := forms.NewWindow(pages).Confiner().Confined(c.r); got != want {
				t.Errorf("%+v, want %+v", got.Scope, c.want)
			}
		})
	}
}

// The folder of a rule is that of the plain definition (algorithms 11.2, 8a), in small worlds.
func TestConfinedIsPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	confined := map[bool]int{}
	for range 3000 {
		urls := map[string]bool{}
		for range 1 + r.IntN(40) {
			u := fmt.Sprintf("/%c/%d", 'a'+rune(r.IntN(1+r.IntN(9))), r.IntN(3))
			if r.IntN(6) == 0 {
				u = fmt.Sprintf("/%d", r.IntN(3))
			}
			urls[u+[]string{"", "", "?p=1", "?p=2", "?p=1&q=1"}[r.IntN(5)]] = true
		}
		var pages []evidence.Page
		for u := range urls {
			pages = append(pages, evidence.Page{URL: u})
		}
		one := []rule.Rule{{Edit: rule.Drop{Param: "p", Value: "1", HasValue: true}}, {Edit: rule.Drop{Param: "p"}}, {Edit: rule.Set{Param: "p", Value: "1"}},
			{Edit: rule.Substring{From: "?p=1", AtEnd: true}}, {Edit: rule.Drop{Param: "p", Other: "q"}}}[r.IntN(5)]
		got, want := forms.NewWindow(pages).Confiner().Confined(one), plainScope(one, urls)
		if got.Scope != want {
			t.Fatalf("%s: %+v, want %+v, in %v", one.Words(), got.Scope, want, slices.Sorted(maps.Keys(urls)))
		}
		confined[want != rule.Scope{}]++
	}
	if confined[true] < 300 || confined[false] < 300 {
		t.Errorf("%v rules are confined", confined)
	}
}

// plainScope is the scope of a rule of a whole site by the definition.
func plainScope(r rule.Rule, urls map[string]bool) rule.Scope {
	becomes := map[string][]string{}
	edits := map[string]bool{}
	touched := map[string]int{}
	for u := range urls {
		made, changed := r.Apply(nil, []byte(u))
		if edits[folderOf(u)] = edits[folderOf(u)] || changed; changed {
			becomes[string(made)] = append(becomes[string(made)], u)
		}
		if changed || strings.Contains(u, "p=") && r.Params().Other == "" && r != (rule.Rule{Edit: rule.Drop{Param: "p"}}) {
			touched[folderOf(u)]++
		}
	}
	pairs := map[string]int{}
	for made, of := range becomes {
		for _, u := range of {
			if urls[made] || len(of) > 1 {
				pairs[folderOf(u)]++
				delete(touched, folderOf(u))
			}
		}
	}
	others := slices.SortedFunc(maps.Keys(touched), func(a, b string) int { return cmp.Or(touched[b]-touched[a], strings.Compare(a, b)) })
	unseen := slices.DeleteFunc(others[:min(8, len(others))], func(folder string) bool { return edits[folder] })
	if len(others) == 0 || len(pairs) == 0 || len(pairs) > 1 && len(unseen) <= 3 {
		return rule.Scope{}
	}
	largest := slices.MinFunc(slices.Collect(maps.Keys(pairs)), func(a, b string) int { return cmp.Or(pairs[b]-pairs[a], strings.Compare(a, b)) })
	if strings.Count(largest, "/") == 1 {
		return rule.Scope{Path: largest, HasPath: true}
	}
	return rule.Scope{Prefix: largest}
}

// folderOf is the first folder of a URL of the small worlds.
func folderOf(u string) string {
	path, _, _ := strings.Cut(u, "?")
	if parts := strings.Split(path, "/"); len(parts) == 3 {
		return "/" + parts[1] + "/"
	}
	return path
}
