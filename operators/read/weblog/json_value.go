package weblog

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
	for end < len(p.line) && !endsBare(p.line[end]) {
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

func endsBare(c byte) bool {
	return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\t'
}

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
