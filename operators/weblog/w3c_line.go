package weblog

import "bytes"

// scanColumns reads the values of a line: with tabs between where there is a
// tab, else with runs of blanks. A value in double quotes may hold blanks, and a
// quote doubled.
func (s *w3cScanner) scanColumns(p *Parser, h *Hit) bool {
	v := values{line: p.line, tabs: bytes.IndexByte(p.line, '\t') >= 0, bare: s.encoded}
	for i, c := range s.columns {
		switch {
		case !v.next() && s.preset && i >= s.needed:
			return true
		case v.start < 0:
			return p.fail("as many values as #Fields has names", len(p.line))
		case c.field != fieldSkip && !s.storeValue(p, h, c, v.value(p), v.tabs || v.quoted):
			return p.fail(c.want, v.start)
		}
	}
	if v.next() && !blank(p.line[v.start:]) {
		p.further = true
		return s.preset || p.fail("no more values than #Fields has names", v.start)
	}
	return true
}

// values cuts a line.
type values struct {
	line       []byte
	tabs       bool
	pos        int  // where the next value may begin; beyond the line after the last
	start, end int  // of the last value, less its quotes; start is -1 after the last
	quoted     bool // it had quotes
	bare       bool // no value after it has: they are encoded, or no quote is left that could close one
}

func (v *values) next() bool {
	v.start, v.quoted = -1, false
	if !v.tabs {
		v.pos = skipBlank(v.line, v.pos)
	}
	if v.pos > len(v.line) || !v.tabs && v.pos == len(v.line) {
		return false
	}
	if !v.bare && at(v.line, v.pos, '"') {
		if end := quotedEnd(v.line, v.pos+1, v.tabs); end >= 0 {
			v.start, v.end, v.pos, v.quoted = v.pos+1, end, end+2, true
			return true
		}
		v.bare = true // looked for once: a line may have thousands that open
	}
	separator := byte(' ')
	if v.tabs {
		separator = '\t'
	}
	n := bytes.IndexByte(v.line[v.pos:], separator)
	if n < 0 {
		n = len(v.line) - v.pos
	}
	v.start, v.end, v.pos = v.pos, v.pos+n, v.pos+n+1
	return true
}

// value is the last value, its doubled quotes made single.
func (v *values) value(p *Parser) []byte {
	b := v.line[v.start:v.end]
	if v.quoted {
		return p.unescape(b, doubled)
	}
	return b
}

// quotedEnd is the index of the quote that closes a value: one with a separator
// or nothing after it, and not doubled. -1: the value is not in quotes.
func quotedEnd(line []byte, pos int, tabs bool) int {
	for e := pos; ; e++ {
		n := bytes.IndexByte(line[e:], '"')
		if n < 0 {
			return -1
		}
		e += n
		switch {
		case e+1 == len(line) || line[e+1] == '\t' || !tabs && line[e+1] == ' ':
			return e
		case line[e+1] == '"':
			e++
		}
	}
}

// storeValue puts a value where it belongs, unless a better one is there. exact
// says that the value may hold blanks, and so that '+' is no blank.
func (s *w3cScanner) storeValue(p *Parser, h *Hit, c *column, b []byte, exact bool) bool {
	slot := slotOf[c.field]
	if c.rank < p.record.ranks[slot] || absent(b) && c.field != fieldPath {
		return true
	}
	p.record.ranks[slot] = c.rank
	switch c.field {
	case fieldPart:
		return p.record.parts.storeWhole(c.letter, b)
	case fieldPath, fieldAgent, fieldQuery:
		switch {
		case s.encoded: // blanks too, so that '+' is none
			b = p.unescape(b, percented)
		case c.field != fieldQuery && !exact:
			b = p.plusses(b)
		}
	}
	return p.store(h, c.field, 0, b)
}

// plusses turns '+' into the blank that it was written for.
func (p *Parser) plusses(b []byte) []byte {
	if bytes.IndexByte(b, '+') < 0 {
		return b
	}
	start := len(p.buf)
	p.buf = append(p.buf, b...)
	b = p.buf[start:len(p.buf):len(p.buf)]
	for i, c := range b {
		if c == '+' {
			b[i] = ' '
		}
	}
	return b
}

// percentEscape undoes CloudFront's encoding of values: of control bytes, of
// bytes from 127 on, and of a few others, among them '%' itself. What else is
// encoded in a value was so in the request.
func percentEscape(dst, b []byte) ([]byte, int) {
	v := hex(b[1:], 2)
	if v < 0 || v > ' ' && v < 127 && bytes.IndexByte([]byte("<>\"#%{}|\\^~[]`'"), byte(v)) < 0 {
		return dst, 0
	}
	return append(dst, byte(v)), 3
}

// storeWhole takes a date (D) or a time of day (T) with perhaps a fraction.
func (d *dateParts) storeWhole(letter byte, b []byte) bool {
	if letter == 'D' {
		if len(b) != len("2006-01-02") || b[4] != '-' || b[7] != '-' {
			return false
		}
		d.year, d.month, d.day = four(b, 0), two(b, 5), two(b, 8)
		return d.year >= 0 && d.month >= 0 && d.day >= 0
	}
	if len(b) < len("15:04:05") || b[2] != ':' || b[5] != ':' || len(b) > 8 && b[8] != '.' {
		return false
	}
	d.hour, d.minute, d.second = two(b, 0), two(b, 3), two(b, 6)
	return d.hour >= 0 && d.minute >= 0 && d.second >= 0
}
