package rule

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func except(t *testing.T, scopes []Scope, urls ...string) Except {
	t.Helper()
	e, err := NewExcept(scopes, urls)
	must(t, err)
	return e
}

// Exceptions are written as read, in order, and leave the URLs in them alone.
func TestExcept(t *testing.T) {
	for _, c := range []struct {
		text   string
		stays  []string
		change []string
	}{
		{`{"kind":"parameter","op":"drop","params":["h"],"scope":{},"except":{"urls":["/?h=1","/?h=2"]}}`, []string{"/?h=1", "/?h=2"}, []string{"/?h=3", "/?h=1&a"}},
		{`{"kind":"parameter","op":"drop","params":["h"],"scope":{},"except":{"scopes":[{"prefix":"/p","where":[{"param":"m","valued":true},{"param":"n"}]},{"path":"/"},{"path":"/a/*/","where":[{"param":"m","value":""}]}]}}`,
			[]string{"/?h=1", "/a/b/?h&m=", "/p?h&m=1&n"}, []string{"/a?h=1", "/a/b/?h&m", "/p?m&n&h"}},
		{`{"kind":"parameter","op":"drop","params":["h"],"scope":{},"except":{"scopes":[{"where":[{"param":"h"}]}]}}`, nil, []string{"/?h=1"}},
		{`{"kind":"parameter","op":"drop","params":["h"],"scope":{},"except":{"scopes":[{"prefix":"/a","where":[{"param":"h","own":true,"begins":"w="}]},{"where":[{"param":"h","value":"1","own":true}]}]}}`,
			[]string{"/?h=1", "/?h=2&h=1", "/a?h=w=", "/a?h=w=3;h=2"}, []string{"/?h=11", "/?h", "/?h=", "/?h=w=", "/a?h=w", "/a?h=2"}},
		{`{"kind":"parameter","op":"set","params":["h"],"to":"1","scope":{},"except":{"scopes":[{"where":[{"param":"h","value":"","own":true},{"param":"m"}]}]}}`,
			[]string{"/?m&h=", "/?h=&h&m"}, []string{"/?h=", "/?m&h", "/?m&h=2"}},
		{`{"kind":"parameter","op":"drop","params":["h"],"in":"path","scope":{},"except":{"scopes":[{"path":"/a"}],"urls":["/b"]}}`, []string{"/a;h=1", "/a;h?h"}, []string{"/b;h", "/a;h=1;i"}},
		{`{"kind":"parameter","op":"drop","params":["h"],"in":"path","scope":{"path":"/a"},"except":{"scopes":[{"prefix":"/a;h=1"}]}}`, []string{"/a;h=1", "/b;h"}, []string{"/a;h=2"}},
	} {
		var r Rule
		if err := json.Unmarshal([]byte(c.text), &r); err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		if text, err := json.Marshal(r); err != nil || string(text) != c.text {
			t.Errorf("%s is written as %s (%v)", c.text, text, err)
		}
		for _, url := range append(c.stays, c.change...) {
			_, changed := r.Apply(nil, []byte(url))
			if changed == slices.Contains(c.stays, url) {
				t.Errorf("%s changes %q: %v", c.text, url, changed)
			}
		}
	}
}

// A condition on the own parameter stands only in the exceptions of a rule that removes or
// changes this parameter alone, in the query.
func TestOwnBelongs(t *testing.T) {
	const drop = `"kind":"parameter","op":"drop","params":["h"]`
	own := func(condition string) string {
		return `,"scope":{},"except":{"scopes":[{"where":[` + condition + `]}]}`
	}
	of := own(`{"param":"h","own":true,"value":"1"}`)
	for _, c := range []struct{ text, want string }{
		{drop + of, ""}, {drop + own(`{"param":"h","own":false,"value":"1"}`), ""}, {drop + `,"in":"query"` + of, ""},
		{`"kind":"parameter","op":"set","params":["h"],"to":"2"` + of, ""},
		{drop + `,"in":"path"` + of, "own parameter"},
		{drop + `,"value":"2"` + of, "own parameter"},
		{`"kind":"parameter","op":"drop","params":["h","i"]` + of, "own parameter"},
		{`"kind":"parameter","op":"order"` + of, "own parameter"},
		{drop + own(`{"param":"i","own":true,"value":"1"}`), "own parameter"},
		{drop + `,"scope":{"where":[{"param":"h","own":true,"value":"1"}]}`, "only exceptions"},
		{drop + own(`{"param":"h","own":true}`), "asks for a value"},
		{drop + own(`{"param":"h","own":true,"value":"1","begins":"1"}`), "asks for a value"},
		{drop + own(`{"param":"h","own":true,"valued":true,"begins":"1"}`), "asks for a value"},
		{drop + own(`{"param":"h","own":true,"begins":""}`), "empty beginning"},
		{drop + own(`{"param":"h","begins":"1"}`), "how a value begins"},
		{drop + own(`{"param":"h","own":true,"begins":"1&"}`), "separator"},
	} {
		var r Rule
		if err := json.Unmarshal([]byte("{"+c.text+"}"), &r); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
}

// The order of exceptions does not matter, an exception is no part of the id, and a rule
// with exceptions is another rule.
func TestExceptIdentity(t *testing.T) {
	a, b := Scope{HasPath: true, Path: "/"}, Scope{Prefix: "/b", Where: Where("m", "=1")}
	e := except(t, []Scope{a, b}, "/x", "/y", "/x")
	if f := except(t, []Scope{b, a, b}, "/y", "/x"); e != f || e.Len() != 4 {
		t.Errorf("%v and %v", e, f)
	}
	if got := e.Scopes(); !slices.Equal(got, []Scope{b, a}) || !slices.Equal(e.URLs(), []string{"/x", "/y"}) {
		t.Errorf("%+v, %q", got, e.URLs())
	}
	bare := Rule{Edit: Substring{From: "a", To: "b"}}
	r := bare
	r.Except = e
	if ID("s", &r) != ID("s", &bare) || r == bare {
		t.Errorf("%+v", r)
	}
	if other, _ := r.Reverse(); other.Except != (Except{}) {
		t.Errorf("%+v", other)
	}
	if got, want := r.Words(), "write …a… as …b…, except where the URL begins with /b and m==1, or where the path is /, or at /x, or at /y"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestExceptBounds(t *testing.T) {
	var e Except
	var err error
	for i := range MaxExceptURLs + 1 {
		must(t, err)
		e, err = e.WithURL(fmt.Sprint("/", i))
	}
	if err == nil || !strings.Contains(err.Error(), "21 URLs") {
		t.Errorf("error %v", err)
	}
	if _, err = NewExcept([]Scope{{Prefix: "/\n"}}, nil); err == nil {
		t.Error("a prefix with the end of a line")
	}
}

// Excepts and HoldsIn see a URL as Apply does.
func TestHoldsIn(t *testing.T) {
	s := Scope{HasPath: true, Path: "/a", Where: With("m")}
	inPath := Rule{Edit: Drop{Param: "n", InPath: true}}
	inQuery := Rule{Edit: Drop{Param: "m"}}
	for _, c := range []struct {
		r    Rule
		url  string
		want bool
	}{{inPath, "/a;n?m", true}, {inPath, "/a;o?m", false}, {inQuery, "/a?m", false}, {Rule{Edit: Substring{From: "a"}}, "/a?m", true}} {
		if got := c.r.HoldsIn(&s, []byte(c.url)); got != c.want {
			t.Errorf("%s: %q: %v", c.r.Words(), c.url, got)
		}
		c.r.Except = except(t, []Scope{s})
		if got := c.r.Excepts([]byte(c.url)); got != c.want {
			t.Errorf("%s: %q is excepted: %v", c.r.Words(), c.url, got)
		}
	}
}

// An excepted text that looks like a secret is replaced by the smallest scope that does
// not, and a rule without such a scope is withheld.
func TestShown(t *testing.T) {
	hides := func(text string) bool { return strings.Contains(text, "key") }
	path := func(p string, where ...Condition) Scope {
		s := Scope{HasPath: true, Path: p}
		copy(s.Where[:], where)
		return s
	}
	drop := Rule{Edit: Drop{Param: "h"}}
	sub := Rule{Edit: Substring{From: "a", To: "b"}}
	inPath := Rule{Edit: Drop{Param: "h", InPath: true}}
	for _, c := range []struct {
		r     Rule
		given Except
		want  *Except
	}{
		{sub, except(t, nil, "/a/b"), ptr(except(t, nil, "/a/b"))},
		{sub, except(t, nil, "/a/key"), ptr(except(t, []Scope{{Prefix: "/a/"}}))},
		{sub, except(t, nil, "/key/a/b"), nil},
		{sub, except(t, nil, "/a/?p=key&q=1"), ptr(except(t, []Scope{path("/a/", Condition{Param: "p", Valued: true}, Condition{Param: "q", Value: "1", HasValue: true})}))},
		{drop, except(t, nil, "/a/?h=key&q"), ptr(except(t, []Scope{path("/a/", Condition{Param: "q"})}))},
		{inPath, except(t, nil, "/a;h=key/b"), ptr(except(t, []Scope{path("/a/b")}))},
		{sub, except(t, []Scope{path("/a/*/key", Condition{Param: "m", HasValue: true, Value: "1"})}), ptr(except(t, []Scope{{Prefix: "/a/", Where: Where("m", "1")}}))},
		{sub, except(t, []Scope{{Where: Where("m", "key")}}), ptr(except(t, []Scope{{Where: [2]Condition{{Param: "m", Valued: true}}}}))},
		{sub, except(t, []Scope{{Prefix: "/a/b/key"}}, "/x"), ptr(except(t, []Scope{{Prefix: "/a/b/"}}, "/x"))},
		{sub, except(t, []Scope{{Where: With("key")}}), nil},
		{drop, except(t, []Scope{{Where: WhereOwn("h", "key1")}}), nil},
		{drop, except(t, []Scope{path("/a", WhereOwnBegins("h", "key")[0])}), ptr(except(t, []Scope{path("/a")}))},
		{drop, except(t, []Scope{{Where: WhereOwnBegins("h", "k")}}), ptr(except(t, []Scope{{Where: WhereOwnBegins("h", "k")}}))},
		{Rule{Edit: Substring{From: "key"}}, except(t, nil, "/a"), nil},
	} {
		r := c.r
		r.Except = c.given
		shown, ok := r.Shown(hides)
		if ok != (c.want != nil) || ok && shown.Except != *c.want {
			t.Errorf("%s: %v, %v; want %v", r.Words(), shown.Except, ok, c.want)
		}
	}
}

func ptr(e Except) *Except { return &e }
