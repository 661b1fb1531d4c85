package weblog

import "bytes"

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

// op scans one field and the literal text after it.
type op struct {
	shape  shape
	field  field
	rank   uint8 // in JSON: see jsonValue
	letter byte  // the strftime letter of a fieldPart
	width  uint8 // for shapeTime and shapeFixed
	kind   stepKind
	keep   bool // the separator is the first byte of the next field
	last   bool // no later field is needed
	check  bool // the separator alone does not prove the field's end
	sep    string
	next   *op
	want   string // for errors: the field's name in the format
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
		if backslashed && e > pos && line[e-1] == '\\' && escaped(line[pos:e]) {
			continue
		}
		if o.accept(line, e) {
			return e
		}
	}
}

// escaped reports whether a byte after b is escaped: b ends in an odd number of
// backslashes.
func escaped(b []byte) bool {
	n := len(b)
	for n > 0 && b[n-1] == '\\' {
		n--
	}
	return (len(b)-n)%2 == 1
}
