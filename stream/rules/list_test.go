package rules

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/rule"
)

// record returns a line of a list.
func record(site, id, state string, rank int, from, to string) string {
	return fmt.Sprintf(`{"schema":2,"site":%q,"id":%q,"kind":"substring","alpha":%q,"beta":%q,"at_start":true,"at_end":false,"direction":"alpha_to_beta","scope":{},"rank":%d,"state":%q,"support":3,"verdict":{},"by_domain":false}`+"\n",
		site, id, from, to, rank, state)
}

func likely(site string) string {
	return fmt.Sprintf(`{"schema":2,"site":%q,"kind":"substring","alpha":"/story?id=","beta":"/story_","at_start":true,"at_end":false,"scope":{},"support":5,"support_high":6}`+"\n", site)
}

func TestRead(t *testing.T) {
	text := record("b.example", "3", "valid", 1, "/xx", "/x") + "\n" + record("a.example", "2", "valid", 9, "/long", "/l") +
		record("a.example", "1", "valid", 4, "/longer", "/long") + record("a.example", "4", "refuted", 5, "/no", "/n") + likely("a.example")
	l := read(t, text)
	if l.Len() != 3 || l.Other != 2 || len(l.Sites) != 2 || l.Sites[0].Name != "a.example" || l.Sites[0].Records[0].ID != "1" {
		t.Errorf("%+v", l)
	}
	if want := (rule.Rule{Edit: rule.Substring{From: "/longer", To: "/long", AtStart: true}}); l.Sites[0].Rules[0] != want {
		t.Errorf("%+v, want %+v", l.Sites[0].Rules[0], want)
	}
	c, err := l.Compile()
	must(t, err)
	if got, _ := c.Canonical("http://a.example/longer"); got != "http://a.example/l" {
		t.Errorf("got %s", got)
	}
	if l.Of("b.example").Len() != 1 || l.Of("c.example").Len() != 0 {
		t.Error("parts of a site")
	}
	l.Sites = append(l.Sites, Site{Rules: l.Sites[0].Rules, Records: slices.Clone(l.Sites[0].Records)})
	if any := l.Of("c.example"); any.Len() != 2 || any.Sites[0].Name != "c.example" || l.Of("b.example").Len() != 1 || l.Sites[2].Name != "" {
		t.Errorf("rules for any site: %+v", any)
	} else if r := any.Sites[0].Records[1]; r.Site != "c.example" || r.ID != rule.ID("c.example", &any.Sites[0].Rules[1]) || l.Sites[2].Records[1].ID != "2" {
		t.Errorf("its record: %+v", r)
	}
}

// A list is accepted as a whole or not at all.
func TestReadBad(t *testing.T) {
	good := record("a.example", "1", "valid", 1, "/xx", "/x")
	for _, c := range []struct{ name, text, want string }{
		{"no JSON", good + "nonsense\n", "line 2"},
		{"torn", good + good[:30], "line 2"},
		{"newer", strings.Replace(good, `"schema":2`, `"schema":3`, 1), "line 1: schema 3"},
		{"older", good + strings.Replace(good, `"schema":2`, `"schema":1`, 1), "line 2: schema 1 is no longer supported"},
		{"no direction", strings.Replace(good, `"direction":"alpha_to_beta",`, "", 1), "no direction"},
		{"bad direction", strings.Replace(good, "alpha_to_beta", "beta", 1), `direction "beta"`},
		{"empty prefix", strings.Replace(good, `"scope":{}`, `"scope":{"prefix":""}`, 1), "empty prefix"},
		{"empty param", strings.Replace(good, `"scope":{}`, `"scope":{"where":[{"param":""}]}`, 1), "without a parameter"},
		{"control byte", strings.Replace(good, `"/xx"`, `"/\u0000"`, 1), `rule "1"`},
		{"one rank", good + record("a.example", "2", "valid", 1, "/yy", "/y"), "same rank"},
		{"mixed", good + strings.Replace(record("a.example", "2", "valid", 2, "/yy", "/y"), `"by_domain":false`, `"by_domain":true`, 1), "by_domain"},
		{"too long", good + strings.Repeat("x", maxLine+1), "a line of more than"},
		{"wrong type", strings.Replace(good, `"rank":1`, `"rank":"first"`, 1), "line 1"},
		{"long side", strings.Replace(good, `"/xx"`, `"/`+strings.Repeat("x", 5000)+`"`, 1), `rule "1"`},
		{"too many bytes", strings.Repeat(strings.Repeat(" ", 1<<19)+"\n", 129), "more than"},
	} {
		if l, err := Read(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v; want %q", c.name, l, err, c.want)
		}
	}
}

func TestOpen(t *testing.T) {
	text := record("a.example", "1", "valid", 1, "/xx", "/x")
	path := expect.File(t, "rules.jsonl", text)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/rules" && r.URL.Path != "/mine.jsonl" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(text))
	}))
	defer server.Close()
	for _, source := range []string{path, server.URL, server.URL + "/", strings.ToUpper(server.URL), server.URL + "/mine.jsonl"} {
		if l, err := Open(t.Context(), source); err != nil || l.Len() != 1 {
			t.Errorf("%s: %v, %v", source, l, err)
		}
	}
	if l, err := ReadValid(strings.NewReader(text), "here"); err != nil || l.Len() != 1 {
		t.Errorf("%v, %v", l, err)
	}
	if _, err := ReadValid(strings.NewReader(strings.Replace(text, `"valid"`, `"refuted"`, 1)), "here"); err == nil || err.Error() != "the only rule in here is not confirmed" {
		t.Error(err)
	}
	for _, source := range []string{path + "x", "-", server.URL + "/none", "http://127.0.0.1:1/"} {
		if _, err := Open(t.Context(), source); err == nil {
			t.Errorf("%s: no error", source)
		}
	}
	must(t, os.WriteFile(path, []byte("[]\n"), 0o600))
	for _, c := range []struct{ source, want string }{{path, "rules.jsonl: read rules: line 1: not a rule"}, {"no-such-host:9464", "write http://no-such-host:9464"}} {
		if _, err := Open(t.Context(), c.source); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.source, err, c.want)
		}
	}
}

// An unsolicited 304 is an error: the server returned no list.
func TestOpenNotModified(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }))
	defer server.Close()
	address := strings.Replace(server.URL, "//", "//me:password@", 1)
	if l, err := Open(t.Context(), address); err == nil || !strings.Contains(err.Error(), "304") || strings.Contains(err.Error(), "password") {
		t.Errorf("%v, %v", l, err)
	}
}

// A daemon's token goes where it is looked for, and into no error.
func TestOpenWithToken(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer se/cr=et" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(record("a.example", "1", "valid", 1, "/xx", "/x")))
	}))
	defer server.Close()
	if l, err := Open(t.Context(), strings.Replace(server.URL, "//", "//:se%2Fcr=et@", 1)); err != nil || l.Len() != 1 {
		t.Errorf("%v, %v", l, err)
	}
	for _, user := range []string{"", ":password@", "me:se%2Fcr=et@"} {
		if _, err := Open(t.Context(), strings.Replace(server.URL, "//", "//"+user, 1)); err == nil || !strings.Contains(err.Error(), "401 Unauthorized: give its token") || strings.Contains(err.Error(), "password") {
			t.Errorf("%q: %v", user, err)
		}
	}
}

// said returns a function that keeps the last reason.
func said(last *string) func(error) { return func(err error) { *last = err.Error() } }

// A path with a segment * is exact in mine's list of params, and a wildcard elsewhere.
func TestReadCandidatesWithStars(t *testing.T) {
	const edit = `"site":"","kind":"parameter","op":"drop","params":["h"],"scope":{"path":"/a/*/b"},"support":5`
	for _, c := range []struct {
		line    string
		isExact bool
	}{
		{`{"schema":2,` + edit + `,"comparable":5}`, true},
		{`{"schema":2,` + edit + `,"comparable":5,"learner":"drops"}`, false},
		{`{"schema":2,"id":"1","rank":1,"state":"valid",` + edit + `}`, false},
		{`{"schema":2,` + strings.Replace(edit, "/a/*/b", "/a/*", 1) + `}`, false},
	} {
		left := ""
		all, err := ReadCandidates(strings.NewReader(c.line), said(&left))
		must(t, err)
		if (len(all[""]) == 0) != c.isExact || strings.Contains(left, `line 1 is not tested: its path "/a/*/b"`) != c.isExact {
			t.Errorf("%s: %+v, %q", c.line, all, left)
		}
	}
}

func TestReadCandidates(t *testing.T) {
	left := ""
	drop := `{"schema":2,"site":"","kind":"parameter","op":"drop","params":["h"],"scope":{"path":"/gitweb/","where":[{"param":"a","value":"history"}]},` +
		`"support":321,"comparable":340,"pairs":5,"alike":4,"expected":0.5,"weight":2.5,"urls":7,"hits":8,"bytes":9,"learner":"drops","secret":true}` + "\n"
	set := `{"schema":2,"site":"","kind":"parameter","op":"set","params":["h"],"to":"1","scope":{"prefix":"/w/"},"support":3}` + "\n"
	small := strings.Replace(likely("a.example"), `"alpha":"/story?id=","beta":"/story_"`, `"alpha":"/a","beta":"/bb"`, 1)
	all, err := ReadCandidates(strings.NewReader(likely("a.example")+drop+"\n"+set+small+record("a.example", "1", "retired", 1, "/x", "/xx")), said(&left))
	must(t, err)
	in := rule.Scope{Path: "/gitweb/", HasPath: true, Where: rule.Where("a", "history")}
	want := map[string][]rule.Candidate{
		"": {{Rule: rule.Rule{Edit: rule.Drop{Param: "h"}, Scope: in}, Support: 321},
			{Rule: rule.Rule{Edit: rule.Set{Param: "h", Value: "1"}, Scope: rule.Scope{Prefix: "/w/"}}, Support: 3}},
		"a.example": {{Rule: rule.Rule{Edit: rule.Substring{From: "/story?id=", To: "/story_", AtStart: true}}, Support: 5},
			{Rule: rule.Rule{Edit: rule.Substring{From: "/bb", To: "/a", AtStart: true}}, Support: 5},
			{Rule: rule.Rule{Edit: rule.Substring{From: "/x", To: "/xx", AtStart: true}}, Support: 3}}, // as published
	}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("%+v\nwant\n%+v", all, want)
	}
	if all, err := ReadCandidates(strings.NewReader(`{"kind":"note","site":""}`), said(&left)); err != nil || len(all) > 0 {
		t.Errorf("a note: %v, %v", all, err)
	}
	if _, err := ReadCandidates(strings.NewReader(likely("")+"{}\n"), said(&left)); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a line without a rule: %v", err)
	}
	if left != "" {
		t.Errorf("left out: %s", left)
	}
}

// For any input, reading ends, and an accepted list can be applied.
func FuzzRead(f *testing.F) {
	f.Add(record("a.example", "1", "valid", 1, "/xx", "/x") + likely(""))
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		if c, err := l.Compile(); err == nil {
			c.Canonical("http://a.example/xx?a=1")
		}
		_, _ = ReadCandidates(strings.NewReader(text), func(error) {})
	})
}

// A rule that this version does not know is left out and counted, and its site has no rules.
func TestReadUnknown(t *testing.T) {
	good := record("a.example", "1", "valid", 1, "/xx", "/x") + record("b.example", "2", "valid", 1, "/xx", "/x")
	of2 := `{"schema":2,"site":"a.example","id":"9","rank":9,"state":"valid",`
	for _, test := range []struct{ line, want string }{
		{of2 + `"kind":"template","where":{"/0":"a"},"edit":{"/0":"move"},"scope":{}}`, `edit of key "/0"`},
		{of2 + `"kind":"great","scope":{}}`, `kind "great"`},
		{of2 + `"kind":"form","form":"slashes","scope":{},"except":{"pages":["/"]}}`, `member "pages"`},
		{of2 + `"kind":"form","form":"slashes","scope":{},"except":{"scopes":[{"perfix":"/"}]}}`, `member "perfix"`},
		{of2 + `"kind":"form","form":"slashes","scope":{},"but":1}`, `member "but"`},
		{of2 + `"kind":"form","form":"tabs","scope":{}}`, `form "tabs"`},
		{of2 + `"kind":"parameter","op":"sum","scope":{}}`, `kind "parameter" with op "sum"`},
		{of2 + `"kind":"parameter","op":"drop","params":["a"],"in":"header","scope":{}}`, `in "header"`},
		{of2 + `"kind":"parameter","op":"drop","pattern":{"prefix":"a","class":"any"},"scope":{}}`, `class "any"`},
		{of2 + `"kind":"parameter","op":"drop","params":["a"],"scope":{"where":[{"param":"m","least":2}]}}`, `member "least"`},
		{of2 + `"kind":"parameter","op":"drop","params":["a"],"scope":{"perfix":"/w/"}}`, `member "perfix"`},
		{strings.Replace(record("a.example", "9", "valid", 9, "/a", "/"), `"scope":{}`, `"scope":{"perfix":"/"}`, 1), `member "perfix"`},
	} {
		l := read(t, good+test.line)
		if l.Unknown != 1 || l.Why == nil || !strings.Contains(l.Why.Error(), test.want) || l.Len() != 1 || len(l.Sites) != 2 || l.Sites[0].Rules != nil {
			t.Errorf("%s: %d unknown (%v), sites %+v; want %s", test.line, l.Unknown, l.Why, l.Sites, test.want)
		}
		c, err := l.Compile()
		must(t, err)
		if _, changed := c.Canonical("http://a.example/xx"); changed {
			t.Errorf("%s: rules of a site with an unknown rule are applied", test.line)
		}
	}
	if _, err := checked(read(t, of2+`"kind":"great"}`), "x", nil); err == nil || !strings.Contains(err.Error(), `kind "great" is unknown to this version`) {
		t.Errorf("a list of unknown rules: %v", err)
	}
}
