package weblog

import (
	"bytes"

	"dustbuster/operators/read/octets"
)

// quick reads the string that b begins with, or the list of one, if it has no escapes, and returns its length; 0 if it is
// another value, or not one for its field.
func (v *jsonValue) quick(p *Parser, h *Hit, b []byte, depth int) int {
	from := 1
	if len(b) > 2 && b[0] == '[' && depth < maxDepth && v.field != fieldForwarded && (v.list || v.field == fieldSkip) {
		from = 2
	}
	if len(b) < 2 || b[from-1] != '"' {
		return 0
	}
	n := octets.Index(b[from:], '"')
	end := from + n
	if n < 0 || b[end-1] == '\\' || from == 2 && !at(b, end+1, ']') {
		return 0
	}
	if v.stores && (bytes.IndexByte(b[from:end], '\\') >= 0 || !v.store(p, h, b[from:end])) {
		return 0
	}
	return end + from
}

// read reads the value at pos and returns the position behind it.
func (v *jsonValue) read(p *Parser, h *Hit, pos, depth int) (int, bool) {
	switch {
	case at(p.line, pos, '"'):
		return v.readString(p, h, pos)
	case at(p.line, pos, '{') && v.object != nil:
		return v.object.scan(p, h, pos, depth+1)
	case at(p.line, pos, '[') && v.list:
		return v.readFirst(p, h, pos, depth)
	case at(p.line, pos, '{') || at(p.line, pos, '['):
		return skipNested(p, pos, depth)
	}
	return v.readBare(p, h, pos)
}

func (v *jsonValue) readString(p *Parser, h *Hit, pos int) (int, bool) {
	end := stringEnd(p.line, pos)
	if end < 0 {
		return pos, p.fail("a string with a closing quote", pos)
	}
	if v.field == fieldSkip && v.parts == nil {
		return end + 1, true
	}
	if !v.store(p, h, p.unescapeJSON(p.line[pos+1:end])) {
		return pos, p.fail(wantJSON[slotOf[v.field]], pos)
	}
	return end + 1, true
}

// readFirst reads the first string of the list at pos. Servers write headers that may be
// repeated as lists.
func (v *jsonValue) readFirst(p *Parser, h *Hit, pos, depth int) (int, bool) {
	end, ok := skipNested(p, pos, depth)
	if ok && v.field == fieldForwarded { // each proxy may write a header of its own
		return end, v.store(p, h, p.line[pos+1:end-1])
	}
	if first := skipBlank(p.line, pos+1); ok && at(p.line, first, '"') {
		_, ok = v.readString(p, h, first)
	}
	return end, ok
}

// readBare reads a number, a literal, or the nothing that an empty variable leaves.
func (v *jsonValue) readBare(p *Parser, h *Hit, pos int) (int, bool) {
	end := pos
	for end+8 <= len(p.line) && octets.Outside(octets.Load(p.line[end:]), '-', '9') == 8 {
		end += 8
	}
	for end < len(p.line) && !endsBare[p.line[end]] {
		end++
	}
	b := p.line[pos:end]
	if string(b) == "null" {
		b = nil
	}
	if v.field != fieldSkip && !v.store(p, h, b) {
		return pos, p.fail(wantJSON[slotOf[v.field]], pos)
	}
	return end, true
}

var endsBare = [256]bool{',': true, '}': true, ']': true, ' ': true, '\t': true}

// store stores the value, unless the line has a better value for the same slot. null
// counts as a missing key.
func (v *jsonValue) store(p *Parser, h *Hit, b []byte) bool {
	if v.parts != nil {
		return v.parts.scanPart(p, h, b)
	}
	s := slotOf[v.field]
	switch {
	case v.dash && absent(b):
		return true
	case v.letter != 0:
		return p.record.parts.storeWhole(v.letter, b)
	}
	if b == nil || v.rank < p.record.ranks[s] {
		return true
	}
	p.record.ranks[s] = v.rank
	if s == fieldStatus || s == fieldSize {
		b = wholeNumber(b)
	}
	return p.store(h, v.field, 0, b)
}

var wantJSON = [fields]string{
	fieldRequest: wantWhole,
	fieldStatus:  "a status of at most three digits",
	fieldSize:    "a size in digits",
	fieldTime:    "a time",
	fieldSkip:    "a value that fits its format",
}

// scanPart reads a string that holds several fields, such as "$request_method
// $request_uri". An absent string has no fields.
func (s *lineScanner) scanPart(p *Parser, h *Hit, b []byte) bool {
	if absent(b) {
		return true
	}
	pos := len(s.lead)
	if len(b) < pos || string(b[:pos]) != s.lead {
		return false
	}
	for i := range s.ops {
		o := &s.ops[i]
		end := o.end(b, pos, false)
		if end < 0 || !s.storePart(p, h, o, b[pos:end]) {
			return false
		}
		pos = end
		if !o.keep {
			pos += len(o.sep)
		}
	}
	return true
}

func (s *lineScanner) storePart(p *Parser, h *Hit, o *op, b []byte) bool {
	if o.field == fieldPart {
		return p.store(h, o.field, o.letter, b)
	}
	v := jsonValue{field: o.field, rank: o.rank}
	return v.store(p, h, b)
}
