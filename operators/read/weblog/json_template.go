package weblog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// template compiles a log_format that writes JSON: an object with variables in its
// values.
type template struct {
	s     string
	pos   int
	split func(string) ([]variable, error)
	out   *jsonScanner
	size  uint8 // the rank of the best size so far
}

// compileJSON returns the scanner of a JSON-shaped format string. Lines may have the keys
// in any order, and keys outside the template are skipped.
func compileJSON(s, header string) (scanner, error) {
	t := &template{s: s, split: splitter(s, header), out: &jsonScanner{}}
	root, err := t.object(1)
	if err != nil {
		return nil, err
	}
	t.out.root = root
	return t.out, complete(t.out.has)
}

func (t *template) object(depth int) (*jsonObject, error) {
	if depth > maxDepth {
		return nil, errors.New(wantDepth)
	}
	t.pos++
	o := &jsonObject{keys: map[string]*jsonValue{}}
	for {
		t.blank(",")
		if t.next('}') {
			return o, nil
		}
		key, ok := t.quoted()
		t.blank("")
		if !ok || !t.next(':') {
			return nil, fmt.Errorf(`expected "key": and a value, or }, at byte %d`, t.pos)
		}
		t.blank("")
		v, err := t.value(depth)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", key, err)
		}
		o.keys[key] = &v
		o.headers = o.headers || v.list && v.field == fieldEncoding
	}
}

func (t *template) value(depth int) (jsonValue, error) {
	if t.pos < len(t.s) && t.s[t.pos] == '{' {
		o, err := t.object(depth + 1)
		return jsonValue{object: o}, err
	}
	if t.next('[') {
		return t.list(depth)
	}
	text, ok := t.quoted()
	if !ok {
		n := strings.IndexAny(t.s[t.pos:], ",}]")
		if n < 0 {
			return jsonValue{}, errors.New("the object has no end")
		}
		text = strings.TrimSpace(t.s[t.pos : t.pos+n])
		t.pos += n
	}
	return t.compile(text)
}

// list reads the rest of a list with one value.
func (t *template) list(depth int) (jsonValue, error) {
	v, err := t.value(depth)
	v.list = true
	t.blank("")
	if err == nil && (v.object != nil || !t.next(']')) {
		err = fmt.Errorf("expected one string in brackets before byte %d", t.pos)
	}
	return v, err
}

func (t *template) compile(text string) (jsonValue, error) {
	pieces, err := t.split(text)
	if err != nil {
		return jsonValue{}, err
	}
	l, err := compileLine(pieces)
	if err != nil {
		return jsonValue{}, err
	}
	t.note(pieces, l)
	switch {
	case l.has == 0 && !l.parts && !slices.ContainsFunc(l.ops, func(o op) bool { return o.field != fieldSkip }):
		return jsonValue{}, nil
	case len(l.ops) == 1 && l.lead == "" && l.ops[0].sep == "" && !l.parts:
		return jsonValue{variable: l.ops[0].variable}, nil
	}
	return jsonValue{parts: l}, nil
}

func (t *template) note(pieces []variable, l *lineScanner) {
	t.out.has |= l.has
	t.out.parts = t.out.parts || l.parts
	for _, v := range pieces {
		if v.field == fieldSize && v.rank > t.size {
			t.size, t.out.size = v.rank, v.size
		}
	}
}

// quoted reads a string. Escapes inside belong to the server, not to JSON, and are kept.
func (t *template) quoted() (string, bool) {
	end := stringEnd([]byte(t.s), t.pos)
	if end < 0 {
		return "", false
	}
	s := t.s[t.pos+1 : end]
	t.pos = end + 1
	return s, true
}

func (t *template) next(c byte) bool {
	if t.pos < len(t.s) && t.s[t.pos] == c {
		t.pos++
		return true
	}
	return false
}

// blank skips white space and the bytes of more.
func (t *template) blank(more string) {
	for t.pos < len(t.s) && strings.IndexByte(white+more, t.s[t.pos]) >= 0 {
		t.pos++
	}
}
