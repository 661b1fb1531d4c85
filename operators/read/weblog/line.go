package weblog

import "bytes"

// lineScanner reads lines of fields with literal text between.
type lineScanner struct {
	filling
	lead     string // literal text before the first field
	ops      []op
	parts    bool // times are in pieces
	steps    []step
	escaping escaping
}

func (s *lineScanner) scan(p *Parser, h *Hit) bool {
	line, pos := p.line, len(s.lead)
	if s.parts {
		p.record.parts = dateParts{}
	}
	p.escapes = s.escaping.mark != 0 && bytes.IndexByte(line, s.escaping.mark) >= 0
	if len(s.steps) > 0 {
		if rest, ok := s.leap(p, h); ok {
			return s.settle(p, h, len(line)-len(rest))
		}
		*h, p.record.raw, p.record.forwarded, p.plain, p.buf = Hit{}, rawRequest{}, nil, false, p.buf[:0]
		if s.parts {
			p.record.parts = dateParts{}
		}
	}
	backslashed := p.escapes && s.escaping.mark == '\\'
	if pos > 0 && (len(line) < pos || string(line[:pos]) != s.lead) {
		p.op = 0
		return p.fail("the format's first literal text", 0)
	}
	for i := range s.ops {
		o := &s.ops[i]
		end := o.end(line, pos, backslashed)
		if end < 0 && o.endsLine(line, pos) && s.take(p, h, o, line[pos:]) {
			p.missing = len(s.ops) - 1 - i
			break
		}
		if end < 0 || o.field != fieldSkip && !s.take(p, h, o, line[pos:end]) {
			p.op = i
			return p.fail(o.want, pos)
		}
		pos = end
		if !o.keep {
			pos += len(o.sep)
		}
	}
	if together(p.record.raw.request) {
		return p.fail("one record: another begins within the request", 0)
	}
	return s.settle(p, h, pos)
}

// settle makes a hit of the fields of a line, the last of which ends before pos.
func (s *lineScanner) settle(p *Parser, h *Hit, pos int) bool {
	line := p.line
	if p.missing == 0 && pos < len(line) && !blank(line[pos:]) {
		p.further, p.end = true, pos
	}
	if s.parts && !p.composeTime(h) {
		return p.fail("a date that exists", 0)
	}
	if h.Target == nil { // a stepRecord sets it
		p.finish(h)
	}
	return true
}

func blank(b []byte) bool { return len(bytes.TrimLeft(b, " \t")) == 0 }

// endsLine reports whether the line may end with the field at pos: the field is a number,
// and no later field is needed. Logs in combined hold some lines that end after the size,
// and such lines have all needed fields.
func (o *op) endsLine(line []byte, pos int) bool {
	return o.last && o.shape == shapeNumber && pos < len(line) && pos+o.length(line[pos:]) == len(line)
}

// take stores a field of a line.
func (s *lineScanner) take(p *Parser, h *Hit, o *op, b []byte) bool {
	return p.store(h, o.field, o.letter, s.plain(p, b))
}

// composeTime sets the time from its pieces, unless it was logged whole.
func (p *Parser) composeTime(h *Hit) bool {
	if h.Time != 0 {
		return true
	}
	var ok bool
	h.Time, ok = p.record.parts.unix()
	return ok
}
