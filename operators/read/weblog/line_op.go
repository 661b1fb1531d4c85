package weblog

import (
	"bytes"

	"dustbuster/operators/read/octets"
)

// shape determines how the end of a field is found.
type shape uint8

const (
	shapeText     shape = iota // up to the separator
	shapeList                  // the same, but ", " and " : " do not end it
	shapeQuoted                // up to a closing quote
	shapeProtocol              // text that begins with HTTP/
	shapeStatus                // three digits
	shapeCode                  // the same, or 0 or -1 if the server sent none
	shapePadded                // text with blanks before, up to the separator
	shapeNumber                // a run of digits
	shapeDecimal               // digits and dots
	shapeTime                  // usually width bytes, else up to the separator
	shapeFixed                 // width bytes
)

// op scans one field and the literal text after it. An op also stands for a column of a #Fields line.
type op struct {
	variable
	kind  stepKind
	keep  bool // the separator is the first byte of the next field
	last  bool // no later field is needed
	check bool // the separator alone does not prove the field's end
	sep   string
	next  *op
	want  string // for errors
}

// end returns the index in line of the separator that ends the field at pos, or -1 if
// there is none. If backslashed is set, a quote after a backslash does not end a field.
func (o *op) end(line []byte, pos int, backslashed bool) int {
	switch o.shape {
	case shapeText, shapeList, shapeProtocol:
		return o.endText(line, pos)
	case shapePadded:
		return o.endText(line, skipBlank(line, pos))
	case shapeQuoted:
		return o.endQuoted(line, pos, backslashed)
	case shapeTime:
		if e := pos + int(o.width); e <= len(line) && o.accept(line, e) {
			return e
		}
		return o.endText(line, pos)
	}
	if e := pos + o.length(line[pos:]); e <= len(line) && o.separated(line, e) {
		return e
	}
	return -1
}

// length returns the length of a field whose shape determines its end.
func (o *op) length(b []byte) int {
	switch {
	case o.shape == shapeFixed:
		return int(o.width)
	case len(b) > 0 && b[0] == '-':
		if o.shape == shapeCode && bytes.HasPrefix(b, []byte(noStatus)) {
			return len(noStatus)
		}
		return 1
	case o.shape == shapeStatus:
		return 3
	}
	n := digits(b)
	if n == 0 && len(b) > 0 && b[0] == '+' {
		return 1 + digits(b[1:])
	}
	for o.shape == shapeDecimal && n < len(b) && b[n] == '.' {
		n += 1 + digits(b[n+1:])
	}
	return n
}

// endText finds the first separator that can end the field. Without a separator the field
// is the rest of the line.
func (o *op) endText(line []byte, pos int) int {
	if o.sep == "" {
		return len(line)
	}
	for e := pos; ; e++ {
		i := bytes.IndexByte(line[e:], o.sep[0])
		if i < 0 {
			return -1
		}
		e += i
		if !o.check && len(o.sep) == 1 || o.accept(line, e) {
			return e
		}
	}
}

// endQuoted finds the closing quote: one that is not escaped, is followed by the format's next
// literal, and after which the next field can begin. So a raw quote inside of a request, as
// written by servers of the 1990s, does not end it. Without such a quote before a status, the
// server may not escape backslashes either, and a quote after a backslash is accepted too.
func (o *op) endQuoted(line []byte, pos int, backslashed bool) int {
	e := o.closing(line, pos, backslashed)
	if e < 0 && backslashed && o.next != nil && o.next.shape == shapeStatus {
		e = o.closing(line, pos, false)
	}
	return e
}

func (o *op) closing(line []byte, pos int, backslashed bool) int {
	for e := pos; ; e++ {
		i := bytes.IndexByte(line[e:], '"')
		if i < 0 {
			return -1
		}
		e += i
		if backslashed && e > pos && line[e-1] == '\\' && octets.Escaped(line[pos:e]) {
			continue
		}
		if o.accept(line, e) {
			return e
		}
	}
}

func (o *op) separated(line []byte, e int) bool {
	n := e + len(o.sep)
	if n > len(line) {
		return false
	}
	for i := range len(o.sep) { // too short for a call of memequal to pay
		if line[e+i] != o.sep[i] {
			return false
		}
	}
	return o.next != nil || n == len(line) || line[n] == ' ' || line[n] == '\t'
}

// accept reports whether the field can end at e: the separator stands there, and the next field
// can begin behind it.
func (o *op) accept(line []byte, e int) bool {
	if !o.separated(line, e) {
		return false
	}
	if !o.check {
		return true
	}
	if o.shape == shapeList && inList(line, e) {
		return false
	}
	return o.next == nil || o.keep || o.next.plausible(line, e+len(o.sep))
}

// inList reports whether the space at e belongs to a list, such as X-Forwarded-For ("a,
// b") and nginx's upstream variables ("a, b : c").
func inList(line []byte, e int) bool {
	if line[e] != ' ' || e == 0 {
		return false
	}
	colon := e+2 < len(line) && line[e+1] == ':' && line[e+2] == ' '
	return colon || line[e-1] == ',' || line[e-1] == ':' && e > 1 && line[e-2] == ' '
}

// picky reports whether plausible can return false.
func (o *op) picky() bool {
	return o.shape != shapeText && o.shape != shapeList && o.shape != shapeQuoted && o.shape != shapePadded
}

// plausible reports whether the field can begin at pos. Only shapes that hardly occur by
// chance inside of other fields are checked.
func (o *op) plausible(line []byte, pos int) bool {
	if pos >= len(line) {
		return o.sep == ""
	}
	c := line[pos]
	switch o.shape {
	case shapeStatus:
		return o.isStatus(line, pos)
	case shapeNumber, shapeDecimal, shapeTime, shapeCode:
		return digit(c) || c == '-'
	case shapeProtocol:
		return c == 'H' || o.separated(line, pos) || c == '-' && o.separated(line, pos+1)
	case shapeFixed:
		return plausiblePart(o.letter, c)
	}
	return true
}

func (o *op) isStatus(line []byte, pos int) bool {
	if line[pos] == '-' {
		return o.separated(line, pos+1)
	}
	return digits(line[pos:min(pos+3, len(line))]) == 3 && o.separated(line, pos+3)
}

func plausiblePart(letter, c byte) bool {
	switch letter {
	case 'b':
		return 'A' <= c && c <= 'Z'
	case 'z':
		return c == '+' || c == '-' || c == 'Z'
	case 'e':
		return digit(c) || c == ' '
	}
	return digit(c)
}
