package export

import (
	"strings"

	"dustbuster/operators/rule"
)

// mostGroups is the number of groups to which an engine can refer.
const mostGroups = 9

// rewrite returns the expressions of a template, by one match of a whole mined string. The text
// before the first slash stays. With one parameter, the query is one piece.
func rewrite(head string, t rule.Template) (e expressions, reason string) {
	m := template{Template: t, values: map[string]part{}}
	m.pattern = `^(` + head + `[^/\x3F#]*)`
	params := 0
	for k := range t.Keys() {
		if k.Absent {
			continue
		}
		if !k.IsSegment() {
			params++
		}
		m.match(&k)
	}
	switch {
	case params > 1:
		return e, "the parameters of its template may stand in any order"
	case m.lastGroup() > mostGroups:
		return e, "its template keeps more parts than an expression can"
	}
	m.pattern += end
	m.to = append(groups(1), m.result()...)
	return expressions{step: []edit{m.edit}, tiled: m.edit}, ""
}

// template builds the edit of a template.
type template struct {
	edit
	rule.Template
	values map[string]part // that are kept or copied, by key; of a bare parameter, with the "="
}

// match appends the expression of a key.
func (m *template) match(k *rule.Key) {
	begin, without := `/`, `/\x3F#`
	if !k.IsSegment() {
		begin, without = mark+literal(k.Name), `\x26;#`
	}
	copied, inSegment := m.isCopied(k)
	switch {
	case !k.Any:
		m.constant(k, copied, inSegment)
		return
	case k.IsSegment() || copied || k.Edit == rule.SetKey || k.Edit == rule.CopyKey:
		if !k.IsSegment() {
			begin += `=` // a bare parameter has no value that could be copied or replaced
		}
	case k.Edit == rule.DropKey:
		m.pattern += begin + ended + inside
		return
	default:
		m.capture(k, begin, ended+inside)
		return
	}
	least := `*`
	if copied {
		without = `/\x3F\x26;#` // a value with such a byte is not copied
		if inSegment {
			least = `+`
		}
	}
	value := `[^` + without + `]` + least
	if copied || k.Edit == rule.KeepKey {
		m.capture(k, begin, value)
		return
	}
	m.pattern += begin + value
}

// capture appends an expression, and makes a group of its second part.
func (m *template) capture(k *rule.Key, begin, value string) {
	m.pattern += begin + `(` + value + `)`
	m.values[k.Name] = part{group: m.lastGroup()}
}

// lastGroup returns the number of groups so far.
func (m *template) lastGroup() int {
	return groupsIn(m.pattern)
}

// constant appends the expression of a key with a constant value. If the value cannot be
// copied, the template edits no URL.
func (m *template) constant(k *rule.Key, copied, inSegment bool) {
	text := "/" + k.Value
	if !k.IsSegment() {
		text = "?" + k.Name + "=" + k.Value
	}
	m.pattern += literal(text)
	m.values[k.Name] = part{text: k.Value}
	if copied && (strings.ContainsAny(k.Value, "/?;&") || inSegment && k.Value == "") {
		m.pattern += `(?!)`
	}
}

// isCopied reports whether another key, perhaps a segment, gets the value of a key.
func (m *template) isCopied(k *rule.Key) (copied, inSegment bool) {
	for to := range m.Keys() {
		if to.Edit == rule.CopyKey && to.To == k.Name {
			copied, inSegment = true, inSegment || to.IsSegment()
		}
	}
	return copied, inSegment
}

// result returns the edited path and query.
func (m *template) result() (to []part) {
	path := false
	between := "?"
	for k := range m.Keys() {
		switch {
		case k.Edit == rule.DropKey:
		case k.IsSegment():
			path = true
			to = append(to, part{text: "/"}, m.newValue(&k))
		default:
			if !path {
				to, path = append(to, part{text: "/"}), true
			}
			to = append(to, part{text: between + k.Name})
			if copied, _ := m.isCopied(&k); !k.Any || copied || k.Edit != rule.KeepKey {
				to = append(to, part{text: "="}) // otherwise the value has it, if there is one
			}
			to = append(to, m.newValue(&k))
			between = "&"
		}
	}
	if !path {
		to = append(to, part{text: "/"})
	}
	return to
}

func (m *template) newValue(k *rule.Key) part {
	switch k.Edit {
	case rule.SetKey:
		return part{text: k.To}
	case rule.CopyKey:
		return m.values[k.To]
	}
	return m.values[k.Name]
}
