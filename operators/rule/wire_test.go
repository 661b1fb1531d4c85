package rule

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// Rules are written as read, and keep their meaning.
func TestWire(t *testing.T) {
	for _, c := range []struct{ text, url, want string }{
		{`{"kind":"parameter","op":"drop","params":["h","hb"],"scope":{}}`, "/?hb=1&a&h", "/?a"},
		{`{"kind":"parameter","op":"drop","params":["v"],"value":"2","scope":{}}`, "/?v=2&v=3&v", "/?v=3&v"},
		{`{"kind":"parameter","op":"drop","params":["v"],"value":"","scope":{}}`, "/?v=&v", "/?v"},
		{`{"kind":"parameter","op":"drop","params":["jsessionid"],"in":"path","scope":{}}`, "/a;jsessionid=1;x/b;jsessionid?jsessionid=2", "/a;x/b?jsessionid=2"},
		{`{"kind":"parameter","op":"drop","params":["n"],"in":"path","scope":{"path":"/a"}}`, "/a;n=1", "/a"},
		{`{"kind":"parameter","op":"drop","params":["n"],"in":"path","scope":{}}`, "/;n=1", "/"},
		{`{"kind":"parameter","op":"drop","pattern":{"prefix":"v","class":"digits"},"scope":{}}`, "/?v83120&v831&v8312x", "/?v831&v8312x"},
		{`{"kind":"parameter","op":"drop","pattern":{"prefix":"","class":"hex"},"scope":{}}`, "/?0a1b2c3d=1&0A1b2c3d&abcdefab", "/?0A1b2c3d&abcdefab"},
		{`{"kind":"parameter","op":"set","params":["n"],"to":"1","scope":{"where":[{"param":"m","valued":true}]}}`, "/?n&m=", "/?n=1&m="},
		{`{"kind":"parameter","op":"order","scope":{}}`, "/?b=1&a;=&a=2", "/?a&a=2;=&b=1"},
		{`{"kind":"form","form":"slashes","scope":{"path":"/a//*/"}}`, "/a//b/", "/a/b/"},
		{`{"kind":"form","form":"empty-query","scope":{}}`, "/a?", "/a"},
		{`{"kind":"form","form":"empty-value","scope":{}}`, "/?a=&b=1&c=", "/?a&b=1&c"},
		{`{"kind":"form","form":"escapes","scope":{}}`, "/%7e%2f%%341", "/~%2F%41"},
		{`{"kind":"form","form":"case","scope":{"where":[{"param":"a","value":"B"},{"param":"b"}]}}`, "/A%C3?a=B&b", "/a%C3?a=B&b"},
	} {
		var r Rule
		if err := json.Unmarshal([]byte(c.text), &r); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if text, err := json.Marshal(r); err != nil || string(text) != c.text {
			t.Errorf("%s is written as %s (%v)", c.text, text, err)
		}
		if got, _ := r.Apply(nil, []byte(c.url)); string(got) != c.want {
			t.Errorf("%s makes %q of %q, want %q", c.text, got, c.url, c.want)
		}
	}
}

// Rules that differ have different ids.
func TestIDTellsApart(t *testing.T) {
	wild := Rule{Edit: Drop{Param: "a"}, Scope: Scope{HasPath: true, Path: "/*/"}}
	seen := map[string]bool{ID("s", &wild): true}
	for _, r := range []Rule{{Edit: Drop{Param: "a"}}, {Edit: Drop{Param: "a", HasValue: true}}, {Edit: Drop{Param: "a", Other: "b"}}, {Edit: Drop{Param: "a", InPath: true}}} {
		if id := ID("s", &r); seen[id] {
			t.Errorf("%+v has the id of another rule", r)
		} else {
			seen[id] = true
		}
	}
}

// Any other member makes a rule invalid.
func TestWireRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"kind":"parameter","op":"drop","params":["a","b"],"value":"1"}`, "several names have the value"},
		{`{"kind":"parameter","op":"drop","params":["a","b","c","d","e","f","g"]}`, "a drop of 7 names, want 1 to 6"},
		{`{"kind":"parameter","op":"drop","params":["a","b","c","b"]}`, "two names in byte order"},
		{`{"kind":"parameter","op":"drop","params":["a","b;c"]}`, `"b;c" holds a separator`},
		{`{"kind":"parameter","op":"drop","params":["a","b",""]}`, "has no name"},
		{`{"kind":"parameter","op":"drop","params":["a","a"]}`, "two names in byte order"},
		{`{"kind":"parameter","op":"drop","params":["a"],"to":"1"}`, `no member "to"`},
		{`{"kind":"parameter","op":"set","params":["a"],"to":"1","in":"path"}`, `in "path" is unknown`},
		{`{"kind":"parameter","op":"order","params":["a"]}`, `no member "params"`},
		{`{"kind":"form","form":"case","op":"drop"}`, `no member "op"`},
		{`{"kind":"substring","alpha":"a","beta":"b","at_start":true,"at_end":true,"params":["a"]}`, `no member "params"`},
		{`{"kind":"form","form":"case","scope":{"path":"/*/*/"}}`, "several segments *"},
		{`{"kind":"form","form":"case","scope":{"where":[{"param":"a"},{"param":"a"}]}}`, "not two in order"},
		{`{"kind":"form","form":"case","scope":{"where":[{"param":""}]}}`, "a condition without a parameter"},
		{`{"kind":"form","form":"case","except":{}}`, `an except without scopes and URLs`},
		{`{"kind":"form","form":"case","except":{"urls":[""]}}`, `an empty URL`},
		{`{"kind":"form","form":"case","except":{"urls":["/ "]}}`, `no URL holds ' '`},
		{`{"kind":"form","form":"case","except":{"scopes":[{}]}}`, `a scope of all URLs`},
		{`{"kind":"form","form":"case","except":{"scopes":[{"param":"a"}]}}`, `member "param" is unknown`},
		{`{"kind":"form","form":"case","except":{"scopes":[{"path":"/a?"}]}}`, `holds a question mark`},
		{`{"kind":"form","form":"case","except":{"scopes":[{"path":"/","hosts":[]}]}}`, `member "hosts" is unknown`},
		{`{"kind":"form","form":"case","except":{"pages":["/"]}}`, `member "pages" is unknown`},
		{`{"kind":"form","form":"case","except":{"scopes":[{"path":"/1"},{"path":"/2"},{"path":"/3"},{"path":"/4"}]}}`, `4 scopes and 0 URLs`},
		{`{"kind":"great","edit":{}}`, `kind "great" is unknown`},
		{`{"kind":"template","edit":{}}`, `a template needs where and edit`},
	} {
		var r Rule
		if err := json.Unmarshal([]byte(c.text), &r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
}

// The words of a rule tell all of its members.
func TestWords(t *testing.T) {
	both := Scope{HasPath: true, Path: "/a/*/b", Where: [2]Condition{{Param: "m", Valued: true}, {Param: "n", HasValue: true, Value: "1"}}}
	for _, c := range []struct{ want, line string }{
		{"write …/old/… as …/new/…", `{"kind":"substring","alpha":"/old/","beta":"/new/","at_start":false,"at_end":false`},
		{"write /print/… as /page-…", `{"kind":"substring","alpha":"/print/","beta":"/page-","at_start":true,"at_end":false`},
		{"write …/index.html as …/", `{"kind":"substring","alpha":"/index.html","beta":"/","at_start":false,"at_end":true`},
		{"write /a$ as /^b", `{"kind":"substring","alpha":"/a$","beta":"/^b","at_start":true,"at_end":true`},
		{`write www.a.example/ as ""`, `{"kind":"substring","alpha":"www.a.example/","beta":"","at_start":true,"at_end":true`},
		{"ignore ?from=x at the end of the URL", `{"kind":"substring","alpha":"?from=x","beta":"","at_start":false,"at_end":true`},
		{"ignore www. at the beginning of the URL", `{"kind":"substring","alpha":"www.","beta":"","at_start":true,"at_end":false`},
		{"ignore /print anywhere in the URL", `{"kind":"substring","alpha":"/print","beta":"","at_start":false,"at_end":false`},
		{"add /amp at the end of the URL", `{"kind":"substring","alpha":"/amp","beta":"","at_start":false,"at_end":true,"direction":"beta_to_alpha"`},
		{"add www. at the beginning of the URL", `{"kind":"substring","alpha":"www.","beta":"","at_start":false,"at_end":false,"direction":"beta_to_alpha"`},
		{"ignore the parameter sid", `{"kind":"parameter","op":"drop","params":["sid"]`},
		{"ignore the parameters h and hb", `{"kind":"parameter","op":"drop","params":["h","hb"]`},
		{"ignore the parameter v=2", `{"kind":"parameter","op":"drop","params":["v"],"value":"2"`},
		{"ignore ;sid=… in the path", `{"kind":"parameter","op":"drop","params":["sid"],"in":"path"`},
		{"ignore ;a=… and ;b=… in the path", `{"kind":"parameter","op":"drop","params":["a","b"],"in":"path"`},
		{"ignore ;a=1 in the path", `{"kind":"parameter","op":"drop","params":["a"],"value":"1","in":"path"`},
		{"ignore every parameter whose name is v and then 4 or more digits", `{"kind":"parameter","op":"drop","pattern":{"prefix":"v","class":"digits"}`},
		{"ignore every parameter whose name is 8 or more hexadecimal digits", `{"kind":"parameter","op":"drop","pattern":{"prefix":"","class":"hex"}`},
		{"ignore, in the path, every ;parameter whose name is 4 or more digits", `{"kind":"parameter","op":"drop","pattern":{"prefix":"","class":"digits"},"in":"path"`},
		{"treat every sid=… as sid=0", `{"kind":"parameter","op":"set","params":["sid"],"to":"0"`},
		{"ignore the order of the parameters", `{"kind":"parameter","op":"order"`},
		{"ignore a ? with nothing after it", `{"kind":"form","form":"empty-query"`},
		{"write /show/*?id=<id> as /show/<id>?v=1", `{"kind":"template","where":{"/0":"show","/1":"*","id":"*"},"edit":{"/1":{"copy":"id"},"id":"drop","v":{"set":"1"}}`},
		{"write /a/*/<3> as /a/<3>", `{"kind":"template","where":{"/0":"a","/1":"*","/2":"*"},"edit":{"/1":"drop"}`},
		{"write /a/b?n=* as /a?n=*", `{"kind":"template","where":{"/0":"a","/1":"b","n":"*"},"edit":{"/1":"drop"}`},
		{"write /x/*?n=* as /x/y?n=x", `{"kind":"template","where":{"/0":"x","/1":"*","n":"*"},"edit":{"/1":{"set":"y"},"n":{"copy":"/0"}}`},
	} {
		if got := readRule(t, c.line+"}"); got.Words() != c.want {
			t.Errorf("%q, want %q", got.Words(), c.want)
		}
	}
	for _, c := range []struct {
		want  string
		scope Scope
	}{
		{" where the path is /a/*/b and m has a value and n=1", both},
		{" where the URL begins with /w/ and m is present", Scope{Prefix: "/w/", Where: With("m")}},
		{" where the path is empty and m=", Scope{HasPath: true, Where: Where("m", "")}},
	} {
		if r := (Rule{Edit: Drop{Param: "h"}, Scope: c.scope}); r.Words() != "ignore the parameter h"+c.want {
			t.Errorf("%q, want %q at the end", r.Words(), c.want)
		}
	}
}

// A condition on the own value of a parameter reads like any other.
func TestOwnWords(t *testing.T) {
	r := Rule{Edit: Drop{Param: "h"}, Except: except(t, []Scope{{Where: WhereOwn("h", "1")}, {Where: WhereOwn("h", "")}, {HasPath: true, Path: "/a", Where: WhereOwnBegins("h", "w")}})}
	if got, want := r.Words(), "ignore the parameter h, except where h=, or where h=1, or where the path is /a and h=w…"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The words of a pair do not depend on the order of its sides, if one is empty.
func TestPairWords(t *testing.T) {
	for _, c := range []struct {
		want string
		rule Rule
	}{
		{"/s?id=… is the same as /s_…", Rule{Edit: Substring{From: "/s?id=", To: "/s_", AtStart: true}}},
		{"ignore ?x=1 at the end of the URL", Rule{Edit: Substring{To: "?x=1", AtEnd: true}}},
		{"ignore index.html anywhere in the URL", Rule{Edit: Substring{From: "index.html"}}},
		{`"" is the same as www.a.example/`, Rule{Edit: Substring{To: "www.a.example/", AtStart: true, AtEnd: true}}},
	} {
		if got := c.rule.PairWords(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Rules of other versions are refused by all readers, with what to do. A list may hold lines of
// other kinds, which are left out.
func TestOtherSchemas(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"schema":1,"state":"valid","kind":"parameter","op":"drop","param":"a","scope":{}}`, "create the list again"},
		{`{"state":"valid","kind":"parameter","op":"drop","param":"a","scope":{}}`, "it has no schema, like rules before schema 2: create the list again"},
		{`{"schema":3,"state":"valid","kind":"form","form":"case"}`, "use a newer version"},
		{`{"schema":-1,"state":"valid","kind":"form","form":"case"}`, "schema -1 is not a version"},
	} {
		_, _, published := ReadPublished([]byte(c.line))
		_, any := ReadRecord([]byte(c.line))
		for _, err := range []error{published, any} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %q", c.line, err, c.want)
			}
		}
	}
	var unknown *UnknownError
	if _, err := ReadRecord([]byte(`{"kind":"note","site":"a.example"}`)); !errors.As(err, &unknown) {
		t.Errorf("a note: error %v", err)
	}
}
