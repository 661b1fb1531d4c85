package wrap

import "dustbuster/operators/read/octets"

// scanner scans JSON. It finds the ends of values and does not check the bytes between: whoever
// wrote the line wrote valid JSON, or the line is torn.
type scanner struct {
	b   []byte
	pos int
}

func (s *scanner) blank() {
	for s.pos < len(s.b) && s.b[s.pos] <= ' ' && isBlank[s.b[s.pos]] {
		s.pos++
	}
}

var isBlank = [256]bool{' ': true, '\t': true, '\r': true, '\n': true}

func (s *scanner) at(c byte) bool { return s.pos < len(s.b) && s.b[s.pos] == c }

// next consumes blanks and the character c, and reports whether c was there.
func (s *scanner) next(c byte) bool {
	s.blank()
	if !s.at(c) {
		return false
	}
	s.pos++
	return true
}

func (s *scanner) atEnd() bool {
	s.blank()
	return s.pos == len(s.b)
}

// str consumes a string and returns it with its quotes.
func (s *scanner) str() ([]byte, bool) {
	s.blank()
	if !s.at('"') {
		return nil, false
	}
	from := s.pos
	n := octets.StringEnd(s.b[from+1:])
	if n < 0 {
		return nil, false
	}
	s.pos += n + 2
	return s.b[from:s.pos], true
}

// skip skips a value of any kind.
func (s *scanner) skip() bool {
	s.blank()
	switch {
	case s.at('"'):
		_, ok := s.str()
		return ok
	case s.at('{') || s.at('['):
		return s.skipNested()
	}
	from := s.pos
	for s.pos < len(s.b) && !endsBare[s.b[s.pos]] {
		s.pos++
	}
	return s.pos > from
}

var endsBare = [256]bool{',': true, '}': true, ']': true, ' ': true, '\t': true, '\r': true, '\n': true, '"': true, ':': true, '{': true, '[': true}

// skipNested skips an object or an array. The kinds of brackets need not match to find
// the end.
func (s *scanner) skipNested() bool {
	for depth := 0; s.pos < len(s.b); {
		switch s.b[s.pos] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			if _, ok := s.str(); !ok {
				return false
			}
			continue
		}
		s.pos++
		if depth == 0 {
			return true
		}
	}
	return false
}

// members scans an object, and calls f for each member where its value begins. f scans the value. key has
// no quotes, and its escapes are not undone. members reports whether the object ended and f always
// returned true.
func (s *scanner) members(f func(key []byte) bool) bool {
	if !s.next('{') {
		return false
	}
	for first := true; !s.next('}'); first = false {
		if !first && !s.next(',') {
			return false
		}
		key, ok := s.str()
		if !ok || !s.next(':') {
			return false
		}
		if s.blank(); !f(key[1 : len(key)-1]) {
			return false
		}
	}
	return true
}
