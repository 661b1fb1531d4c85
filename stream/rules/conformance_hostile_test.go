package rules

import (
	"fmt"
	"slices"
	"strings"
)

// corner is a case made for one place of docs/rules.md where programs go wrong.
type corner struct {
	name  string
	rules []object
	url   string
}

// reading is a corner for a reader who names the host of rules without a site, or "".
type reading struct {
	corner
	host string
}

// readings are all corners, in a fixed order.
func readings() (all []reading) {
	for _, c := range corners() {
		all = append(all, reading{c, ""})
	}
	return append(all, unnamed()...)
}

// unnamed are rules without a site, and relative URLs.
func unnamed() (all []reading) {
	any, own := dropX.with(object{"site": ""}), dropY.with(object{"site": "www.example.org"})
	group := object{"site": "g", "hosts": []string{"www.example.org", "m.example.org"}}
	const query = "/?x=1&y=2#f"
	for _, url := range addresses() {
		all = append(all, reading{corner{"address of the named host", []object{any}, url}, "a.example"})
	}
	for _, c := range precedence() {
		host, _, _ := strings.Cut(strings.TrimPrefix(c.url, "http://"), "/")
		all = append(all, reading{c, host})
	}
	for _, host := range []string{"", "WWW.Example.org..", "www.example.org:8080", "www.example.org:80", "[::1]"} {
		for _, url := range []string{query, "http://www.example.org" + query, "https://WWW.example.ORG.:443" + query, "https://www.example.org:80" + query,
			"http://www.example.org:8080" + query, "http://m.example.org" + query, "http://other.example" + query, "http://example.org" + query, "http://[::1]:80" + query, "http://g" + query} {
			all = append(all, reading{corner{"unnamed site", []object{any}, url}, host},
				reading{corner{"unnamed site beside a host", []object{any, own}, url}, host},
				reading{corner{"unnamed site beside a group", []object{any, dropY.with(group)}, url}, host})
		}
	}
	for _, url := range []string{"/a?x=1", "/a?x=1#f", "/?x=1#!/a", "/?x=1#/a", "/a#f", "/a b\u00e9?x=1", "/", "/?x", "//a.example/?x=1", "/\\a.example/?x=1", "///?x=1", "/a\n?x=1", "/a?x=1#\n",
		"?x=1", "a?x=1", "./?x=1", "#?x=1", "", " /?x=1", "http:/?x=1", "/?x=" + strings.Repeat("a", 2044), "/?x=" + strings.Repeat("a", 2045), "/?x=1&" + strings.Repeat("a", 2042)} {
		all = append(all, reading{corner{"relative", []object{any}, url}, ""}, reading{corner{"relative, of a host", []object{dropX.with(object{"site": "www.example.org"})}, url}, "www.example.org"},
			reading{corner{"relative, of no named host", []object{dropX.with(object{"site": "www.example.org"})}, url}, ""}, reading{corner{"relative, of a group", []object{dropX.with(group)}, url}, "m.example.org"})
	}
	for _, to := range []string{"//", "/\\", "//b", "/\\b", "/b", "/b//", "/b\\"} {
		for _, url := range []string{"/a/c", "http://m.example.org/a/c"} {
			all = append(all, reading{corner{"relative, to another host", []object{substring("/a/", to, "at_start").with(object{"site": ""})}, url}, "m.example.org"},
				reading{corner{"relative, to another host of a group", []object{substring("m.example.org/a/", "m.example.org"+to, "at_start").with(group)}, url}, "m.example.org"})
		}
	}
	for _, to := range []string{"www.example.org", "b.example", "m.example.org:81", "M.example.org", ""} {
		all = append(all, reading{corner{"relative, to a host of a group", []object{substring("m.example.org", to, "at_start").with(group)}, "/a?x=1#f"}, "m.example.org"})
	}
	return append(all,
		reading{corner{"relative, to another host and back", []object{substring("m.example.org", "www.example.org").with(group), substring("www.example.org/", "m.example.org/b").with(group)}, "/a#f"}, "m.example.org"},
		reading{corner{"relative, by domain", []object{dropX.with(object{"site": "example.org", "by_domain": true})}, "/a?x=1"}, "m.example.org:81"},
		reading{corner{"relative, by domain, to another host", []object{substring("m.example.org:81", "example.org").with(object{"site": "example.org", "by_domain": true})}, "/a?x=1"}, "m.example.org:81"},
		reading{corner{"unnamed site that is unknown", []object{any, unknown.with(object{"site": ""})}, "/?x=1#f"}, ""},
		reading{corner{"unnamed site beside an unknown one", []object{any, unknown.with(object{"site": "www.example.org"})}, "/?x=1#f"}, "www.example.org"},
	)
}

var (
	dropX   = object{"kind": "parameter", "op": "drop", "params": []string{"x"}}
	dropY   = object{"kind": "parameter", "op": "drop", "params": []string{"y"}}
	unknown = object{"kind": "magic"}
)

func substring(alpha, beta string, anchors ...string) object {
	r := object{"kind": "substring", "alpha": alpha, "beta": beta, "at_start": false, "at_end": false, "direction": "alpha_to_beta"}
	for _, a := range anchors {
		if a == "back" {
			r["direction"] = "beta_to_alpha"
		} else {
			r[a] = true
		}
	}
	return r
}

// corners are all corners, in a fixed order.
func corners() (all []corner) {
	add := func(name string, url string, rules ...object) {
		all = append(all, corner{name, rules, url})
	}
	for _, url := range addresses() {
		add("address", url, dropX)
	}
	return slices.Concat(all, lengths(), anchors(), rounds(), unknowns(), precedence(), hosts())
}

func addresses() []string {
	const end = "/?x=1#f"
	return []string{
		host + end, "HTTP://A.EXAMPLE" + end, "hTtPs://a.example" + end, "http://a.example:80" + end, "https://a.example:443" + end,
		"https://a.example:80" + end, "http://a.example:080" + end, "http://a.example:8080" + end, "http://a.example:" + end,
		"http://a.example:123456" + end, "http://a.example:8o" + end, "http://a.example." + end, "http://a.example..:80" + end,
		"http://.a.example" + end, "http://." + end, "http://" + end, "http:/" + end, "http:a.example" + end, "//a.example" + end, "/?x=1#f", "",
		"http://me@a.example" + end, "http://me:secret@a.example" + end, "http://a%2Eexample" + end, "http://a.example\\" + end,
		"http://[::1]" + end, "http://[::1]:80" + end, "http://[::1]:81" + end, "http://[::G]" + end, "http://[::1" + end, "http://[]" + end, "http://[::1]x" + end,
		"http://192.0.2.1" + end, "http://a_b-c.example" + end, "http://" + strings.Repeat("a", 261) + end, "http://" + strings.Repeat("a", 262) + end,
		"ftp://a.example" + end, " http://a.example" + end, "http://a.example?x=1", "http://a.example#?x=1", "http://a.example??x=1", "http://a.example;x=1",
		"http://a.example/\x00?x=1", "http://a.example/?x=\x1f", "http://a.example/?x=1\x7f", "http://a.example/?x=1#\x00", "http://a.example/?x=1\n",
		"http://a.example/ \"<>{}|\\^`'?x=1", "http://a.example/\u0080\u00e9\uffff\U0001f600?x=1", "http://a.example/%?x=1", "http://a.example/%4?x=%",
		"http://a.example/%g1%1g%%%41?x=1&%", "http://a.example/%c3%A9?x=%zz;a", "http://a.example//a/../b/./?x=1", "http://a.example/?&&x=1;;x&&", "http://a.example/?x&x=&x=1;x;",
	}
}

// lengths are texts of nearly too many bytes.
func lengths() (all []corner) {
	grow := substring("/print/", "/", "at_start", "back")
	shrink := substring("/print/", "/", "at_start")
	long := func(bytes int) string { return strings.Repeat("a", bytes) }
	for _, bytes := range []int{2047, 2048, 2049} {
		name := fmt.Sprintf("%d bytes", bytes)
		all = append(all,
			corner{name, []object{dropX}, host + "/?x=" + long(bytes-4) + "#f"},
			corner{name + " after the escapes", []object{dropX}, host + "/?x=1&" + long(bytes-9) + " #f"},
			corner{name + " with the host", []object{dropX.with(object{"by_domain": true, "site": "example.org"})}, "http://www.example.org/?x=" + long(bytes-4-len("www.example.org")) + "#f"},
			corner{name + " after an edit", []object{grow}, host + "/" + long(bytes-7) + "#f"},
			corner{name + " between two edits", []object{grow, shrink}, host + "/" + long(bytes-7) + "#f"},
			corner{name + " without a path", []object{dropX}, host + "?x=" + long(bytes-4)},
		)
	}
	half := strings.Repeat("ab-", 340)
	double := substring(half, "-", "back")
	return append(all,
		corner{"grows in each round", []object{substring("b-", "a", "back"), substring("b", "a")}, host + "/a"},
		corner{"one rule makes the text too long", []object{double}, host + "/-" + half},
		corner{"a later rule would make the text short again", []object{dropX, double, substring(half, "")}, host + "/-" + half + half[:900] + "?x=1"},
	)
}

// anchors are all anchors with short sides, empty ones and ones that overlap.
func anchors() (all []corner) {
	sides := [][2]string{{"a", ""}, {"/", ""}, {"/a/", "/"}, {"a/a", "a"}, {"aa", "a"}, {"a-a-a", "a-a"}, {"?", ""}, {"//", "/"}, {"%41", "%"}}
	texts := []string{"/", "/a", "/a/", "/a/a", "/aa", "/a-a-a-a", "/a?", "//", "/%41"}
	for _, s := range sides {
		for bits := range 8 {
			var flags []string
			for i, flag := range []string{"at_start", "at_end", "back"} {
				if bits>>i&1 > 0 {
					flags = append(flags, flag)
				}
			}
			for i, text := range texts {
				if (i+bits)%6 == len(s[0])%6 { // a sixth of all
					all = append(all, corner{"anchors", []object{substring(s[0], s[1], flags...)}, host + text})
				}
			}
		}
	}
	return all
}

// rounds are texts that take many rounds.
func rounds() (all []corner) {
	for _, n := range []int{9, 10, 11, 12} {
		all = append(all,
			corner{fmt.Sprintf("%d rounds", n-1), []object{substring("//", "/")}, host + "/a" + strings.Repeat("/", n) + "#f"},
			corner{fmt.Sprintf("%d rounds of two rules", n-1), []object{dropX, substring("a-", "-")}, host + "/" + strings.Repeat("a-", n-1) + "?x=1"},
		)
	}
	chain := func(last int) (rules []object) {
		for i := range last { // each rule waits for the one behind it
			rules = append([]object{substring(fmt.Sprintf("n%d", i), fmt.Sprintf("n%d", i+1), "at_end")}, rules...)
		}
		return rules
	}
	swap := []object{substring("b", "a", "at_end"), substring("a-", "b", "at_end", "back"), substring("a-", "b", "at_end")}
	return append(all,
		corner{"rules in the wrong order", chain(9), host + "/n0"},
		corner{"rules in the wrong order, one too many", chain(10), host + "/n0"},
		corner{"a round that undoes itself, after one that does not", []object{dropX, substring("aa", "b"), substring("aa", "b", "back")}, host + "/aa?x=1"},
		corner{"a round that ends where it began", swap, host + "/b"},
		corner{"escapes of escapes", []object{form("escapes")}, host + "/%%37%%33%36"},
		corner{"escapes that arise from a drop", []object{form("escapes"), substring("-", "")}, host + "/%-4-1"},
		corner{"set and drop", []object{{"kind": "parameter", "op": "set", "params": []string{"x"}, "to": "1"}, dropX.with(object{"value": "1"})}, host + "/?x=3&x=1&y"},
		corner{"set against set", []object{{"kind": "parameter", "op": "set", "params": []string{"x"}, "to": "1"}, {"kind": "parameter", "op": "set", "params": []string{"x"}, "to": "2"}}, host + "/?x=1"},
		corner{"set against set, the other value", []object{{"kind": "parameter", "op": "set", "params": []string{"x"}, "to": "1"}, {"kind": "parameter", "op": "set", "params": []string{"x"}, "to": "2"}}, host + "/?x=3"},
		corner{"order and a drop that another drop allows", []object{{"kind": "parameter", "op": "order"}, dropX.with(object{"scope": object{"path": "/", "prefix": "/"}}), dropX.with(object{"scope": object{"prefix": "/?b=1&x"}})}, host + "/?x=1&b=1"},
		corner{"a scope that an edit makes", []object{dropX.with(object{"scope": object{"path": "/b"}}), substring("/aa", "/b", "at_start")}, host + "/aa?x=1"},
		corner{"an exception that an edit unmakes", []object{dropX.with(object{"except": object{"urls": []string{"/aa?x=1"}}}), substring("/aa", "/b", "at_start")}, host + "/aa?x=1"},
	)
}

// unknowns are lists that are refused, or of which a site has no rules.
func unknowns() (all []corner) {
	drop := func(more object) object { return dropX.with(more) }
	for i, r := range []object{
		unknown, {"kind": "parameter", "op": "sum"}, form("tabs"), drop(object{"in": "header"}), drop(object{"but": 1}),
		{"kind": "parameter", "op": "drop", "pattern": object{"prefix": "v", "class": "any"}},
		{"kind": "parameter", "op": "drop", "pattern": object{"prefix": "v", "class": "digits", "least": 2}},
		drop(object{"scope": object{"perfix": "/w"}}), drop(object{"scope": object{"where": []object{{"param": "m", "least": 2}}}}),
		drop(object{"except": object{"hosts": []string{"a.example"}}}), drop(object{"except": object{"scopes": []object{{"perfix": "/w"}}}}),
		{"kind": "template", "where": object{"/0": "*"}, "edit": object{"/0": "twice"}},
		{"kind": "template", "where": object{"/0": "*"}, "edit": object{"/0": object{"move": "/0"}}},
	} {
		name := fmt.Sprintf("unknown rule %d", i+1)
		all = append(all,
			corner{name, []object{dropY, r, dropX.with(object{"site": ""})}, host + "/a?x=1&y=2#f"},
			corner{name + ", not valid", []object{dropY, r.with(object{"state": "refuted"})}, host + "/a?x=1&y=2#f"},
			corner{name + ", of another site", []object{dropY, r.with(object{"site": "b.example"})}, host + "/a?x=1&y=2#f"},
		)
	}
	for i, r := range []object{
		drop(object{"schema": 3}), drop(object{"schema": 3, "state": "retired"}), drop(object{"params": []string{}}), drop(object{"params": []string{"a", "b", "c", "d", "e", "f", "g"}}), drop(object{"params": []string{"a", "b", "a"}}),
		drop(object{"params": []string{""}}), drop(object{"params": []string{"a=b"}}), drop(object{"params": []string{"a", "b"}, "value": "1"}), drop(object{"to": "1"}),
		drop(object{"form": "case"}), drop(object{"pattern": object{"prefix": "v", "class": "hex"}}), drop(object{"scope": object{"prefix": ""}}),
		drop(object{"scope": object{"path": "/a?b"}}), drop(object{"scope": object{"path": "/*/*/"}}), drop(object{"scope": object{"where": []object{{"param": ""}}}}),
		drop(object{"scope": object{"where": []object{{"param": "m", "value": "1", "valued": true}}}}), drop(object{"value": "a&b"}), drop(object{"params": "x"}),
		drop(object{"scope": object{"where": []object{{"param": "a"}, {"param": "b"}, {"param": "c"}}}}), drop(object{"rank": "first"}), drop(object{"params": []string{"\u00e9"}}),
		drop(object{"except": object{"urls": []string{"/ "}}}), drop(object{"except": object{"scopes": []object{{}}}}), drop(object{"in": "path", "params": []string{"a/b"}}),
		{"kind": "parameter", "op": "set", "params": []string{"x"}}, {"kind": "parameter", "op": "set", "params": []string{"x", "y"}, "to": "1"}, {"kind": "parameter", "op": "order", "params": []string{"x"}},
		{"kind": "form"}, {"kind": "parameter"}, {"kind": "parameter", "op": "drop", "pattern": object{"prefix": "v"}}, substring("a", "a"), substring("a b", "a"), {"kind": "substring", "alpha": "a", "beta": "b", "at_start": true, "at_end": false},
		{"kind": "substring", "alpha": "a", "beta": "", "at_start": true, "direction": "alpha_to_beta"}, {"kind": "substring", "alpha": strings.Repeat("a", 2049), "beta": "", "at_start": true, "at_end": true, "direction": "alpha_to_beta"},
		{"kind": "template", "where": object{"/1": "*"}, "edit": object{"/1": "drop"}}, {"kind": "template", "where": object{"/0": "*"}, "edit": object{}},
		{"kind": "template", "where": object{"/0": "*"}, "edit": object{"a": object{"copy": "b"}}}, {"kind": "template", "where": object{"/0": "*"}, "edit": object{"a": "drop"}},
		{"kind": "template", "where": object{"/0": "*"}, "edit": object{"/0": object{"set": "a/b"}}}, {"kind": "template", "where": object{"/0": "*"}, "edit": object{"a": object{"set": "1"}, "b": object{"set": "1"}}},
		drop(object{"rank": 1}), drop(object{"by_domain": true}), drop(object{"hosts": []string{"b.example"}}), drop(object{"site": "B.example"}), drop(object{"site": "b.example."}),
		drop(object{"site": "www.example.org", "by_domain": true}), drop(object{"site": "g", "hosts": []string{"b.example:80"}}), drop(object{"site": "", "hosts": []string{"b.example"}}),
		drop(object{"schema": 1}), drop(object{"schema": 1, "state": "retired"}),
	} {
		all = append(all, corner{fmt.Sprintf("refused list %d", i+1), []object{dropY, r}, host + "/?x=1&y=2#f"})
	}
	return all
}

// precedence is of several sites, of which one has the rules of the host.
func precedence() (all []corner) {
	drop := func(name, site string, more object) object {
		return object{"kind": "parameter", "op": "drop", "params": []string{name}, "site": site}.with(more)
	}
	domain, group := object{"by_domain": true}, func(hosts ...string) object { return object{"hosts": hosts} }
	rules := []object{
		drop("any", "", nil), drop("own", "a.example", nil), drop("port", "a.example:8080", nil), drop("domain", "example.org", domain),
		drop("group", "g", group("www.example.net", "*.example.net")), drop("narrow", "n", group("*.b.example.net", "x.example.net")),
		drop("named", "named.example.com", group("c.example.com")), drop("retired", "d.example", object{"state": "retired"}), unknown.with(object{"site": "e.example"}),
	}
	const query = "/?any&own&port&domain&group&narrow&named&retired#f"
	for _, name := range []string{"a.example", "a.example:8080", "a.example:81", "example.org", "www.example.org", "x.www.example.org:8080", "example.net", "www.example.net", "z.example.net:81",
		"b.example.net", "z.b.example.net", "z.z.b.example.net", "x.example.net", "named.example.com", "named.example.com:81", "c.example.com", "z.c.example.com", "g", "n:81", "d.example", "e.example", "[::1]", "localhost"} {
		all = append(all, corner{"precedence", rules, "http://" + name + query})
	}
	return append(all, corner{"precedence, no rules of other hosts", rules[1:], "http://localhost" + query})
}

// hosts are rules that change the host.
func hosts() (all []corner) {
	domain, group := object{"site": "example.org", "by_domain": true}, object{"site": "g", "hosts": []string{"a.example", "*.example.net"}}
	other := dropX.with(object{"site": "h", "hosts": []string{"h.example", "h.example.org"}})
	for _, c := range []struct{ from, to, url string }{
		{"www.example.org", "example.org", "http://www.example.org/a"}, {"www.example.org", "example.org", "https://WWW.EXAMPLE.ORG:443/a#f"},
		{"www.example.org", "example.org", "http://www.example.org:8080/a"}, {"www.example.org:8080", "example.org", "http://www.example.org:8080/a"},
		{"www.example.org", "m.example.org:81", "http://www.example.org/a"}, {"www.example.org", "m.example.org:80", "http://www.example.org/a#f"},
		{"www.example.org", "m.example.org:80", "https://www.example.org/a"}, {"www.example.org", "M.example.org", "http://www.example.org/a"},
		{"www.example.org", "m.example.org.", "http://www.example.org/a"}, {"www.example.org", "example.com", "http://www.example.org/a#f"},
		{"www.example.org", "org", "http://www.example.org/a"}, {"www.example.org", "h.example.org", "http://www.example.org/a"}, {"www.example.org", "", "http://www.example.org/a#f"},
		{"www.example.org/", "", "http://www.example.org/"}, {"www.example.org/", "example.org?", "http://www.example.org/a"}, {"www.example.org/", "example.org", "http://www.example.org/a/b"},
		{"www.example.org", "me@example.org", "http://www.example.org/a"}, {"www.example.org", "[::1]", "http://www.example.org/a"}, {"www", "m", "http://www.example.org/www"},
		{"org", "com", "http://www.example.org/org"}, {"/a", "/b", "http://www.example.org./a#f"}, {"/a", "b", "http://www.example.org/a"},
	} {
		all = append(all, corner{"host by domain", []object{substring(c.from, c.to).with(domain), other}, c.url})
	}
	for _, c := range []struct{ from, to, url string }{
		{"a.example", "b.example.net", "http://a.example/a"}, {"a.example", "b.example.net", "http://a.example:81/a"}, {"a.example", "example.net", "http://a.example/a#f"},
		{"a.example", "g", "http://a.example/a"}, {"a.example", "h.example", "http://a.example/a"}, {"a.example", "h", "http://a.example/a"}, {"b.example.net", "a.example", "https://B.example.net/?x"},
		{"b.example.net", "c.example.net", "http://b.example.net:81/"}, {"g", "a.example", "http://g/a"}, {"a.example/a", "b.example.net/", "http://a.example/a"},
	} {
		all = append(all, corner{"host of a group", []object{substring(c.from, c.to).with(group), other}, c.url})
	}
	scoped := func(r object, scope object) object { return r.with(domain).with(object{"scope": scope}) }
	const www = "http://www.example.org:81"
	return append(all,
		corner{"path of a scope has the host", []object{scoped(dropX, object{"path": "www.example.org:81/a"})}, www + "/a?x=1"},
		corner{"path of a scope lacks the host", []object{scoped(dropX, object{"path": "/a"})}, www + "/a?x=1"},
		corner{"prefix with the host", []object{scoped(dropX, object{"prefix": "www.example.org:"})}, www + "/a?x=1"},
		corner{"a segment between host and path", []object{scoped(dropX, object{"path": "www.example.org:81/*/b"})}, www + "/a/b?x=1"},
		corner{"exception with the host", []object{dropX.with(domain).with(object{"except": object{"urls": []string{"www.example.org:81/a?x=1"}}})}, www + "/a?x=1"},
		corner{"at the start stands the host", []object{substring("/a", "/", "at_start").with(domain)}, www + "/a"},
		corner{"slashes behind the host", []object{form("slashes").with(domain)}, www + "//a//b?//"},
		corner{"case with a host", []object{form("case").with(domain)}, "http://WWW.example.org/A?A"},
		corner{"template behind the host", []object{object{"kind": "template", "where": object{"/0": "a", "x": "*"}, "edit": object{"/0": object{"copy": "x"}, "x": "drop"}}.with(domain)}, www + "/a?x=1"},
		corner{"drop in the path behind the host", []object{dropX.with(domain).with(object{"in": "path"})}, www + "/;x=1/a;x?x"},
	)
}
