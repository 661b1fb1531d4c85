package weblog

import (
	"bytes"

	"dustbuster/operators/read/octets"
)

// quick reads the value that b begins with, and returns its length: a string without escapes, a list of one such string,
// or a number. It returns 0 if it is another value, or not one for its field.
func (v *jsonValue) quick(p *Parser, h *Hit, b []byte, depth int) int {
	if len(b) < 3 {
		return 0
	}
	from, end := 0, 0
	switch c := b[0]; {
	case c == '"':
		from = 1
	case c == '[' && b[1] == '"' && depth < maxDepth && v.field != fieldForwarded && (v.list || v.field == fieldSkip):
		from = 2
	case digit(c) && v.parts == nil:
		end = bareEnd(b)
	default:
		return 0
	}
	behind := end
	if from > 0 {
		n := octets.Index(b[from:], '"')
		end, behind = from+n, from+n+from
		if n < 0 || from == 2 && !at(b, end+1, ']') || p.escapes && bytes.IndexByte(b[from:end], '\\') >= 0 {
			return 0
		}
	}
	if v.simple && !p.storeBest(h, &v.variable, b[from:end]) || v.stores && !v.simple && !v.store(p, h, b[from:end]) {
		return 0
	}
	return behind
}

// bareEnd returns the length of the number or word that b begins with.
func bareEnd(b []byte) int {
	n := 0
	if len(b) >= 16 {
		if n = octets.Outside(octets.Load(b), '-', '9'); n == 8 {
			n += octets.Outside(octets.Load(b[8:]), '-', '9')
		}
	}
	for n < len(b) && !endsBare[b[n]] {
		n++
	}
	return n
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
	end := pos + bareEnd(p.line[pos:])
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
	switch {
	case v.dash && absent(b):
		return true
	case v.letter == wholeDate || v.letter == wholeTime:
		return p.record.parts.storeWhole(v.letter, b)
	}
	return p.storeBest(h, &v.variable, b)
}

func (p *Parser) storeBest(h *Hit, v *variable, b []byte) bool {
	s := slotOf[v.field]
	if b == nil || v.rank < p.record.ranks[s] {
		return true
	}
	p.record.ranks[s] = v.rank
	if (s == fieldStatus || s == fieldSize) && digits(b) < len(b) {
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
	return p.storeBest(h, &o.variable, b)
}

func skipBlank(b []byte, pos int) int {
	for pos < len(b) && (b[pos] == ' ' || b[pos] == '\t') {
		pos++
	}
	return pos
}

func at(b []byte, pos int, c byte) bool { return pos < len(b) && b[pos] == c }

// stringEnd returns the index of the quote that closes the string at pos, or -1 if there
// is no string or no closing quote.
func stringEnd(b []byte, pos int) int {
	if !at(b, pos, '"') {
		return -1
	}
	n := octets.StringEnd(b[pos+1:])
	if n < 0 {
		return -1
	}
	return pos + 1 + n
}

const wantDepth = "no more than 64 levels of nesting"

// skipNested skips an object or an array without known fields.
func skipNested(p *Parser, pos, depth int) (int, bool) {
	outside := depth
	for i := pos; i < len(p.line); i++ {
		switch p.line[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return i, p.fail(wantDepth, i)
			}
		case '}', ']':
			if depth--; depth == outside {
				return i + 1, true
			}
		case '"':
			end := stringEnd(p.line, i)
			if end < 0 {
				return i, p.fail("a string with a closing quote", i)
			}
			i = end
		}
	}
	return pos, p.fail("an end of the object or array", len(p.line))
}
