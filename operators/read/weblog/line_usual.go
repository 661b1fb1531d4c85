package weblog

import (
	"bytes"
	endian "encoding/binary"
	"math/bits"
)

// usualLine is the fast path of a whole line. It reads the usual lines of common and combined in
// one pass: the client is no list, two dashes stand for the user, and no field that counts holds a
// backslash.
//
//	192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a HTTP/1.1" 200 5120 "https://..." "Mozilla/5.0 ..."
//
// Any other line is left to the ops, and tests switch usualLine off to compare both (110 ns a
// line of bplogs without it, 51 with it).
type usualLine uint8

const (
	usualNone     usualLine = iota
	usualCommon             // ends with the size
	usualCombined           // and referer and user agent follow
)

const usualDashes = " - - ["

// usually reports which fast path reads the usual lines of a format.
func (s *lineScanner) usually() usualLine {
	if s.lead != "" || s.parts || len(s.ops) < 2 || s.ops[0].field != fieldClient {
		return usualNone
	}
	dashes, rest := s.ops[0].sep, s.ops[1:]
	for len(rest) > 0 && (rest[0].field == fieldSkip || rest[0].field == fieldUser) && rest[0].shape == shapeText {
		dashes += "-" + rest[0].sep
		rest = rest[1:]
	}
	if dashes != usualDashes {
		return usualNone
	}
	switch {
	case follow(rest, step{fieldTime, `] "`}, step{fieldRequest, `" `}, step{fieldStatus, " "}, step{fieldSize, ""}):
		return usualCommon
	case follow(rest, step{fieldTime, `] "`}, step{fieldRequest, `" `}, step{fieldStatus, " "}, step{fieldSize, ` "`},
		step{fieldSkip, `" "`}, step{fieldAgent, `"`}):
		return usualCombined
	}
	return usualNone
}

// step is a field, and the text after it.
type step struct {
	field field
	sep   string
}

// follow reports whether the ops are just these steps.
func follow(ops []op, steps ...step) bool {
	if len(ops) != len(steps) {
		return false
	}
	for i, o := range ops {
		if (step{o.field, o.sep}) != steps[i] {
			return false
		}
	}
	return true
}

// scan reads a usual line, or returns false.
func (u usualLine) scan(p *Parser, h *Hit) bool {
	line := p.line
	pos, plain := usualClient(line)
	if pos < 0 || pos+len(usualDashes) > len(line) || string(line[pos:pos+len(usualDashes)]) != usualDashes {
		return false
	}
	h.Client = line[:pos]
	pos += len(usualDashes)
	end := pos + usualTimeLen
	if end+3 > len(line) || line[end] != ']' || line[end+1] != ' ' || line[end+2] != '"' {
		return false
	}
	var ok bool
	if h.Time, ok = p.clock.readUsual(line[pos:end]); !ok {
		return false
	}
	if pos = usualRequest(h, line, end+3); pos >= 0 {
		pos = usualNumbers(h, line, pos)
	}
	if pos >= 0 && u == usualCombined {
		pos = usualAgent(h, line, pos)
	}
	if pos < 0 || pos < len(line) && line[pos] != ' ' && line[pos] != '\t' {
		return false
	}
	p.further, p.end = pos < len(line) && !blank(line[pos:]), pos
	if !plain || p.proxied.active {
		p.buf, p.record.forwarded = p.buf[:0], nil
		p.settleClient(h)
	}
	return true
}

// usualClient returns the end of a client before a space: an address, or a name without a comma. It is
// plain if nothing but an IPv4 address can be in it.
func usualClient(line []byte) (end int, plain bool) {
	if len(line) >= 16 {
		end := firstOutside(line, '.', '9')
		if end == 8 {
			end += firstOutside(line[8:], '.', '9')
		}
		if end > 0 && end < 16 && line[end] == ' ' {
			return end, line[0] != '/'
		}
	}
	n := bytes.IndexByte(line, ' ')
	if n <= 0 || bytes.IndexByte(line[:n], ',') >= 0 || bytes.IndexByte(line[:n], '\\') >= 0 || absent(line[:n]) {
		return -1, false
	}
	return n, false
}

// firstOutside returns the index of the first of eight bytes that is not in a range of ASCII; 8 if all are. It looks at
// all at once: a processor does not foresee where a loop over so few ends.
func firstOutside(b []byte, least, most uint64) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	x := endian.LittleEndian.Uint64(b)
	above := x&^highs + (0x7f-most)*ones
	notBelow := (x | highs) - least*ones
	return bits.TrailingZeros64((above|^notBelow|x)&highs) / 8
}

// usualRequest reads a request from its quote on, and returns the index of the status.
func usualRequest(h *Hit, line []byte, pos int) int {
	n := bytes.IndexByte(line[pos:], '"')
	if n < 0 || pos+n+2 > len(line) || line[pos+n+1] != ' ' {
		return -1
	}
	r := line[pos : pos+n]
	if bytes.IndexByte(r, '\\') >= 0 {
		return -1
	}
	if end := n - len(" HTTP/1.1"); end > len("GET ") && string(r[:4]) == "GET " && isProtocol(r[end:]) {
		h.Method, h.Target = r[:3], r[4:end]
	} else {
		h.Method, h.Target = splitRequest(r)
	}
	return pos + n + 2
}

// usualNumbers reads the status and the size, and returns the index after both.
func usualNumbers(h *Hit, line []byte, pos int) int {
	if pos+5 > len(line) || line[pos+3] != ' ' || !digit(line[pos]) {
		return -1
	}
	low := two(line, pos+1)
	if low < 0 {
		return -1
	}
	h.Status = int(line[pos]-'0')*100 + low
	pos += 4
	if line[pos] == '-' {
		return pos + 1
	}
	if pos+8 <= len(line) {
		if n := firstOutside(line[pos:], '0', '9'); n > 0 && n < 8 {
			h.Size = eightDigits(endian.LittleEndian.Uint64(line[pos:]) << (64 - 8*n))
			return pos + n
		}
	}
	n := min(digits(line[pos:]), maxDigits)
	if n == 0 {
		return -1
	}
	h.Size, _ = number(line[pos : pos+n])
	return pos + n
}

// eightDigits returns the value of eight digits, the first in the lowest byte. A byte of 0 counts as a digit 0. Each step
// joins neighbors.
func eightDigits(x uint64) int64 {
	x = (x & 0x0f0f0f0f0f0f0f0f) * (1 + 10<<8) >> 8
	x = (x & 0x00ff00ff00ff00ff) * (1 + 100<<16) >> 16
	return int64((x & 0x0000ffff0000ffff) * (1 + 10000<<32) >> 32)
}

// usualAgent reads ` "referer" "agent"`, and returns the index after it.
func usualAgent(h *Hit, line []byte, pos int) int {
	if pos+2 > len(line) || line[pos] != ' ' || line[pos+1] != '"' {
		return -1
	}
	pos += 2
	n := 1
	if pos+2 > len(line) || line[pos] != '-' || line[pos+1] != '"' {
		n = bytes.IndexByte(line[pos:], '"')
	}
	if n < 0 || pos+n+3 > len(line) || line[pos+n+1] != ' ' || line[pos+n+2] != '"' || line[pos+n-1] == '\\' {
		return -1
	}
	pos += n + 3
	n = bytes.IndexByte(line[pos:], '"')
	if n < 0 || bytes.IndexByte(line[pos:pos+n], '\\') >= 0 {
		return -1
	}
	h.Agent = present(line[pos : pos+n])
	return pos + n + 1
}
