package lists

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// raw returns a value as it is written.
func raw(text string) any { return number(text) }

type number string

// MarshalJSON writes the text.
func (n number) MarshalJSON() ([]byte, error) { return json.RawMessage(n).MarshalJSON() }

// changes are all changes of a record.
var changes = func() (all []change) {
	add := func(member string, c class, of object, values ...any) {
		for _, value := range values {
			all = append(all, change{member: member, value: value, class: c, of: of})
		}
	}
	add("schema", always, nil, "2", 0, -1, 3, 1, raw("2.5"), raw("1e400"), true, object{}, []any{2})
	add("schema", head, nil, absent, nil)
	add("schema", harmless, nil, raw("2.0"), raw("2e0"), raw("0.2e1"))
	add("state", always, nil, 5, true, []any{"valid"}, object{})
	add("state", hidden, nil, absent, nil, "", "Valid", "valid ", "likely", "retired", "to come")
	add("site", head, nil, absent, nil, 5, []any{"a.example"}, "A.example", "a.example.", "a b", "a.example:", "a.example:123456", "a.example:8o", "[::1", "[]", "a/b", ".a", ".", "u@a.example",
		"a\ufffdb", raw(`"\ud800"`), strings.Repeat("a", 262), "\u00e9.example")
	add("id", head, nil, absent, nil, "", 7, []any{}, "a\ufffdb", raw(`"\udc00a"`))
	add("id", harmless, nil, "another", "\u00e9", "a b", raw(`"\ud83d\ude00"`))
	add("rank", head, nil, absent, nil, "1", raw("1.5"), raw("1e400"), true, []any{1}, raw("9007199254740992"), raw("-9007199254740992"), raw("123456789012345678901234567890"))
	add("rank", harmless, nil, -5, 0, raw("77.0"), raw("7.7e1"), raw("9007199254740991"), raw("-0"))
	add("by_domain", head, nil, "true", 1, object{}, []any{})
	add("hosts", head, nil, []any{}, "c.example", []any{5}, []any{nil}, object{}, []any{"other.example"})
	for _, name := range []string{"support", "verdict", "first_seen", "validated_at", "separators"} {
		add(name, harmless, nil, 5, -1, raw("1e999"), "text", "|", true, []any{}, []any{nil}, object{"samples": "many", "new": object{}}, nil)
	}
	for _, name := range []string{"new", "Kind", "SITE", "Rank", "param", "constructor", "__proto__", "", "\u00e9", "toString"} {
		add(name, unknown, nil, 5, "x", false, object{}, []any{})
		add(name, harmless, nil, nil)
	}
	for _, c := range []change{
		{member: "kind", value: absent}, {member: "kind", value: nil}, {member: "kind", value: 5}, {member: "kind", value: object{}},
		{member: "op", value: absent, of: object{"op": "set"}}, {member: "op", value: nil, of: object{"op": "order"}}, {member: "op", value: []any{"drop"}, of: object{"op": "set"}},
		{member: "form", value: absent, of: object{"form": nil}}, {member: "form", value: 5, of: object{"form": nil}},
	} {
		c.class, c.alone = body, true
		all = append(all, c)
	}
	add("kind", unknown, nil, "", "magic", "Form", "drop", "parameter drop", "toString", "constructor")
	add("op", unknown, object{"op": nil}, "", "sum", "Drop", "parameter")
	add("form", unknown, object{"form": nil}, "", "tabs", "Case", "toString")
	add("in", unknown, object{"kind": "parameter"}, "", "header", "Path")
	add("in", unknown, object{"op": "set"}, "path")
	add("in", unknown, object{"op": "order"}, "path")
	add("in", body, object{"kind": "parameter"}, 5, []any{"query"}, object{})
	add("in", harmless, object{"kind": "parameter"}, "query", nil)
	add("in", body, object{"kind": "form"}, "query", "header")
	foreign := map[string]any{"alpha": "a", "at_start": true, "direction": "alpha_to_beta", "form": "case", "op": "drop", "params": []any{"z"}, "to": "1", "value": "1", "pattern": object{"prefix": "v", "class": "hex"}, "where": object{}, "edit": object{}, "after": "/a/", "class": "hex"}
	for _, name := range slices.Sorted(maps.Keys(foreign)) {
		value := foreign[name]
		for _, kind := range []object{{"kind": "form"}, {"op": "order"}, {"kind": "template"}, {"kind": "substring"}} {
			of := map[string]string{"form": "form", "op": "order", "params": "", "alpha": "substring", "at_start": "substring", "direction": "substring", "where": "template", "edit": "template"}[name]
			if of != "" && (kind["kind"] == of || kind["op"] == of) {
				continue
			}
			if name == "op" && kind["op"] != nil {
				continue
			}
			add(name, body, kind, value, "")
			add(name, harmless, kind, nil)
		}
	}
	texts := []any{5, true, []any{}, object{}, "a b", "a#b", "\"", "<", ">", "\u00e9", "a\x7f", "a\n", raw(`"\ud800"`), raw(`"\u0000"`), strings.Repeat("a", 2049)}
	required := func(member string, of object, odd ...any) {
		add(member, body, of, append(append([]any{absent, nil}, texts...), odd...)...)
	}
	required("alpha", object{"kind": "substring"}, "/no")
	required("beta", object{"kind": "substring"}, "/none")
	for _, name := range []string{"at_start", "at_end"} {
		add(name, body, object{"kind": "substring"}, absent, nil, 0, "true", []any{})
	}
	add("direction", body, object{"kind": "substring"}, absent, nil, "", "both", 5)
	add("direction", harmless, object{"kind": "substring"}, "beta_to_alpha")
	for _, op := range []object{{"op": "drop", "params": nil}, {"op": "set"}} {
		add("params", body, op, absent, nil, []any{}, "x", object{}, []any{5}, []any{nil}, []any{""}, []any{"a=b"}, []any{"a&b"}, []any{"a;b"}, []any{"a b"}, []any{"a", "a"}, []any{"a", "b", "a"}, []any{"a", "b", "c", "d", "e", "f", "g"}, []any{[]any{"a"}})
	}
	add("params", body, object{"op": "set"}, []any{"a", "b"})
	add("value", body, object{"op": "drop", "value": nil}, append(texts, "a&b", "a;b")...)
	add("value", body, object{"op": "set"}, "1")
	required("to", object{"op": "set"}, "a&b", "a;b")
	add("to", harmless, object{"op": "set"}, "", "a=b", "a/b?")
	add("value", body, object{"pattern": nil}, "1", "")
	add("params", body, object{"pattern": nil}, []any{"a"}, []any{})
	add("pattern", body, object{"pattern": nil}, 5, "v", []any{}, object{})
	add("pattern.class", body, object{"pattern": nil}, absent, nil, 5, []any{"hex"})
	add("pattern.class", unknown, object{"pattern": nil}, "", "any", "Hex", "toString")
	add("pattern.least", unknown, object{"pattern": nil}, 2, false)
	required("pattern.prefix", object{"pattern": nil}, "a/b", "a;b", "a?b", "a=b")
	add("pattern.prefix", harmless, object{"pattern": nil}, "", "a&b")
	add("scope", body, nil, absent, nil, 5, "", "/", []any{}, []any{object{}}, false)
	add("scope", body, nil, object{"prefix": ""}, object{"path": "/a?b"}, object{"path": "/*/*/"}, object{"path": "/*/a/*/"}, object{"path": 5}, object{"prefix": []any{}}, object{"where": []any{}}, object{"where": object{}},
		object{"where": []any{5}}, object{"where": []any{nil}}, object{"where": []any{object{}}}, object{"where": []any{object{"param": ""}}}, object{"where": []any{object{"param": "a=b"}}}, object{"where": []any{object{"param": 5}}},
		object{"where": []any{object{"param": "a", "value": "1", "valued": true}}}, object{"where": []any{object{"param": "a", "valued": "yes"}}}, object{"where": []any{object{"param": "a", "value": "b&c"}}}, object{"where": []any{object{"param": "a", "value": 5}}},
		object{"where": []any{object{"param": "a"}, object{"param": "a", "valued": false}}}, object{"where": []any{object{"param": "a"}, object{"param": "b"}, object{"param": "c"}}})
	add("scope", unknown, nil, object{"perfix": "/a"}, object{"param": "a"}, object{"value": "a"}, object{"Path": "/"}, object{"where": []any{object{"param": "a", "least": 2}}}, object{"where": []any{5, object{"param": "", "least": 2}}}, object{"path": 5, "__proto__": "a"})
	add("scope", harmless, nil, object{"path": nil, "prefix": nil, "where": nil, "new": nil}, object{"path": "/no"}, object{"path": ""}, object{"path": "*/a/*"}, object{"prefix": "a"}, object{"where": []any{object{"param": "a?b", "value": nil, "valued": nil}}},
		object{"where": []any{object{"param": "x", "value": "="}, object{"param": "x", "valued": false}}})
	add("except", body, nil, 5, "", []any{}, object{}, object{"urls": nil}, object{"urls": []any{}}, object{"urls": []any{"/a"}, "scopes": []any{}}, object{"urls": "/"}, object{"urls": []any{""}}, object{"urls": []any{"/ "}}, object{"urls": []any{5}}, object{"urls": []any{nil}},
		object{"scopes": object{}}, object{"scopes": []any{object{}}}, object{"scopes": []any{nil}}, object{"scopes": []any{5}}, object{"scopes": []any{object{"path": nil}}}, object{"scopes": []any{object{"path": "/a?"}}},
		object{"scopes": []any{object{"path": "/1"}, object{"path": "/1"}, object{"path": "/1"}, object{"path": "/1"}}}, object{"urls": strings.Split(strings.Repeat("/a ", 20)+"/a", " ")})
	own := func(condition object) object {
		return object{"scopes": []any{object{"where": []any{condition}}}}
	}
	ones := object{"op": "set"} // of the parameter n
	add("except", body, ones, own(object{"param": "m", "own": true, "value": "1"}), own(object{"param": "n", "own": true}), own(object{"param": "n", "own": true, "value": "1", "begins": "1"}), own(object{"param": "n", "begins": "1"}),
		own(object{"param": "n", "own": true, "begins": ""}), own(object{"param": "n", "own": true, "begins": "a&b"}), own(object{"param": "n", "own": "yes", "value": "1"}), own(object{"param": "n", "own": true, "valued": true, "begins": "1"}), own(object{"param": "n", "own": true, "begins": 5}))
	add("except", harmless, ones, own(object{"param": "n", "own": true, "value": "1"}), own(object{"param": "n", "own": true, "begins": "a=b", "valued": false}), own(object{"param": "n", "own": false, "value": "1"}), own(object{"param": "n", "own": true, "value": "", "begins": nil}))
	for _, kind := range []object{{"kind": "form"}, {"op": "order"}, {"kind": "template"}, {"kind": "substring"}} {
		add("except", body, kind, own(object{"param": "n", "own": true, "value": "1"}))
	}
	add("scope", body, ones, object{"where": []any{object{"param": "n", "own": true, "value": "1"}}})
	add("except", unknown, nil, object{"pages": []any{}}, object{"hosts": []any{"a"}, "urls": 5}, object{"scopes": []any{object{"perfix": "/"}}}, object{"scopes": []any{5, object{"param": "a"}}}, object{"scopes": []any{object{"where": []any{object{"least": 1}}}}})
	add("except", harmless, nil, nil, object{"urls": []any{"/a", "/a"}}, object{"urls": nil, "scopes": []any{object{"path": "/1"}, object{"path": "/1"}}}, object{"urls": strings.Split(strings.Repeat("/a ", 19)+"/a", " ")})
	template := object{"kind": "template"}
	for _, name := range []string{"where", "edit"} {
		add(name, body, template, absent, nil, 5, "drop", []any{}, object{})
	}
	keys := object{"/0": "no", "/1": "*", "id": "*"}
	add("where", body, template, object{"id": "*"}, keys.with(object{"/3": "*"}), keys.with(object{"/01": "*"}), keys.with(object{"/": "*"}), keys.with(object{"/x": "*"}), keys.with(object{"": "*"}), keys.with(object{"a=b": "*"}), keys.with(object{"a b": "*"}),
		keys.with(object{"a": 5}), keys.with(object{"a": "b&c"}), keys.with(object{"/0": "a/b"}), keys.with(object{"/0": "a?b"}), keys.with(object{"/0": nil}), keys.with(object{"id": nil}), keys.with(object{"a": []any{}}), manyKeys(65))
	add("where", harmless, template, keys.with(object{"a": "*", "b": ""}), keys.with(object{"/0": "a;b&c=d"}), keys.with(object{"a": "b=/?"}), keys.with(object{"new": nil}), manyKeys(64))
	edits := object{"/1": object{"copy": "id"}}
	add("edit", body, template, edits.with(object{"id": 5}), edits.with(object{"id": object{}}), edits.with(object{"id": object{"set": "1", "copy": "/1"}}), edits.with(object{"id": []any{}}), edits.with(object{"id": object{"set": 5}}),
		edits.with(object{"id": object{"set": "a&b"}}), edits.with(object{"/0": object{"set": "a/b"}}), edits.with(object{"id": object{"copy": "none"}}), edits.with(object{"id": object{"copy": 5}}),
		edits.with(object{"new": "drop"}), edits.with(object{"v": object{"set": "1"}, "w": object{"set": "1"}}), edits.with(object{"/2": object{"set": "a"}}), edits.with(object{"a=b": object{"copy": "id"}}), edits.with(object{"": object{"set": "1"}}),
		edits.with(object{"v": object{"copy": "v"}}), edits.with(object{"id": object{"set": nil}}), object{"/1": nil})
	add("edit", unknown, template, edits.with(object{"id": "twice"}), edits.with(object{"id": ""}), edits.with(object{"id": object{"move": "/1"}}), edits.with(object{"id": object{"set": "1", "if": "a"}}), edits.with(object{"a b": object{"toString": 1}}))
	add("edit", harmless, template, edits.with(object{"/0": object{"set": ""}}), edits.with(object{"id": nil}), edits.with(object{"id": object{"set": "", "copy": nil}}), edits.with(object{"v": object{"copy": "/0"}}), edits.with(object{"id": object{"set": "*"}}))
	segment := object{"kind": "segment"}
	required("after", segment, "", "/no", "no/", "/n?/", "a/")
	required("to", segment, "", "/n", "/n/", "no/", "/no/no/")
	add("class", body, segment, absent, nil, 5, []any{"hex"})
	add("class", unknown, segment, "", "any", "Hex", "toString")
	add("after", harmless, segment, "/", "//", "/a=&;/b/", "/%/")
	add("to", harmless, segment, "/no/")
	return all
}()

func manyKeys(n int) object {
	keys := object{"/0": "no", "/1": "*", "id": "*"}
	for i := range n - len(keys) {
		keys["k"+strings.Repeat("k", i)] = "*"
	}
	return keys
}

// siteChanges are changes of sites.
var siteChanges = []struct {
	name    string
	refuses bool
	change  func(m *maker)
}{
	{"two rules of one rank", true, func(m *maker) { m.sites[0][1] = m.sites[0][1].with(object{"rank": m.sites[0][0]["rank"]}) }},
	{"an unknown rule of the rank of another", true, func(m *maker) {
		m.sites[0][1] = m.sites[0][1].with(object{"rank": m.sites[0][0]["rank"], "kind": "magic"})
	}},
	{"rules that differ in by_domain", true, func(m *maker) { m.sites[0][1] = m.sites[0][1].with(object{"by_domain": true}) }},
	{"an unknown rule that differs in by_domain", true, func(m *maker) { m.sites[0][1] = m.sites[0][1].with(object{"by_domain": true, "new": 1}) }},
	{"by_domain is false or missing", false, func(m *maker) { m.sites[0][1] = m.sites[0][1].with(object{"by_domain": false}) }},
	{"hosts in another order", true, func(m *maker) {
		m.sites[3][1] = m.sites[3][1].with(object{"hosts": []string{"*.d.example", "c.example"}})
	}},
	{"a host beside its domain", true, func(m *maker) { m.head(0, object{"site": "www.example.org"}) }},
	{"a host with a port beside its domain", true, func(m *maker) { m.head(0, object{"site": "www.example.org:81"}) }},
	{"an unknown rule of a host beside its domain", true, func(m *maker) { m.head(0, object{"site": "www.example.org", "new": 1}) }},
	{"a domain that is not registrable", true, func(m *maker) { m.head(2, object{"site": "www.example.org"}) }},
	{"a domain with a port", true, func(m *maker) { m.head(2, object{"site": "example.org:81"}) }},
	{"a domain without a name", true, func(m *maker) { m.head(4, object{"by_domain": true}) }},
	{"a group without a name", true, func(m *maker) { m.head(4, object{"hosts": []string{"q.example"}}) }},
	{"a host in two groups", true, func(m *maker) { m.head(1, object{"site": "h", "hosts": []string{"c.example"}}) }},
	{"a pattern in two groups", true, func(m *maker) { m.head(1, object{"site": "h", "hosts": []string{"*.D.example."}}) }},
	{"hosts that are none: port", true, hostsAre("c.example", "c.example:80")},
	{"hosts that are none: star", true, hostsAre("c.example", "*")},
	{"hosts that are none: star and dot", true, hostsAre("c.example", "*.")},
	{"hosts that are none: two stars", true, hostsAre("c.example", "*.*.d.example")},
	{"hosts that are none: star within", true, hostsAre("c.example", "d.*.example")},
	{"hosts that are none: empty", true, hostsAre("c.example", "")},
	{"hosts that are none: dot", true, hostsAre("c.example", ".d.example")},
	{"hosts that are none: escape", true, hostsAre("c.example", "d%2eexample")},
	{"a pattern of one label", false, hostsAre("c.example", "*.x")},
	{"a pattern of a public suffix", false, hostsAre("c.example", "*.com")},
	{"hosts not in normal form", false, hostsAre("C.Example..", "*.D.EXAMPLE.")},
	{"an address in a group", false, hostsAre("c.example", "[::1]", "*.192.0.2.1")},
	{"a host twice in a group", false, hostsAre("c.example", "c.example", "C.EXAMPLE")},
	{"by_domain beside hosts", false, func(m *maker) { m.head(3, object{"by_domain": true}) }},
	{"a group of any name", false, func(m *maker) { m.head(3, object{"site": "A b/\u00e9?"}) }},
	{"a host of a group has rules", false, func(m *maker) { m.move(0, "y.d.example") }},
	{"another port", false, func(m *maker) { m.move(1, "b.example:08080") }},
	{"a default port", false, func(m *maker) { m.move(1, "b.example:80") }},
}

// move gives a site another name. The host of its URL then has no rules.
func (m *maker) move(site int, to string) {
	m.head(site, object{"site": to})
	m.off[site] = true
}

func (m *maker) head(site int, more object) {
	for i := range m.sites[site] {
		m.sites[site][i] = m.sites[site][i].with(more)
	}
}

func hostsAre(hosts ...string) func(m *maker) {
	return func(m *maker) { m.head(3, object{"hosts": hosts}) }
}

// textChange is a change of the text.
type textChange struct {
	name    string
	refuses bool
	change  func(m *maker, lines [][]byte) [][]byte
}

// textChanges are all changes of the text that keep it short.
var textChanges = []textChange{
	{"a byte order mark", false, first("\ufeff", "")},
	{"two byte order marks", true, first("\ufeff\ufeff", "")},
	{"a byte order mark of a later line", true, last("\ufeff", "")},
	{"a blank line", false, first("\n", "\n")},
	{"a line of blanks", false, first(" \t\r\n", "\n\r")},
	{"a line with another blank", true, last("\v\n", "")},
	{"a line with a blank that JSON lacks", true, last("\u00a0\n", "")},
	{"a carriage return at the end of a line", false, first("", "\r")},
	{"a carriage return in place of the end of a line", true, func(m *maker, lines [][]byte) [][]byte {
		return append([][]byte{bytes.Join(lines[:2], []byte("\r"))}, lines[2:]...)
	}},
	{"blanks around a record", false, first(" \t", " \r\t")},
	{"nonsense", true, last("", "\nnonsense")},
	{"null", true, last("null\n", "")},
	{"a list", true, last("[", "]")},
	{"a text", true, last("\"a\"\n", "")},
	{"an empty object", false, last("{}\n", "")},
	{"something behind a record", true, last("", "x")},
	{"two records on a line", true, last("", "{}")},
	{"a record that ends early", true, edited(-1, func(line string) string { return line[:len(line)-1] })},
	{"bytes that are not UTF-8", true, inserted(`"support":"` + "\xff" + `",`)},
	{"half a surrogate pair in UTF-8", true, inserted(`"support":"` + "\xed\xa0\x80" + `",`)},
	{"a control byte in a text", true, inserted(`"support":"` + "\x01" + `",`)},
	{"a trailing comma", true, inserted(`,`)},
	{"a comment", true, inserted(`/* */`)},
	{"a number of no JSON", true, inserted(`"support":01,`)},
	{"NaN", true, inserted(`"support":NaN,`)},
	{"infinity", true, inserted(`"support":-Infinity,`)},
	{"the last of two members counts, which is good", false, inserted(`"rank":"x","scope":{"new":1},"site":5,"schema":3,"state":7,"kind":"magic",`)},
	{"the last of two members counts, spelled with an escape", false, inserted(`"\u0072ank":"x",`)},
	{"the last of two members counts, which is bad", true, appended(`,"rank":"x"`)},
	{"the last of two members counts, which is null", true, appended(`,"rank":null`)},
	{"32 lists within each other", false, inserted(`"support":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) + `,`)},
	{"33 lists within each other", true, inserted(`"support":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + `,`)},
	{"very deep lists", true, inserted(`"support":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000) + `,`)},
}

// longChanges are rare, since they are large.
var longChanges = []textChange{
	{"a line of 1 MiB", false, long(1 << 20)},
	{"a line of more than 1 MiB", true, long(1<<20 + 1)},
}

// edited changes one line: the first (0) or the last (-1).
func edited(at int, edit func(line string) string) func(*maker, [][]byte) [][]byte {
	return func(_ *maker, lines [][]byte) [][]byte {
		line := &lines[(at+len(lines))%len(lines)]
		*line = []byte(edit(string(*line)))
		return lines
	}
}

func first(before, after string) func(*maker, [][]byte) [][]byte {
	return edited(0, func(line string) string { return before + line + after })
}

func last(before, after string) func(*maker, [][]byte) [][]byte {
	return edited(-1, func(line string) string { return before + line + after })
}

// inserted puts a text behind the first brace of the last line.
func inserted(text string) func(*maker, [][]byte) [][]byte {
	return edited(-1, func(line string) string { return strings.Replace(line, "{", "{"+text, 1) })
}

// appended puts a text before its last brace.
func appended(text string) func(*maker, [][]byte) [][]byte {
	return edited(-1, func(line string) string { return strings.TrimSuffix(line, "}") + text + "}" })
}

// long makes the last line so many bytes long, with characters of two bytes.
func long(size int) func(*maker, [][]byte) [][]byte {
	return edited(-1, func(line string) string {
		room := size - len(line) - len(`"support":"",`)
		if room < 0 {
			return line
		}
		text := strings.Repeat("a", room%2) + strings.Repeat("\u00e9", room/2)
		return strings.Replace(line, "{", `{"support":"`+text+`",`, 1)
	})
}

// oddNames are names of members, known and unknown.
var oddNames = []string{"new", "hosts", "by_domain", "except", "param", "params", "value", "to", "in", "op", "form", "kind", "pattern", "where", "edit", "alpha", "direction", "schema", "site", "Site", "path", "prefix", "valued",
	"scopes", "urls", "class", "set", "copy", "separators", "verdict", "/0", "/2", "constructor", "__proto__", "toString", "length"}

// oddValues are values that stand in for any member.
var oddValues = []any{nil, true, false, 0, 1, 2, 3, -1, raw("1.0"), raw("1e400"), raw("2.5"), raw("9007199254740993"), "", "a", "x", "*", "/", "/*/", "/no", "/no?p=1", "a b", "a=b", "a&b", "a;b", "\u00e9", "drop", "set", "order", "path", "query",
	"valid", "likely", "form", "template", "substring", "parameter", "case", "slashes", "digits", "hex", "id", "/1", "a.example", "A.example", "b.example:80", "*.x", "*", raw(`"\ud800"`), "a\ufffd",
	[]any{}, []any{"a"}, []any{"a", "b"}, []any{"a", "a"}, []any{nil}, []any{5}, []any{"c.example"}, []any{"*.x"}, []any{object{}}, []any{object{"param": "a"}}, []any{object{"path": "/a"}},
	object{}, object{"a": 1}, object{"path": "/a"}, object{"path": nil}, object{"param": "a"}, object{"where": []any{object{"param": "a"}}}, object{"urls": []any{"/a"}}, object{"prefix": "v", "class": "hex"}, object{"set": "1"}, object{"copy": "id"}, object{"/0": "*"}}

// oddTexts take the place of a byte of a line.
var oddTexts = []string{"", " ", "\t", "\r", "\n", "\x00", "\x0b", "\x7f", "\xff", "\xc3", "\u00e9", "\ufeff", "\u2028", "\"", "\\", "\\u", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "null", "true", "a", "A", "'"}
