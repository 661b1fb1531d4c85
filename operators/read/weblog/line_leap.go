package weblog

import (
	"bytes"

	"dustbuster/operators/read/octets"
)

// leap reads a line of the usual shapes by its steps, and returns what follows its last field. ok is false if the line
// is of other shapes: the ops read it then, as they read every line. Tests switch the steps off to
// compare both.
//
// The first place where a field may end is taken for its end. If the next field cannot begin behind it, it is not
// read, and the ops look for another end. So both read a line alike.
func (l *lineScanner) leap(p *Parser, h *Hit) (rest []byte, ok bool) {
	if rest = p.line; l.lead != "" {
		if rest, ok = bytes.CutPrefix(rest, []byte(l.lead)); !ok {
			return nil, false
		}
	}
	for i := 0; i < len(l.steps); i++ {
		s := &l.steps[i]
		if s.dash.n > 0 && s.dash.begins(rest) {
			rest = rest[s.dash.n:]
			i += s.dashes - 1
			continue
		}
		n := -1
		switch s.kind {
		case stepWord:
			n = octets.Index(rest, s.op.sep[0])
		case stepQuoted:
			n = l.quoted(rest)
		case stepSkip:
			n = octets.Nth(rest, s.op.sep[0], s.words)
		case stepCommon:
			if n = l.common(p, h, rest); n < 0 {
				continue
			}
			i += s.dashes
		case stepClient:
			n = l.client(p, h, rest)
		case stepRecord:
			n = l.record(p, h, rest)
		case stepAgents:
			n = l.agents(p, h, rest)
		case stepStatus:
			n = leapStatus(h, rest)
		case stepSize:
			n = leapSize(h, rest)
		default:
			n = s.end(p.line, len(p.line)-len(rest), l.escaping.mark == '\\') - len(p.line) + len(rest)
		}
		if uint(n) > uint(len(rest)) || !s.found && !s.after.begins(rest[n:]) {
			return nil, false
		}
		if s.stores && !p.store(h, s.op.field, s.op.letter, l.plain(p, rest[:n])) {
			return nil, false
		}
		rest = rest[n+s.past:]
	}
	return rest, len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t'
}

// end returns the end of the field at pos, or -1.
func (s *step) end(line []byte, pos int, backslashed bool) int {
	b := line[pos:]
	switch o := s.op; s.kind {
	case stepList:
		return s.endList(line, pos)
	case stepNumber:
		if n := digits(b); n > 0 {
			return pos + n
		}
		return -1
	case stepTime:
		if len(b) == 0 || !digit(b[0]) {
			return -1
		}
		n := int(o.width)
		if n > len(b) || !s.after.begins(b[n:]) {
			n = octets.Index(b, o.sep[0])
		}
		return pos + n
	}
	return s.op.end(line, pos, backslashed)
}

// endList returns the end of a list at pos, or -1.
func (s *step) endList(line []byte, pos int) int {
	b, n := line[pos:], 0
	if len(s.sep) > 1 {
		n = bytes.Index(b[:min(len(b), 64)], s.sep) // short texts are searched at once
		if n < 0 || !s.op.accept(line, pos+n) {
			return s.op.endText(line, pos)
		}
	} else if n = octets.Index(b, s.sep[0]); n >= 0 && inList(line, pos+n) {
		return s.op.endText(line, pos)
	}
	return pos + n
}

// quoted returns the length of a quoted value that b begins with, or -1 if its quote may be escaped.
func (l *lineScanner) quoted(b []byte) int {
	n := bytes.IndexByte(b, '"')
	if n < 0 || l.escapes(b[:n]) {
		return -1
	}
	return n
}

// escapes reports whether the end of a quoted value may escape a quote behind it.
func (l *lineScanner) escapes(b []byte) bool {
	return len(b) > 0 && b[len(b)-1] == '\\' && l.escaping.mark == '\\'
}

// plain returns a value with its escapes undone. Few lines have any.
func (l *lineScanner) plain(p *Parser, b []byte) []byte {
	if p.escapes {
		return p.unescape(b, l.escaping)
	}
	return b
}

// common reads a client, two dashes and a record, and returns their length, or -1.
func (l *lineScanner) common(p *Parser, h *Hit, b []byte) int {
	n := l.client(p, h, b)
	if n < 0 || len(b) < n+len(commonDashes) || string(b[n:n+len(commonDashes)]) != commonDashes {
		return -1
	}
	n += len(commonDashes)
	m := l.record(p, h, b[n:])
	if m < 0 {
		return -1
	}
	return n + m
}

// client reads a client before a blank, and returns its length, or -1. Of most nothing but an IPv4 address can be in it.
func (l *lineScanner) client(p *Parser, h *Hit, b []byte) int {
	if len(b) > 16 {
		n := octets.Outside(octets.Load(b), '.', '9')
		if n == 8 {
			n += octets.Outside(octets.Load(b[8:]), '.', '9')
		}
		if n > 0 && n < 16 && b[n] == ' ' && b[0] != '/' && b[n+1] != ':' {
			h.Client, p.plain = b[:n], true
			return n
		}
	}
	n := octets.Index(b, ' ')
	if n <= 0 || bytes.IndexByte(b[:n], ',') >= 0 || inList(p.line, len(p.line)-len(b)+n) {
		return -1
	}
	h.Client = present(l.plain(p, b[:n]))
	return n
}

// leapStatus reads three digits, and returns their length, or -1.
func leapStatus(h *Hit, b []byte) int {
	if len(b) < 3 || !digit(b[0]) || two(b, 1) < 0 {
		return -1
	}
	h.Status = int(b[0]-'0')*100 + two(b, 1)
	return 3
}

// leapSize reads digits, and returns their length, or -1.
func leapSize(h *Hit, b []byte) int {
	if len(b) >= 8 {
		x := octets.Load(b)
		if n := octets.Outside(x, '0', '9'); n > 0 && n < 8 {
			h.Size = octets.Digits(x << (64 - 8*n))
			return n
		}
	}
	n := min(digits(b), maxDigits)
	if n == 0 {
		return -1
	}
	h.Size, _ = number(b[:n])
	return n
}

// record reads `02/Jan/2006:15:04:05 -0700] "GET / HTTP/1.1" 200 5120`, and returns its length, or -1.
func (l *lineScanner) record(p *Parser, h *Hit, b []byte) int {
	if len(b) < commonLen+3 || b[commonLen] != ']' || b[commonLen+1] != ' ' || b[commonLen+2] != '"' || !digit(b[0]) {
		return -1
	}
	var ok bool
	if h.Time, ok = p.clock.readCommon(b[:commonLen]); !ok {
		return -1
	}
	rest := b[commonLen+3:]
	n := bytes.IndexByte(rest, '"')
	if n < 0 || n+1 == len(rest) || rest[n+1] != ' ' || l.escapes(rest[:n]) {
		return -1
	}
	h.Method, h.Target = splitRequest(l.plain(p, rest[:n]))
	rest = rest[n+2:]
	if n = leapStatus(h, rest); n < 0 || len(rest) < 5 || rest[3] != ' ' {
		return -1
	}
	if rest = rest[4:]; rest[0] == '-' {
		return len(b) - len(rest) + 1
	}
	if n = leapSize(h, rest); n < 0 {
		return -1
	}
	return len(b) - len(rest) + n
}

// agents reads `https://www.example.org/" "Mozilla/5.0`, and returns its length, or -1.
func (l *lineScanner) agents(p *Parser, h *Hit, b []byte) int {
	n := 1
	if len(b) < 2 || b[0] != '-' || b[1] != '"' {
		n = bytes.IndexByte(b, '"')
	}
	if n < 0 || n+3 > len(b) || b[n+1] != ' ' || b[n+2] != '"' || l.escapes(b[:n]) {
		return -1
	}
	from := n + 3
	if n = bytes.IndexByte(b[from:], '"'); n < 0 {
		return -1
	}
	agent := b[from : from+n]
	if l.escapes(agent) {
		return -1
	}
	h.Agent = present(l.plain(p, agent))
	return from + n
}
