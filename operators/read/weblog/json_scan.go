package weblog

import "dustbuster/operators/read/octets"

func skipBlank(b []byte, pos int) int {
	for pos < len(b) && (b[pos] == ' ' || b[pos] == '\t') {
		pos++
	}
	return pos
}

func at(b []byte, pos int, c byte) bool { return pos < len(b) && b[pos] == c }

// stringEnd returns the index of the quote that closes the string at pos, or -1 if there
// is no string or no closing quote.
func stringEnd(b []byte, pos int) int {
	if !at(b, pos, '"') {
		return -1
	}
	for i := pos + 1; ; i++ {
		n := octets.Index(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		if b[i-1] != '\\' || !escaped(b[pos+1:i]) {
			return i
		}
	}
}

const wantDepth = "no more than 64 levels of nesting"

// skipNested skips an object or an array without known fields.
func skipNested(p *Parser, pos, depth int) (int, bool) {
	outside := depth
	for i := pos; i < len(p.line); i++ {
		switch p.line[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return i, p.fail(wantDepth, i)
			}
		case '}', ']':
			if depth--; depth == outside {
				return i + 1, true
			}
		case '"':
			end := stringEnd(p.line, i)
			if end < 0 {
				return i, p.fail("a string with a closing quote", i)
			}
			i = end
		}
	}
	return pos, p.fail("an end of the object or array", len(p.line))
}
