// Package lists makes published lists of rules, most of them bad or of a version to come, and
// says what a reader makes of each by docs/rules.md. The package knows nothing of the readers,
// and is for tests only.
package lists

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// List is a list with URLs and the outcome.
type List struct {
	Name  string // of the changes
	Text  []byte
	URLs  []string
	Forms []string // of the URLs; nil: the list is refused, or for Blind: the outcome is not known
}

// Host is a host that a reader may name for rules without a site. A reader who names it, and one
// who names none, make the same of the lists that Make makes. Blind adds URLs of this host.
const Host = "any.example"

// object is a JSON object.
type object map[string]any

func (o object) with(more object) object {
	all := object{}
	for _, part := range []object{o, more} {
		for name, value := range part {
			all[name] = value
		}
	}
	return all
}

// maker makes one list.
type maker struct {
	*rand.Rand
	sites [5][]object
	names []string

	refused bool
	off     [5]bool         // the site has an unknown rule
	changed map[string]bool // ids of records, and sites with another rank
}

func newMaker(seed, stream uint64) *maker {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, stream)), changed: map[string]bool{}}
	rank := 0
	for i, site := range sites {
		rules := []object{{"kind": "parameter", "op": "drop", "params": []string{"x"}}}
		for range 1 + m.IntN(3) {
			rules = append(rules, victims[m.IntN(len(victims))])
		}
		for _, r := range rules {
			rank++
			m.sites[i] = append(m.sites[i], object{"schema": 2, "id": fmt.Sprint("r", rank), "rank": rank, "state": "valid", "scope": object{}}.with(site.head).with(r))
		}
	}
	return m
}

// sites are the sites of all lists, each with a URL that its first rule changes.
var sites = [5]struct {
	head object
	url  string
	form string
}{
	{object{"site": "a.example"}, "http://a.example/?x=1#f", "http://a.example/"},
	{object{"site": "b.example:8080"}, "http://b.example:8080/?x=1#f", "http://b.example:8080/"},
	{object{"site": "example.org", "by_domain": true}, "http://www.example.org/?x=1#f", "http://www.example.org/"},
	{object{"site": "g", "hosts": []string{"c.example", "*.d.example"}}, "http://c.example/?x=1#f", "http://c.example/"},
	{object{"site": ""}, "/?x=1#f", "/"},
}

// victims are rules of all kinds that do not change the URLs of the sites.
var victims = []object{
	{"kind": "substring", "alpha": "/none", "beta": "/no", "at_start": false, "at_end": true, "direction": "alpha_to_beta"},
	{"kind": "parameter", "op": "drop", "params": []string{"p", "q", "r"}, "in": "query", "scope": object{"path": "/no/*/", "where": []object{{"param": "a"}, {"param": "b", "value": "1"}}}},
	{"kind": "parameter", "op": "drop", "params": []string{"p"}, "value": "1", "scope": object{"prefix": "/no"}, "except": object{"urls": []string{"/no?p=1"}, "scopes": []object{{"path": "/no"}}}},
	{"kind": "parameter", "op": "drop", "pattern": object{"prefix": "v", "class": "digits"}, "in": "path"},
	{"kind": "parameter", "op": "set", "params": []string{"n"}, "to": "1", "scope": object{"where": []object{{"param": "m", "valued": true}}}},
	{"kind": "parameter", "op": "order", "except": object{"scopes": []object{{"path": "/"}, {"prefix": "/b"}}}},
	{"kind": "form", "form": "case", "scope": object{"path": "/NO"}},
	{"kind": "template", "where": object{"/0": "no", "/1": "*", "id": "*"}, "edit": object{"/1": object{"copy": "id"}, "id": "drop", "v": object{"set": "1"}}},
	{"kind": "segment", "after": "/no/", "class": "hex", "to": "/"},
}

// list returns the list of the maker's records, of which the lines are changed. The last line
// is a rule that no other change has changed.
func (m *maker) list(change func(m *maker, lines [][]byte) [][]byte) List {
	var lines [][]byte
	for _, site := range m.sites {
		for _, record := range site {
			line, err := json.Marshal(record)
			if err != nil {
				panic(err) // texts, numbers and their lists can be encoded
			}
			lines = append(lines, line)
		}
	}
	slices.Reverse(lines)
	rest := lines[:len(lines)-1]
	m.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	if change != nil {
		lines = change(m, lines)
	}
	l := List{Name: strings.Join(m.names, "; "), Text: append(bytes.Join(lines, []byte("\n")), '\n')}
	for i, site := range sites {
		l.URLs = append(l.URLs, site.url)
		form := site.form
		if m.off[i] {
			form = site.url
		}
		l.Forms = append(l.Forms, form)
	}
	if m.refused {
		l.Forms = nil
	}
	return l
}

// Make makes a list with a few changes whose outcome is known.
func Make(seed uint64) List {
	m := newMaker(seed, 1)
	if m.IntN(8) == 0 {
		c := siteChanges[m.IntN(len(siteChanges))]
		m.note(c.name, c.refuses)
		c.change(m)
		return m.list(nil)
	}
	var text func(*maker, [][]byte) [][]byte
	if m.IntN(4) == 0 {
		from := textChanges
		if m.IntN(50) == 0 {
			from = longChanges
		}
		c := from[m.IntN(len(from))]
		m.note(c.name, c.refuses)
		text = c.change
	}
	for range m.IntN(3) {
		m.changeRecord()
	}
	return m.list(text)
}

func (m *maker) note(name string, refuses bool) {
	m.names, m.refused = append(m.names, name), m.refused || refuses
}

// changeRecord changes one or two members of a record that has not been changed.
func (m *maker) changeRecord() {
	i := m.IntN(len(sites))
	at := 1 + m.IntN(len(m.sites[i])-1) // the first rule stays
	key := fmt.Sprint(i, " ", at)
	if m.changed[key] {
		return
	}
	m.changed[key] = true
	record := m.sites[i][at].with(nil)
	var worst class
	touched := map[string]bool{}
	for n := range 1 + m.IntN(2) {
		c := m.change(record)
		member, _, _ := strings.Cut(c.member, ".")
		switch {
		case member == "hosts" || member == "by_domain":
			member = "site" // the name of a group may be any
		case member == "in":
			member = "pattern" // the prefix of a pattern depends on the place
		case member == "rank" && c.class == harmless: // two records must not get the same
			key := fmt.Sprint("rank ", i)
			if m.changed[key] {
				continue
			}
			m.changed[key] = true
		}
		if touched[member] || n > 0 && (c.alone || touched["alone"]) {
			break
		}
		touched[member], touched["alone"] = true, c.alone
		c.apply(record)
		m.names, worst = append(m.names, c.name()), max(worst, c.class)
	}
	m.sites[i][at] = record
	m.refused = m.refused || worst == always || worst == head || worst == body
	m.off[i] = m.off[i] || worst == unknown
}

func (m *maker) change(record object) *change {
	for {
		if c := &changes[m.IntN(len(changes))]; c.fits(record) {
			return c
		}
	}
}

// class is what becomes of a record with a change. Of two changes, the greater class counts.
type class int

const (
	harmless class = iota // the rule is applied
	body                  // the list is refused
	unknown               // the site has no rules
	head                  // the list is refused
	hidden                // the record is not valid, and is left out
	always                // the list is refused, valid or not
)

// change is a change of one member of a record.
type change struct {
	member string // or part.part
	value  any    // absent: the member goes
	class  class
	of     object // members that a record must have
	alone  bool   // no other change goes with it
}

type missing struct{}

var absent = missing{}

func (c *change) name() string {
	text, err := json.Marshal(c.value)
	if err != nil {
		panic(err)
	}
	if c.value == absent {
		return "no " + c.member
	}
	return fmt.Sprintf("%s is %.60s", c.member, text)
}

func (c *change) fits(record object) bool {
	for name, value := range c.of {
		if has, is := record[name]; !is || value != nil && has != value {
			return false
		}
	}
	return true
}

func (c *change) apply(record object) {
	o, path := record, strings.Split(c.member, ".")
	for _, name := range path[:len(path)-1] {
		inner, _ := o[name].(object)
		o[name] = inner.with(nil)
		o = o[name].(object)
	}
	if last := path[len(path)-1]; c.value == absent {
		delete(o, last)
	} else {
		o[last] = c.value
	}
}

// Blind makes a list with a few changes of any kind, whose outcome is not known.
func Blind(seed uint64) List {
	m := newMaker(seed, 2)
	for range 1 + m.IntN(3) {
		i := m.IntN(len(sites))
		at := m.IntN(len(m.sites[i]))
		m.sites[i][at] = plain(m.sites[i][at])
		m.disturb(m.sites[i][at])
	}
	l := m.list(func(m *maker, lines [][]byte) [][]byte {
		if m.IntN(4) == 0 {
			at := m.IntN(len(lines))
			lines[at] = m.disturbText(lines[at])
		}
		return lines
	})
	l.URLs = append(l.URLs, "http://"+Host+"/?x=1#f", "http://other.example/?x=1#f", "http://y.d.example:80/?x=1")
	for _, url := range l.URLs {
		host, _, _ := strings.Cut(url, "?")
		l.URLs = append(l.URLs, host+"no/a/?p=1&b=1&a=2&n=3&m=1&x=2", host+"NO;v12345/none", host+"no/7?id=5&x=1")
	}
	l.Forms = nil
	return l
}

// plain returns a record as it is read from JSON.
func plain(record object) (read object) {
	text, err := json.Marshal(record)
	if err == nil {
		in := json.NewDecoder(bytes.NewReader(text))
		in.UseNumber() // some numbers are too large
		err = in.Decode(&read)
	}
	if err != nil {
		panic(err)
	}
	return read
}

// disturb changes a random member of an object, at any depth.
func (m *maker) disturb(o map[string]any) {
	var names []string
	for name := range o {
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) == 0 || m.IntN(6) == 0 {
		o[oddNames[m.IntN(len(oddNames))]] = m.oddValue()
		return
	}
	name := names[m.IntN(len(names))]
	switch value := o[name].(type) {
	case map[string]any:
		if m.IntN(3) > 0 {
			m.disturb(value)
			return
		}
	case []any:
		if at := m.IntN(len(value) + 1); m.IntN(3) > 0 && at < len(value) {
			if inner, is := value[at].(map[string]any); is {
				m.disturb(inner)
			} else {
				value[at] = m.oddValue()
			}
			return
		}
		if m.IntN(2) == 0 {
			o[name] = append(value, m.oddValue())
			return
		}
	}
	if m.IntN(3) == 0 {
		delete(o, name)
	} else {
		o[name] = m.oddValue()
	}
}

func (m *maker) oddValue() any { return oddValues[m.IntN(len(oddValues))] }

// disturbText changes a few bytes of a line.
func (m *maker) disturbText(line []byte) []byte {
	line = bytes.Clone(line)
	for range 1 + m.IntN(2) {
		at := m.IntN(len(line))
		odd := []byte(oddTexts[m.IntN(len(oddTexts))])
		line = slices.Replace(line, at, min(at+m.IntN(2), len(line)), odd...)
	}
	return line
}
