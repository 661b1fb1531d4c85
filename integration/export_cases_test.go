package integration

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/sinks/export"
)

// exportRules is rules that some engine or format could get wrong.
func exportRules() []rule.Rule {
	in := func(m, v string) rule.Scope {
		return rule.Scope{Where: [2]rule.Condition{{Param: m, Value: v, HasValue: v != ""}}}
	}
	at := func(path string) rule.Scope {
		return rule.Scope{Path: path, HasPath: true}
	}
	deep := at("/w/index.php")
	deep.Where = rule.With("title")
	return []rule.Rule{
		{Edit: rule.Substring{From: "/story_", To: "/story?id="}},
		{Edit: rule.Substring{From: "&view=full", To: ""}},
		{Edit: rule.Substring{From: "?sid=1", To: "?"}},
		{Edit: rule.Substring{From: "/$x", To: "/y$1"}},
		{Edit: rule.Substring{From: `\b`, To: `\\`}},
		{Edit: rule.Substring{From: "%7E", To: "~"}},
		{Edit: rule.Substring{From: "~", To: "%7E"}},
		{Edit: rule.Substring{From: "[0]", To: ""}},
		{Edit: rule.Substring{From: "(1)", To: "{2}"}},
		{Edit: rule.Substring{From: "%22", To: "'"}},
		{Edit: rule.Substring{From: "/old/", To: "/new/", AtStart: true}},
		{Edit: rule.Substring{From: "/index.html", To: "/", AtEnd: true}},
		{Edit: rule.Substring{From: "/only.html", To: "/one.html", AtStart: true, AtEnd: true}},
		{Edit: rule.Substring{From: "x$$y", To: "w$1%2"}},
		{Edit: rule.Substring{From: "/p/", To: `/p,q/$2\1%3{r}|s&amp;`}}, // grows
		{Edit: rule.Substring{From: "1", To: "2"}},
		{Edit: rule.Substring{From: "10", To: "${1}"}},
		{Edit: rule.Substring{From: "//", To: "/"}},
		{Edit: rule.Substring{From: "_", To: "+"}},
		{Edit: rule.Substring{From: "a", To: ""}, Scope: rule.Scope{Prefix: "/w/"}},
		{Edit: rule.Substring{From: "http", To: "%{ENV:PATH}"}},
		{Edit: rule.Substring{From: "41", To: "four"}},
		{Edit: rule.Substring{From: "%41", To: "A"}},
		{Edit: rule.Substring{From: "%C3%A9", To: "%c3%a9"}},
		{Edit: rule.Substring{From: "%4", To: "four"}},
		{Edit: rule.Substring{From: "a%4", To: "a%4%41"}}, // would grow
		{Edit: rule.Substring{From: "-%", To: "-%-"}},     // would grow
		{Edit: rule.Drop{Param: "sid"}},
		{Edit: rule.Drop{Param: "h", Other: "hb"}},
		{Edit: rule.Drop{Param: "n", Value: "2", HasValue: true}},
		{Edit: rule.Drop{Pattern: rule.Pattern{Prefix: "v", Class: rule.Digits}}},
		{Edit: rule.Drop{Param: "x[]"}},
		{Edit: rule.Drop{Param: "n"}, Scope: in("title", "")},
		{Edit: rule.Drop{Param: "n"}, Scope: in("title", "A_1")},
		{Edit: rule.Drop{Param: "n"}, Scope: deep},
		{Edit: rule.Drop{Param: "title"}, Scope: at("/w/index.php")},
		{Edit: rule.Set{Param: "n", Value: "$7"}},
		{Edit: rule.Set{Param: "sid", Value: ""}, Scope: rule.Scope{Prefix: "/w"}},
		{Edit: rule.Set{Param: "x[]", Value: `1\0`}},
		{Edit: rule.Syntax{Form: rule.Slashes}},
		{Edit: rule.Syntax{Form: rule.Slashes}, Scope: rule.Scope{Prefix: "///"}},
		{Edit: rule.Syntax{Form: rule.EmptyQuery}},
		{Edit: rule.Syntax{Form: rule.EmptyValue}},
		{Edit: rule.Drop{Param: "sid", InPath: true}},
		{Edit: rule.Drop{Param: "a", Other: "sid", InPath: true}, Scope: at("/s/*/b")},
		{Edit: rule.Drop{Pattern: rule.Pattern{Prefix: "v", Class: rule.Digits}, InPath: true}, Except: exceptions([]rule.Scope{at("/s/b")})},
		{Edit: rule.Drop{Param: "n"}, Except: exceptions([]rule.Scope{in("title", "B"), {Prefix: "/p?n"}}, "/w/index.php?n=1")},
		{Edit: rule.Set{Param: "b", Value: "0"}, Except: exceptions([]rule.Scope{in("sid", "2"), at("/p/*/x")}, "/p?b=2;sid=1;c")},
		{Edit: rule.Substring{From: "_", To: "-"}, Except: exceptions([]rule.Scope{{Prefix: "/a/"}}, "/story_10", "/a$_(1)|")},
		{Edit: rule.Rewrite{Template: template(rule.Key{Name: "/0", Value: "w"}, rule.Key{Name: "/1", Any: true, Edit: rule.DropKey},
			rule.Key{Name: "title", Absent: true, Edit: rule.CopyKey, To: "/1"})}},
		{Edit: rule.Rewrite{Template: template(rule.Key{Name: "/0", Any: true}, rule.Key{Name: "n", Any: true, Edit: rule.SetKey, To: `$1%2\3`})}, Except: exceptions(nil, "/p?n=$7")},
		{Edit: rule.Rewrite{Template: template(rule.Key{Name: "/0", Any: true, Edit: rule.CopyKey, To: "sid"}, rule.Key{Name: "sid", Any: true, Edit: rule.DropKey})}},
		{Edit: rule.Segment{After: "/s/", To: "/", Class: rule.Hex}},
		{Edit: rule.Segment{After: "/$x/", To: "/$x/", Class: rule.Digits}, Except: exceptions(nil, "/$x/12345/b")},
	}
}

// exceptions returns the exceptions of a rule; template returns the template of keys. Both
// panic if the arguments are not valid.
func exceptions(scopes []rule.Scope, urls ...string) rule.Except {
	e, err := rule.NewExcept(scopes, urls)
	if err != nil {
		panic(err)
	}
	return e
}

func template(keys ...rule.Key) rule.Template {
	t, err := rule.NewTemplate(keys)
	if err != nil {
		panic(err)
	}
	return t
}

var exportURLs = []string{
	"/s/7f3a9c21/a?b=/c", "/s/7F3A9C21/1234/a", "/s/7f3A9c21/a", "/s/7f3a9c21/", "/s/7f3a9c21//a", "/s/7f3a9c21/?a", "/s/abcdefab/a", "/$x/1234/b", "/$x/12345/b", "/$x/123/b",
	"/", "/?", "//", "///a//b", "/a/story_1", "/story_10", "/story_?story_=1", "/history_1",
	"/p?a=1&view=full", "/p?a=1&view=full&view=full", "/p?a=1&view=fuller&b", "/p?view=full",
	"/p?sid=1", "/p?sid=10", "/p?sid=1&b=2", "/p?b=2&sid=1", "/p?b=2;sid=1;c", "/p?sid", "/p?sid&sid=2", "/p?sid=&",
	"/p?&sid=1", "/p?&&sid=1", "/p?sid=1&&sid=2", "/p?a&sid=1&&sid=2", "/p?asid=1&sid1=2&SID=3", "/p;sid=1?a=b?sid=1",
	"/p?sid=1&a=1&sid=2&b=2;sid=3&c&sid&&sid=4&d&sid=5", "/$x", "/a/$x/$xy/$x", `/a\b\c`, `/\b\b`,
	"/%7Eme/%7E1", "/~me/~", "/%7emy", "/a[0]/b[0][0]?x[]=1&x[]=2&x[0]=3", "/p?x[]=1&a=(1)&x[]=2(1)", "/(1)(1)", `/%22a%22`,
	"/old/old/1", "/a/old/", "/index.html", "/a/index.html", "/a/index.html?a", "/index.html/index.html", "/only.html", "/only.html/only.html",
	"/x$$y/ax$$y", "/p/p/", "/p/1/10/1", "/101/1.10-1", "/1", "/a_b_c_d", "/w/a/a-a/ba", "/a/a",
	"/w/index.php?title=A_1&n=2", "/w/index.php?n=2&title=A_1&n", "/w/index.php?title=B&n=1&title=A_1", "/w/index.php?n=1", "/w/index.php/?title&n=1",
	"/w/index.php?title=A_10&n=1;m=2&n=3", "/w/index.php?sid=3&n=10&sid", "/p?n=http://a.test/?n=1&n", "/p?http=1,2", "/p?n=$7&n=%{ENV:PATH}",
	"/41/%41/a%41/%41%41/%C3%A9/%C3%A9a/caf%C3%A9-%41-", // in a path servers take no others
	"/p?41=%2F41&%41=%2F%41&a=%%41&b=%%41a&c=%41%4&d=%4%41&a%4=%C3%A9%2F", "/p?%4=%4-%41&41=%25%34%31&%4a=%-41&a%4%41=-%41",
	"/p?a=-%", "/p?a=-%&b=-%4&c=-%4g", "/p?a%4%2F=a%4a&b=a%4",
	"/s;sid=1/a;sid/b;m=1;sid=2", "/s/b;v1234;v12;v12345?v1234", "/s;a/x;a=1;sid/b;a?;sid", "/s/;sid=1/b", "/s;m;sid=1;v1234", "/;sid=1", "/s/b;v1234",
	"/a//b///c?//", "/a?b=&c=;d==&=&e", "/w/A_1", "/w/A;1", "/w/", "/story?n", "/p?n=", "/p?sid=a/b", "/w?sid=1", "/p/1/x?sid=1", "/a$_(1)|",
	"/p?a=" + strings.Repeat("b", 900), "/p?" + strings.Repeat("sid=1&", 100) + "n=1", "/p?" + strings.Repeat("a&", 1000) + "sid", "/p?" + strings.Repeat("n&", 1000),
}

// exportSites is a site for each rule, and some with lists of many rules.
func exportSites() []export.Site {
	rules := exportRules()
	var sites []export.Site
	add := func(rules ...rule.Rule) {
		sites = append(sites, export.Site{
			Host:  fmt.Sprintf("r%d.a-b.test", len(sites)),
			Rules: rules, URLs: exportSample(),
		})
	}
	for _, r := range rules {
		add(r)
	}
	for i := range 6 {
		var some []rule.Rule
		for j := range len(rules) {
			if k := (j*7 + i*5) % len(rules); (j*j+i)%3 == 0 && rules[k].Sides().From != "~" {
				some = append(some, rules[k])
			}
		}
		add(some...)
	}
	// What would grow for ever but for its guard, and what takes a first slash.
	growing := []rule.Rule{{Edit: rule.Substring{From: "/", To: "/w/", AtStart: true}}, {Edit: rule.Substring{From: "a", To: "a/b"}}, {Edit: rule.Substring{From: "/old", To: "p"}}, {Edit: rule.Substring{From: "/p", To: ""}}, {Edit: rule.Substring{From: "/", To: "", AtStart: true}}}
	for _, r := range growing {
		add(r)
	}
	add(growing...)
	return sites
}

func exportSample() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, url := range exportURLs {
			if !yield([]byte(url)) {
				return
			}
		}
	}
}

// exportCase is a URL of a site and its canonical form.
type exportCase struct{ host, url, want string }

// exportCases pairs all sites and URLs, but those that never settle: they are
// canonical by definition, which no engine can know.
func exportCases(t *testing.T, sites []export.Site) []exportCase {
	t.Helper()
	var cases []exportCase
	changed := 0
	for _, s := range sites {
		c, err := canon.Compile(s.Rules)
		must(t, err)
		for _, url := range exportURLs {
			out, end := c.Canon(nil, []byte(url))
			if end.End != canon.Settled {
				continue
			}
			if end.Changed() {
				changed++
			}
			cases = append(cases, exportCase{s.Host, url, string(out)})
		}
	}
	if len(cases) < 500 || changed < 60 {
		t.Fatalf("%d cases, %d of which change", len(cases), changed)
	}
	t.Logf("%d cases of %d sites, %d change", len(cases), len(sites), changed)
	return cases
}
