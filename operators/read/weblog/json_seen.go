package weblog

import (
	"bytes"
	"maps"
	"strings"
)

// seen is the beginning of a member of an earlier line, and its meaning. A server writes all lines in one order, so the
// next member is compared with what was seen in its place, or in the places behind, and looked up only if it differs.
type seen struct {
	text  []byte // the comma, the key and the colon, and blanks before them
	value *jsonValue
}

// Bounds of what is remembered of an object. Longer keys and further members are looked up.
const (
	mostSeen     = 64
	mostSeenText = 64
	mostAhead    = 3 // members that a line may lack in one place
)

// expected returns the meaning and the length of the beginning of the member that b begins with, if it was seen in this
// place or in one of the next, and sets the place behind it; nil and 0 if it was not. The first member of an object, which
// has no comma before, stands in place 0, and no other.
func (o *jsonObject) expected(b []byte, first bool, place *int) (*jsonValue, int) {
	end := *place + mostAhead
	if first {
		end = 1
	} else if *place == 0 {
		return nil, 0
	}
	for i := *place; i < min(len(o.seen), end); i++ {
		if s := &o.seen[i]; bytes.HasPrefix(b, s.text) {
			*place = i + 1
			return s.value, len(s.text)
		}
	}
	return nil, 0
}

// member reads what is before a value, from the end of the last value or the object's brace on, and returns the position
// of the value. At the end of the object, v is nil and ok true.
func (o *jsonObject) member(p *Parser, from int, first bool, place *int) (v *jsonValue, pos int, ok bool) {
	pos = skipBlank(p.line, from)
	switch {
	case at(p.line, pos, '}'):
		return nil, pos + 1, true
	case first:
	case !at(p.line, pos, ','):
		return nil, pos, p.fail(", or }", pos)
	default:
		pos = skipBlank(p.line, pos+1)
	}
	end := stringEnd(p.line, pos)
	if end < 0 {
		return nil, pos, p.fail("a key in quotes", pos)
	}
	v = o.find(p.unescapeJSON(p.line[pos+1 : end]))
	if pos = skipBlank(p.line, end+1); !at(p.line, pos, ':') {
		return nil, pos, p.fail(":", pos)
	}
	pos++
	if *place < mostSeen && pos-from <= mostSeenText && first == (*place == 0) {
		if *place == len(o.seen) {
			o.seen = append(o.seen, seen{})
		}
		s := &o.seen[*place]
		s.text, s.value = append(s.text[:0], p.line[from:pos]...), v
		*place++
	}
	return v, pos, true
}

// unknownKey is the empty meaning of all other keys. unknownKey is never written to.
var unknownKey = &jsonValue{}

func (o *jsonObject) find(key []byte) *jsonValue {
	if o.lengths>>min(len(key), 63)&1 == 0 {
		return unknownKey
	}
	if v := o.keys[string(key)]; v != nil {
		return v
	}
	return unknownKey
}

// own makes a scanner remember lines for itself, and read the header that client.Proxies names, if any.
func own(s scanner, header string) {
	switch s := s.(type) {
	case *jsonScanner:
		s.root = s.root.with(header)
	case *consoleScanner:
		s.root = s.root.with(header)
	case *cdxjScanner:
		s.root, s.whole.root = s.root.with(""), s.whole.root.with("")
	case *w3cScanner:
		s.header = strings.ToLower(header)
	}
}

// with returns a copy of an object, for one parser, that has the keys of a header as well. They count before
// X-Forwarded-For.
func (o *jsonObject) with(header string) *jsonObject {
	all := &jsonObject{keys: maps.Clone(o.keys), headers: o.headers}
	for key, v := range all.keys {
		inner := *v
		if v.object != nil {
			inner.object = v.object.with(header)
		}
		inner.stores = v.field != fieldSkip || v.parts != nil
		inner.simple = v.field != fieldSkip && v.parts == nil && !v.dash && v.letter == 0
		all.keys[key] = &inner
	}
	if header != "" {
		lower := strings.ToLower(header)
		value := &jsonValue{variable: text(fieldForwarded, 3), stores: true, simple: true, list: true}
		under := strings.ReplaceAll(lower, "-", "_")
		for _, key := range []string{header, lower, under, "http_" + under, "request_" + header, "http.request.header." + lower} {
			all.keys[key] = value
		}
	}
	for key := range all.keys {
		all.lengths |= 1 << min(len(key), 63)
	}
	return all
}
