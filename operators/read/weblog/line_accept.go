package weblog

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
