package forms_test

import (
	"fmt"
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
