package rules

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// An object is a rule's object in JSON.
type object map[string]any

// with returns an object with further members.
func (r object) with(more object) object {
	all := object{}
	maps.Copy(all, r)
	maps.Copy(all, more)
	return all
}

// maker makes random rules and texts from few and short words, so that they meet.
type maker struct{ *rand.Rand }

func (m maker) one(words ...string) string { return words[m.IntN(len(words))] }

func (m maker) text(least, most int, words ...string) string {
	var b strings.Builder
	for range least + m.IntN(most-least+1) {
		b.WriteString(m.one(words...))
	}
	return b.String()
}

func (m maker) odds(n int) bool { return m.IntN(n) == 0 }

// group is one row of the table of coverage: random rules of one kind, and texts for them.
type group struct {
	name string
	make func(m maker) (rule object, text string)

	// near reports whether the rule nearly changes a text that stays, so that the case can tell a
	// wrong program. May be nil.
	near func(rule object, text string) bool
}

var groups = []group{
	{"substring", maker.substring, func(r object, text string) bool { return strings.Contains(text, sideOf(r)) }},
	{"substring with anchors", maker.anchored, func(r object, text string) bool { return strings.Contains(text, sideOf(r)) }},
	{"drop of a name", maker.drop, holdsName},
	{"drop of two names", maker.dropTwo, holdsName},
	{"drop of a value", maker.dropValue, holdsName},
	{"drop of a pattern", maker.dropPattern, func(_ object, text string) bool { return strings.ContainsAny(text, "18") }},
	{"drop in the path", maker.dropInPath, holdsName},
	{"set", maker.set, holdsName},
	{"order", maker.order, func(_ object, text string) bool { return strings.Count(text, "=") > 1 }},
	{"form slashes", maker.slashes, func(_ object, text string) bool { return strings.Count(text, "/") > 1 }},
	{"form escapes", maker.escapes, func(_ object, text string) bool { return strings.Contains(text, "%") }},
	{"form empty-query", maker.emptyQuery, func(_ object, text string) bool { return strings.Contains(text, "?") }},
	{"form empty-value", maker.emptyValue, func(_ object, text string) bool { return strings.Contains(text, "=") }},
	{"form case", maker.lower, func(_ object, text string) bool { return strings.ToLower(text) != text }},
	{"template", maker.template, nil},
	{"segment", maker.segment, func(_ object, text string) bool { return strings.ContainsAny(text, "18") }},
	{"drop and set with a scope", maker.plain, holdsName},
	{"path", maker.path, changesWithout("scope")},
	{"prefix and where", maker.scoped, changesWithout("scope")},
	{"except", maker.except, changesWithout("except")},
	{"except by the own value", maker.own, changesWithout("except")},
	{"drop of three to six names", maker.dropSeveral, func(_ object, text string) bool { return strings.ContainsAny(text, "?;") }},
}

// sideOf returns the text that a substring rule replaces.
func sideOf(r object) string {
	if r["direction"] == "beta_to_alpha" {
		return r["beta"].(string)
	}
	return r["alpha"].(string)
}

// holdsName reports whether a text holds a name of the rule.
func holdsName(r object, text string) bool {
	names, _ := r["params"].([]string)
	for _, name := range names {
		if !strings.Contains(text, name) {
			return false
		}
	}
	return true
}

// changesWithout reports whether the rule without a member changes the text.
func changesWithout(member string) func(r object, text string) bool {
	return func(r object, text string) bool {
		bare := r.with(nil)
		delete(bare, member)
		c := caseOf("", []object{bare}, host+text)
		return len(c.Steps) > 0
	}
}

func (m maker) substring() (object, string) {
	words := []string{"a", "b", "-", "/", "ab", "%41", "%2F", "%E0%B8%81", "%", "4"}
	alpha, beta := m.text(1, 3, words...), m.text(0, 2, words...)
	if alpha == beta {
		beta = ""
	}
	if len(beta) > len(alpha) || len(beta) == len(alpha) && beta > alpha {
		alpha, beta = beta, alpha
	}
	r := object{"kind": "substring", "alpha": alpha, "beta": beta, "at_start": false, "at_end": false, "direction": m.one("alpha_to_beta", "alpha_to_beta", "beta_to_alpha")}
	text := m.text(0, 3, words...)
	if !m.odds(4) {
		text += sideOf(r) + m.text(0, 2, words...)
	}
	return r, "/" + text
}

func (m maker) anchored() (object, string) {
	r, text := m.substring()
	r["at_start"], r["at_end"] = m.odds(2), m.odds(2)
	if m.odds(2) {
		text = "/" + m.text(0, 1, "a", "-") + sideOf(r) + m.text(0, 1, "a", "-")
	}
	if m.odds(3) {
		text = "/" + strings.TrimLeft(sideOf(r), "/")
	}
	return r, text
}

// query returns a text with a query of some names.
func (m maker) query(names ...string) string {
	var b strings.Builder
	for i := range 1 + m.IntN(4) {
		if i > 0 {
			b.WriteString(m.one("&", "&", ";"))
		}
		b.WriteString(m.one(names...) + m.one("", "=", "=1", "=a", "==", "=%31"))
	}
	return m.one("/", "/p", "/a") + "?" + b.String()
}

func (m maker) drop() (object, string) {
	name := m.one("a", "ab", "%61", "a?")
	return object{"kind": "parameter", "op": "drop", "params": []string{name}}, m.query("a", "ab", "b", "A", "%61", "", "a?")
}

func (m maker) dropTwo() (object, string) {
	return object{"kind": "parameter", "op": "drop", "params": []string{m.one("a", "ab"), m.one("b", "c")}}, m.query("a", "ab", "b", "c", "bc", "")
}

func (m maker) dropSeveral() (object, string) {
	r := object{"kind": "parameter", "op": "drop", "params": []string{m.one("a", "ab"), "b", m.one("bc", "c"), "d", "e", "f"}[:3+m.IntN(4)]}
	text := m.query("a", "ab", "b", "c", "bc", "d", "e", "f", "")
	if m.odds(3) {
		r["in"] = "path"
		text = strings.NewReplacer("?", ";", "&", ";").Replace(text)
	}
	return r, text
}

func (m maker) dropValue() (object, string) {
	r := object{"kind": "parameter", "op": "drop", "params": []string{m.one("a", "b")}, "value": m.one("", "1", "a", "=")}
	if m.odds(3) {
		r["scope"] = object{"where": []object{{"param": "a"}}}
	}
	return r, m.query("a", "b", "ab")
}

func (m maker) dropPattern() (object, string) {
	class := m.one("digits", "hex")
	r := object{"kind": "parameter", "op": "drop", "pattern": object{"prefix": m.one("", "v", "v1"), "class": class}}
	names := []string{"v", "v123", "v1234", "1234", "123456", "v11234", "v12345678", "12345678", "v12 ", "t"}
	if class == "hex" {
		names = []string{"v1", "vdeadbee1", "deadbee1", "deadbee", "DEADBEE1", "DeadBee1", "deadbeef", "v1deadbee1", "v1234567", "12345678", "t"}
	}
	if m.odds(3) {
		r["in"] = "path"
		return r, strings.NewReplacer("?", ";", "&", m.one(";", "/"), "=1", "").Replace(m.query(names...))
	}
	return r, m.query(names...)
}

func (m maker) dropInPath() (object, string) {
	r := object{"kind": "parameter", "op": "drop", "in": "path", "params": []string{m.one("s", "s", "a&b")}}
	switch m.IntN(4) {
	case 0:
		r["value"] = m.one("1", "", "a&s=1")
	case 1:
		r["params"] = []string{"s", "t"}
	case 2:
		r["scope"] = object{"path": m.one("/a", "/", "/*/a", "/a;t")}
	}
	text := "/" + m.text(0, 2, "a", "/", "s", "a/", "?")
	for range 1 + m.IntN(3) {
		text += ";" + m.one("s", "t", "s", "a&b", "") + m.one("", "=1", "=", "=a&s=1") + m.one("", "", "/", "/a", "?s=1")
	}
	return r, text
}

func (m maker) set() (object, string) {
	r := object{"kind": "parameter", "op": "set", "params": []string{m.one("a", "b")}, "to": m.one("", "1", "a", "=")}
	if m.odds(3) {
		r["scope"] = object{"where": []object{{"param": m.one("a", "ab")}}}
	}
	return r, m.query("a", "b", "ab", "a")
}

func (m maker) order() (object, string) {
	return object{"kind": "parameter", "op": "order"}, m.query("a", "b", "B", "ab", "", "%61", "a.b")
}

func form(name string) object { return object{"kind": "form", "form": name} }

func (m maker) slashes() (object, string) {
	return form("slashes"), "/" + m.text(1, 4, "a", "/", "//", "/b", ";", "%2F") + m.one("", "?//", "?a//b")
}

func (m maker) escapes() (object, string) {
	return form("escapes"), "/" + m.text(1, 3, "%41", "%7e", "%2f", "%2F", "%c3%a9", "%C3", "%", "%4", "%%34%31", "%25", "%zz", "%3f", "?", "1")
}

func (m maker) emptyQuery() (object, string) {
	return form("empty-query"), "/" + m.text(0, 3, "a", "/", "%3F", ";") + m.one("?", "?", "??", "?&", "?a?", "?a")
}

func (m maker) emptyValue() (object, string) { return form("empty-value"), m.query("a", "b", "", "a?") }

func (m maker) lower() (object, string) {
	return form("case"), "/" + m.text(1, 3, "a", "A", "Z", "%C3%A9", "%4A", "%aB", "/", "%A", "@[") + m.one("", "?", "?A", "?%AA")
}

func (m maker) template() (object, string) {
	where, edit := object{"/0": m.one("show", "*")}, object{}
	if m.odds(2) {
		where["/1"] = m.one("*", "", "x")
	}
	for _, name := range []string{"id", "s"} {
		if m.odds(2) {
			where[name] = m.one("*", "*", "1", "")
		}
	}
	keys := []string{"/0", "/1", "id", "s", "new"}
	for range 1 + m.IntN(2) {
		key := m.one(keys...)
		_, has := where[key]
		switch {
		case !has && key[0] == '/' || !has && edit["id"] != nil && edit["s"] != nil && where["id"] == nil && where["s"] == nil:
		case has && m.odds(3):
			edit[key] = "drop"
		case m.odds(2):
			edit[key] = object{"set": m.one("v", "w", "")}
		default:
			if from := m.one(keys...); where[from] != nil {
				edit[key] = object{"copy": from}
			}
		}
	}
	text := "/" + m.one("show", "show", "a", "a&b", "")
	if where["/1"] != nil != m.odds(8) {
		text += "/" + m.one("x", "x", "", "y;z")
	}
	separator := m.one("&", "&", "&", ";")
	var pieces []string
	for _, name := range []string{"s", "id"} {
		if where[name] != nil != m.odds(8) {
			pieces = append(pieces, name+m.one("", "=", "=1", "=1", "=a/b", "=1;2"[:2]))
		}
	}
	if m.odds(12) {
		pieces = append(pieces, m.one("", "s=2", "/0=1"))
	}
	if len(pieces) > 0 || m.odds(12) {
		text += "?" + strings.Join(pieces, separator)
	}
	return object{"kind": "template", "where": where, "edit": edit}, text
}

func (m maker) segment() (object, string) {
	after := m.one("/", "/", "/s/", "/a/s/", "//", "/%41/")
	r := object{"kind": "segment", "after": after, "class": m.one("digits", "hex"), "to": m.one("/", after)}
	values := []string{"1234", "123456", "12345678", "123", "0a1b2c3d", "0A1B2C3D", "0a1B2c3d", "abcdefab", "1234;v=1", "12 34", "1234=5", "%31234"}
	return r, m.one(after, after, after, "/", "/t/", "/s") + m.one(values...) + m.one("/a", "/a", "/b/1234/c", "/", "", "//a", "/?a=/b", "?a=/b/c", "/a?b=1") + m.one("", "", "/", "?a")
}

func (m maker) plain() (object, string) {
	r := object{"kind": "parameter", "op": "drop", "params": []string{m.one("a", "b")}}
	if m.odds(2) {
		r["op"], r["to"] = "set", m.one("", "1")
	}
	scope := object{}
	if m.odds(2) {
		scope["path"] = m.one("/", "/p", "")
	}
	if m.odds(2) {
		condition := object{"param": m.one("a", "ab")}
		if m.odds(2) {
			condition["value"] = m.one("", "1")
		}
		scope["where"] = []object{condition}
	}
	r["scope"] = scope
	return r, m.query("a", "b", "ab")
}

// edits is a rule without scope, and a text that it changes.
func (m maker) edits() (object, string) {
	switch m.IntN(4) {
	case 0:
		return object{"kind": "substring", "alpha": "/index", "beta": "", "at_start": false, "at_end": false, "direction": "alpha_to_beta"}, "/index"
	case 1:
		return form("escapes"), "/%41"
	case 2:
		return object{"kind": "parameter", "op": "set", "params": []string{"x"}, "to": "1"}, "?x=2"
	}
	return object{"kind": "parameter", "op": "drop", "params": []string{"x"}}, "?x=1"
}

func (m maker) path() (object, string) {
	r, text := m.edits()
	segments := func() string { return m.text(1, 3, "/a", "/b", "/", "/a%41") }
	path := segments()
	if m.odds(2) {
		path += m.one("/*", "/*/", "/*/a", "/*/b")
	}
	r["scope"] = object{"path": path}
	at := path
	if m.odds(3) {
		at = segments()
	} else if r["kind"] == "substring" {
		r["scope"] = object{"path": path + "/index"}
	} else if r["kind"] == "form" {
		r["scope"] = object{"path": path + "/%41"}
	}
	return r, strings.Replace(at, "*", m.one("a", "b", "", "c/d", "*"), 1) + text
}

func (m maker) scoped() (object, string) {
	r, text := m.edits()
	scope := object{}
	if m.odds(3) {
		scope["prefix"] = m.one("/", "/a", "/a%4", "/b/", "/a?", "/a?x")
	}
	var where []object
	for range 1 + m.IntN(2) {
		condition := object{"param": m.one("a", "b", "x")}
		switch m.IntN(3) {
		case 0:
			condition["value"] = m.one("", "1")
		case 1:
			condition["valued"] = true
		}
		where = append(where, condition)
	}
	if r["scope"] = scope; len(scope) == 0 || m.odds(2) {
		scope["where"] = where
	}
	at := m.one("/a", "/b/", "/a%41", "/")
	if query := m.text(0, 2, "a", "a=", "a=1", "&b", "&b=1;", "&b="); strings.HasPrefix(text, "?") {
		text = at + "?" + query + "&" + text[1:]
	} else {
		text = at + text + "?" + query
	}
	return r, text
}

func (m maker) except() (object, string) {
	r, text := m.edits()
	text = m.one("/a", "/a/b", "/b") + text
	if strings.Contains(text, "?") {
		text += m.one("", "&a=1", ";b")
	} else {
		text += m.one("", "?a=1", "?b")
	}
	except := object{}
	if m.odds(2) {
		except["urls"] = []string{m.one(text, "/a"), m.one("/a?x=1", "/b?x=2&a=1", "/a/b/index")}
	}
	if len(except) == 0 || m.odds(3) {
		except["scopes"] = []object{m.exception()}
		if m.odds(2) {
			except["scopes"] = []object{m.exception(), m.exception()}
		}
	}
	r["except"] = except
	return r, text
}

// own is a rule with an exception by the value of its own parameter.
func (m maker) own() (object, string) {
	r := dropX.with(object{"params": []string{m.one("x", "a")}})
	if m.odds(3) {
		r = r.with(object{"op": "set", "to": "1"})
	}
	name := r["params"].([]string)[0]
	condition := object{"param": name, "own": true, m.one("value", "begins"): m.one("1", "2", "w-", "%41")}
	if m.odds(5) {
		condition = object{"param": name, "own": true, "value": ""}
	}
	scope := object{"where": []object{condition}}
	if m.odds(4) {
		scope["where"] = []object{condition, {"param": m.one("b", "x", "a")}}
	}
	if m.odds(4) {
		scope["path"] = m.one("/a", "/b")
	}
	r["except"] = object{"scopes": []object{scope}}
	return r, m.one("/a", "/b") + "?" + m.text(1, 4, "x=1&", "x=12&", "a=1;", "a=w-1&", "x=w-&", "x&", "x=&", "a=%41b&", "b&", "a=2&", "x=2;") + m.one("a=1", "x=2", "b", "x=w-a", "a")
}

func (m maker) exception() object {
	switch m.IntN(4) {
	case 0:
		return object{"path": m.one("/a", "/*/b", "/b", "/a/index")}
	case 1:
		return object{"prefix": m.one("/a", "/a/", "/b")}
	case 2:
		return object{"where": []object{{"param": m.one("a", "b", "x")}}}
	}
	return object{"path": m.one("/a", "/b"), "where": []object{{"param": m.one("a", "b"), "valued": true}}}
}

// list is a list of rules of all kinds, and a text for them.
func (m maker) list() (rules []object, text string) {
	for range 2 + m.IntN(5) {
		r, made := groups[m.IntN(len(groups))].make(m)
		if !slices.ContainsFunc(rules, func(other object) bool { return fmt.Sprint(other) == fmt.Sprint(r) }) {
			rules, text = append(rules, r), made
		}
	}
	if m.odds(2) {
		text = "/" + m.text(0, 2, "a", "b", "//", "%41", "/index", ";s=1") + m.query("a", "b", "x", "ab")
	}
	return rules, text
}

const host = "http://a.example"

// caseOf returns a case, with what the program makes of the URL.
func caseOf(name string, rules []object, url string) conformance {
	return caseFor(name, rules, "", url)
}

// caseFor returns a case of a reader who names a host.
func caseFor(name string, rules []object, host, url string) conformance {
	c := conformance{Case: name, Host: host, URL: url, Steps: []string{}}
	for i, r := range rules {
		id := i + 1
		full := object{"schema": 2, "site": "a.example", "id": fmt.Sprint(id), "rank": id, "state": "valid", "scope": object{}}.with(r)
		text, err := json.Marshal(full)
		if err != nil {
			panic(err) // texts and numbers can be encoded
		}
		c.Rules = append(c.Rules, text)
	}
	canonical, steps, err := c.run()
	c.Canonical, c.Refused = canonical, err != nil
	c.Steps = append(c.Steps, steps...)
	return c
}
