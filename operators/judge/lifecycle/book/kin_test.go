package book

import (
	"testing"

	"dustbuster/operators/rule"
)

// Edits are of kin if they change one value into another, whatever stands around it, or if numbers or hashes alone tell them
// apart.
func TestKin(t *testing.T) {
	sub := func(from, to string) rule.Edit { return rule.Substring{From: from, To: to} }
	for _, c := range []struct {
		name string
		a, b rule.Edit
		want bool
	}{
		{"text around a value", sub("utils/?C=S;O=", "utils/?C=N;O="), sub("-dev/?C=S;", "-dev/?C=N;"), true},
		{"another value", sub("utils/?C=S;O=", "utils/?C=N;O="), sub("utils/?C=S;O=", "utils/?C=D;O="), false},
		{"another direction", sub("?C=S;O=", "?C=N;O="), sub("?C=N;O=", "?C=S;O="), false},
		{"another name", sub("?C=S;O=", "?C=N;O="), sub("?O=S;", "?O=N;"), false},
		{"hashes", sub(";hb=e44ba653925c", ";hb=71bf06071852"), sub(".go;hb=58b07e728351", ".go;hb=e7892d3caf3f"), true},
		{"a hash and a name", sub(";hb=e44ba653925c", ";hb=71bf06071852"), sub(";hb=refs", ";hb=HEAD"), false},
		{"numbers in the path", sub("/page-12/", "/page-13/"), sub("/page-7/", "/page-8/"), true},
		{"numbers of two things", sub("/page-12/", "/page-13/"), sub("/part-7/", "/part-8/"), false},
		{"versions", sub("/a/v1/", "/a/v2/"), sub("/v2/", "/v3/"), true},
		{"words in the path", sub("/de/mod/", "/da/mod/"), sub("/de/", "/da/"), false},
		{"a word that is longer", sub("/print/", "/"), sub("/old/print/", "/old/"), false},
		{"itself", sub("/print/", "/"), sub("/print/", "/"), true},
		{"drops", rule.Drop{Param: "a1"}, rule.Drop{Param: "a2"}, false},
		{"other kinds", rule.Drop{Param: "a"}, sub("?a=1", "?a=2"), false},
		{"empty sides", sub("", "/"), sub("", "/index.html"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := kin(c.a) == kin(c.b); got != c.want {
				t.Errorf("%+v and %+v: %v", kin(c.a), kin(c.b), got)
			}
		})
	}
}
