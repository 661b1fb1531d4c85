package wrap

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// text returns the line in a JSON value: a string, or an array of byte values. The line
// aliases the value or u's buffer.
func (u *Unwrapper) text(value []byte) ([]byte, Got) {
	var text []byte
	ok := false
	switch value[0] {
	case '"':
		text, ok = u.unescape(value[1 : len(value)-1])
	case '[':
		text, ok = u.numbers(value)
	default:
		return nil, Nothing
	}
	if !ok {
		return nil, Foreign
	}
	return text, Inner
}

// unescape undoes JSON's escaping, and returns b itself if there is none. Raw bytes are kept,
// valid UTF-8 or not. Half of a surrogate pair becomes U+FFFD, as in encoding/json. It returns
// false for an escape that JSON does not have.
func (u *Unwrapper) unescape(b []byte) ([]byte, bool) {
	i := bytes.IndexByte(b, '\\')
	if i < 0 {
		return b, true
	}
	dst := u.buf[:0]
	for i >= 0 {
		dst = append(dst, b[:i]...)
		var n int
		if dst, n = escape(dst, b[i:]); n == 0 {
			return nil, false
		}
		b = b[i+n:]
		i = bytes.IndexByte(b, '\\')
	}
	u.buf = append(dst, b...)
	return u.buf, true
}

// escape appends the decoded form of the escape at the start of b and returns its length, or 0
// if it is not valid.
func escape(dst, b []byte) ([]byte, int) {
	if len(b) < 2 {
		return dst, 0
	}
	if b[1] == 'u' {
		r, n := rune16(b), 6
		if utf16.IsSurrogate(r) {
			r = utf16.DecodeRune(r, rune16(b[n:]))
			if r != utf8.RuneError {
				n = 12
			}
		}
		if r < 0 {
			return dst, 0
		}
		return utf8.AppendRune(dst, r), n
	}
	c := escapes[b[1]]
	if c == 0 {
		return dst, 0
	}
	return append(dst, c), 2
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// rune16 returns the value of \uXXXX at the start of b, or -1 if b does not begin so.
func rune16(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	r := rune(0)
	for _, c := range b[2:6] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20-'a' <= 5:
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// numbers decodes a list of byte values such as [71,69,84], which journalctl writes for
// values that are not plain text.
func (u *Unwrapper) numbers(b []byte) ([]byte, bool) {
	dst := u.buf[:0]
	s := scanner{b: b[1 : len(b)-1]}
	for first := true; !s.atEnd(); first = false {
		if !first && !s.next(',') {
			return nil, false
		}
		s.blank()
		from, n := s.pos, 0
		for s.pos < len(s.b) && s.b[s.pos]-'0' <= 9 && s.pos-from < 3 {
			n = n*10 + int(s.b[s.pos]-'0')
			s.pos++
		}
		if s.pos == from || n > 255 {
			return nil, false
		}
		dst = append(dst, byte(n))
	}
	u.buf = dst
	return dst, true
}
