package rule

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Rewrite edits the URLs of one shape, segment by segment and parameter by parameter.
type Rewrite struct{ Template Template }

var rewriteKind = kind{
	name:  "template",
	about: "URLs of one shape are rewritten. A key is a segment of the path (/0, /1 and so on, from the left) or the name of a parameter. A URL has the shape if it has exactly the keys of where, each with its value. All edits read the URL as it was. docs/rules.md has the details.",
	members: []member{
		{name: "where", of: func(w *Wire) any { return &w.Where }, need: needed, about: "Keys and their values; * is any value.",
			schema: `"type": "object", "required": ["/0"], "maxProperties": 64, "additionalProperties": { "type": "string" }`},
		{name: "edit", of: func(w *Wire) any { return &w.Edit }, need: needed, unknown: unknownInEdit, about: "Keys and their edits. The other keys are kept. One parameter may be set or copied that where lacks; it becomes the last.",
			schema: `"type": "object",
          "minProperties": 1,
          "maxProperties": 65,
          "additionalProperties": {
            "oneOf": [
              { "const": "drop" },
              { "type": "object", "required": ["set"], "additionalProperties": false, "properties": { "set": { "description": "The new value.", "type": "string" } } },
              { "type": "object", "required": ["copy"], "additionalProperties": false, "properties": { "copy": { "description": "The key whose value is copied.", "type": "string" } } }
            ]
          }`},
	},
	lacks:   "a template needs where and edit",
	read:    (*Wire).readRewrite,
	compare: func(a, b Likely) int { return a.Rule.Rewrite().Template.compare(b.Rule.Rewrite().Template) },
}

// WireRewrite is the members of a rewrite in JSON.
type WireRewrite struct {
	Where map[string]string   `json:"where,omitempty"` // key and value, "*" for any
	Edit  map[string]WireEdit `json:"edit,omitempty"`
}

// parts are the values of a URL's keys.
type parts struct {
	head      int            // offset of the path's first slash
	values    [MaxKeys]span  // by place of the key in the template
	pieces    [MaxKeys]uint8 // the places of the parameters, in the order of the query
	params    int            // number of pieces
	separator byte           // of the query; 0: none
}

// span is a value's place in a URL.
type span struct{ from, to int32 }

// bare is the beginning of the value of a bare parameter.
const bare = -1

// triggerParams is the greatest number of parameters that are triggers of a rewrite.
const triggerParams = 3

func (Rewrite) kind() Kind                { return KindRewrite }
func (Rewrite) texts() [mostTexts]fromURL { return [mostTexts]fromURL{} }
func (r Rewrite) words() string           { return "write " + r.Template.String() }
func (r Rewrite) validate() error {
	if r.Template == (Template{}) {
		return errors.New("a template without keys")
	}
	return nil
}

// apply appends the URL with all edits of a template.
func (r *Rewrite) apply(dst, url []byte) ([]byte, bool) {
	var p parts
	if !r.Template.fits(url, &p) {
		return dst, false
	}
	out, ok := r.Template.appendPath(append(dst, url[:p.head]...), url, &p)
	if ok {
		out, ok = r.Template.appendQuery(out, url, &p)
	}
	if !ok || bytes.Equal(out[len(dst):], url) {
		return dst, false
	}
	return out, true
}

// fits reports whether a URL has the shape of a template, and finds its parts.
func (t *Template) fits(url []byte, p *parts) bool {
	end := pathEnd(url)
	if p.head = bytes.IndexByte(url[:end], '/'); p.head < 0 {
		return false
	}
	place, segments := 0, t.segments()
	for at := p.head; at < end; place++ {
		from := at + 1
		for at = from; at < end && url[at] != '/'; at++ {
		}
		if place == segments {
			return false
		}
		if k := t.at(place); !k.Any && string(url[from:at]) != k.Value {
			return false
		}
		p.values[place] = span{int32(from), int32(at)}
	}
	return place == segments && t.fitsQuery(url, p)
}

// fitsQuery is fits for the query.
func (t *Template) fitsQuery(url []byte, p *parts) bool {
	var found [MaxKeys + 1]bool
	for from, to := range Query(url) {
		if to < len(url) {
			if p.separator != 0 && p.separator != url[to] {
				return false
			}
			p.separator = url[to]
		}
		n := len(nameOf(url[from:to]))
		place := t.find(url[from : from+n])
		if place < 0 || found[place] {
			return false
		}
		found[place] = true
		value := span{int32(from + n + 1), int32(to)}
		if from+n == to {
			value.from = bare
		}
		k := t.at(place)
		if k.Absent || !k.Any && (value.from == bare || string(url[value.from:to]) != k.Value) {
			return false
		}
		p.values[place] = value
		p.pieces[p.params] = uint8(place)
		p.params++
	}
	return t.segments()+p.params == t.present()
}

// present returns the number of keys that are not absent. Only the last may be.
func (t *Template) present() int {
	n := t.len()
	if k := t.at(n - 1); k.Absent {
		n--
	}
	return n
}

func (t *Template) appendPath(dst, url []byte, p *parts) (out []byte, ok bool) {
	begin := len(dst)
	for place := range t.segments() {
		if k := t.at(place); k.Edit != DropKey {
			if dst, ok = t.appendValue(append(dst, '/'), url, p, place, &k); !ok {
				return dst, false
			}
		}
	}
	if len(dst) == begin {
		dst = append(dst, '/')
	}
	return dst, true
}

func (t *Template) appendQuery(dst, url []byte, p *parts) (out []byte, ok bool) {
	between := byte('?')
	add := func(k *Key, place int) bool {
		dst = append(append(dst, between), k.Name...)
		if between = p.separator; between == 0 {
			between = '&'
		}
		if k.Edit == KeepKey && p.values[place].from == bare {
			return true
		}
		dst, ok = t.appendValue(append(dst, '='), url, p, place, k)
		return ok
	}
	for _, place := range p.pieces[:p.params] {
		if k := t.at(int(place)); k.Edit != DropKey && !add(&k, int(place)) {
			return dst, false
		}
	}
	if last := t.len() - 1; t.present() == last {
		k := t.at(last)
		ok = add(&k, last)
		return dst, ok
	}
	return dst, true
}

// appendValue appends the new value of the key at a place. ok is false if there is none.
func (t *Template) appendValue(dst, url []byte, p *parts, place int, k *Key) (out []byte, ok bool) {
	if !k.Absent && p.values[place].from == bare {
		return dst, false
	}
	switch k.Edit {
	case SetKey:
		return append(dst, k.To...), true
	case CopyKey:
		place = t.source(place)
	}
	value := p.values[place]
	if value.from == bare {
		return dst, false
	}
	text := url[value.from:value.to]
	if k.Edit == CopyKey && (bytes.ContainsAny(text, "/?;&") || len(text) == 0 && k.IsSegment()) {
		return dst, false
	}
	return append(dst, text...), true
}

// triggers adds the longest run of constant segments, and a few parameters. A slash
// is a token, and so are the separators of a query.
func (r Rewrite) triggers(t *Triggers) {
	best, run := "", ""
	params := 0
	for k := range r.Template.Keys() {
		switch {
		case k.IsSegment() && k.Any:
			run = ""
		case k.IsSegment():
			if run += "/" + k.Value; len(run) > len(best) {
				best = run
			}
		case k.Absent || params == triggerParams:
		case k.Any:
			t.add(Trigger{Text: k.Name})
			params++
		default:
			t.add(Trigger{Text: k.Name + "=" + k.Value})
			params++
		}
	}
	if best != "" {
		t.add(Trigger{Text: best})
	}
}

func (r Rewrite) write(w *Wire) {
	w.Where, w.Edit = map[string]string{}, map[string]WireEdit{}
	for k := range r.Template.Keys() {
		switch {
		case k.Any:
			w.Where[k.Name] = anyValue
		case !k.Absent:
			w.Where[k.Name] = k.Value
		}
		switch k.Edit {
		case DropKey:
			w.Edit[k.Name] = WireEdit{Drop: true}
		case SetKey:
			w.Edit[k.Name] = WireEdit{Set: text(k.To)}
		case CopyKey:
			w.Edit[k.Name] = WireEdit{Copy: text(k.To)}
		}
	}
}

func (w *Wire) readRewrite() (Edit, error) {
	keys := map[string]Key{}
	for name, value := range w.Where {
		k := Key{Name: name, Value: value}
		if value == anyValue {
			k.Value, k.Any = "", true
		}
		keys[name] = k
	}
	for name, e := range w.Edit {
		k, is := keys[name]
		k.Name, k.Absent = name, !is
		switch {
		case e.Drop:
			k.Edit = DropKey
		case e.Set != nil:
			k.Edit, k.To = SetKey, *e.Set
		case e.Copy != nil:
			k.Edit, k.To = CopyKey, *e.Copy
		default:
			return nil, &UnknownError{fmt.Sprintf("edit of key %q", name)}
		}
		keys[name] = k
	}
	t, err := NewTemplate(slices.Collect(maps.Values(keys)))
	return Rewrite{t}, err
}

// WireEdit is the written form of an edit: "drop", {"set": value} or {"copy": key}. The
// zero WireEdit is an edit that this version does not know.
type WireEdit struct {
	Drop      bool
	Set, Copy *string
}

// MarshalJSON writes the edit.
func (e WireEdit) MarshalJSON() ([]byte, error) {
	if e.Drop {
		return json.Marshal("drop")
	}
	return json.Marshal(struct {
		Set  *string `json:"set,omitempty"`
		Copy *string `json:"copy,omitempty"`
	}{e.Set, e.Copy})
}

// UnmarshalJSON reads an edit. An edit of another form is an error of Wire.Rule, so that
// the rest of a record can be read.
func (e *WireEdit) UnmarshalJSON(text []byte) error {
	*e = WireEdit{}
	if string(text) == `"drop"` {
		e.Drop = true
		return nil
	}
	var members map[string]string
	if json.Unmarshal(text, &members) == nil && len(members) == 1 {
		if v, is := members["set"]; is {
			e.Set = &v
		}
		if v, is := members["copy"]; is {
			e.Copy = &v
		}
	}
	return nil
}

// unknownInEdit returns which edit of a template this version does not know, or "".
func unknownInEdit(v any) string {
	edits, _ := v.(object)
	for _, key := range slices.Sorted(maps.Keys(edits)) {
		edit, _ := edits[key].(object)
		if unknownWord(edits, key, "drop") != "" || otherThan(edit, "set", "copy") != "" {
			return fmt.Sprintf("edit of key %q", key)
		}
	}
	return ""
}
