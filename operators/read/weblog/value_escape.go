package weblog

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// escaping is a server's way of writing bytes that would break its lines.
type escaping struct {
	mark byte // the first byte of every escape; 0: nothing is escaped
	undo func(dst, b []byte) ([]byte, int)
}

// The escapings of lines. JSON has its own.
var (
	backslashed = escaping{'\\', lineEscape}   // nginx, Apache and similar servers
	hashed      = escaping{'#', hashEscape}    // HAProxy
	raw         = escaping{}                   // Envoy
	doubled     = escaping{'"', quoteEscape}   // W3C extended, within quotes
	percented   = escaping{'%', percentEscape} // CloudFront
)

// unescape undoes an escaping. A mark that begins no escape is kept. The result is b itself if
// it has no mark.
func (p *Parser) unescape(b []byte, e escaping) []byte {
	i := bytes.IndexByte(b, e.mark)
	if i < 0 {
		return b
	}
	return p.decode(b, i, e)
}

// unescapeJSON undoes JSON's escaping, and also the escapes that servers without support
// for JSON write into JSON-shaped lines (\xhh, \v). Raw bytes are kept, valid UTF-8 or
// not.
func (p *Parser) unescapeJSON(b []byte) []byte {
	i := bytes.IndexByte(b, '\\')
	if i < 0 {
		return b
	}
	return p.decode(b, i, escaping{'\\', jsonEscape})
}

// decode copies b into the buffer and undoes its escapes. e.undo appends the decoded form of
// the escape that its argument begins with, and returns how long that was, or 0 if there is
// none. i is the index of b's first mark.
func (p *Parser) decode(b []byte, i int, e escaping) []byte {
	start := len(p.buf)
	for i >= 0 {
		p.buf = append(p.buf, b[:i]...)
		var n int
		p.buf, n = e.undo(p.buf, b[i:])
		if n == 0 {
			p.buf, n = append(p.buf, e.mark), 1
		}
		b = b[i+n:]
		i = bytes.IndexByte(b, e.mark)
	}
	p.buf = append(p.buf, b...)
	return p.buf[start:len(p.buf):len(p.buf)]
}

// lineEscape undoes the escapes of nginx (\xHH) and of Apache (\", \\, \xhh,
// \n, \t, \r, \b, \v).
func lineEscape(dst, b []byte) ([]byte, int) {
	if len(b) < 2 {
		return dst, 0
	}
	if v := hex(b[2:], 2); b[1] == 'x' && v >= 0 {
		return append(dst, byte(v)), 4
	}
	if c := letterEscapes[b[1]]; c != 0 {
		return append(dst, c), 2
	}
	return dst, 0
}

var letterEscapes = [256]byte{'"': '"', '\\': '\\', 'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'v': '\v'}

// quoteEscape undoes a doubled quote.
func quoteEscape(dst, b []byte) ([]byte, int) {
	if len(b) < 2 || b[1] != '"' {
		return dst, 0
	}
	return append(dst, '"'), 2
}

// hashEscape undoes HAProxy's #XX.
func hashEscape(dst, b []byte) ([]byte, int) {
	v := hex(b[1:], 2)
	if v < 0 {
		return dst, 0
	}
	return append(dst, byte(v)), 3
}

func jsonEscape(dst, b []byte) ([]byte, int) {
	if len(b) < 2 {
		return dst, 0
	}
	switch b[1] {
	case '/':
		return append(dst, '/'), 2
	case 'f':
		return append(dst, '\f'), 2
	case 'u':
		return codeUnit(dst, b)
	}
	return lineEscape(dst, b)
}

// codeUnit decodes \uXXXX or a surrogate pair of two. Half a pair is not a character, and
// is kept.
func codeUnit(dst, b []byte) ([]byte, int) {
	r := rune(hex(b[2:], 4))
	if r < 0 {
		return dst, 0
	}
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(dst, r), 6
	}
	if len(b) < 12 || b[6] != '\\' || b[7] != 'u' {
		return dst, 0
	}
	r = utf16.DecodeRune(r, rune(hex(b[8:], 4)))
	if r == utf8.RuneError {
		return dst, 0
	}
	return utf8.AppendRune(dst, r), 12
}

// hex returns the value of the n hexadecimal digits at the start of b, or -1 if b does
// not begin with n digits.
func hex(b []byte, n int) int64 {
	if len(b) < n {
		return -1
	}
	v := int64(0)
	for _, c := range b[:n] {
		switch {
		case digit(c):
			v = v<<4 | int64(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			v = v<<4 | int64(c|0x20-'a'+10)
		default:
			return -1
		}
	}
	return v
}
