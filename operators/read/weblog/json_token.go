package weblog

import "strings"

// quoted reads a string. Escapes inside belong to the server, not to JSON, and are kept.
func (t *template) quoted() (string, bool) {
	end := stringEnd([]byte(t.s), t.pos)
	if end < 0 {
		return "", false
	}
	s := t.s[t.pos+1 : end]
	t.pos = end + 1
	return s, true
}

func (t *template) next(c byte) bool {
	if t.pos < len(t.s) && t.s[t.pos] == c {
		t.pos++
		return true
	}
	return false
}

// blank skips white space and the bytes of more.
func (t *template) blank(more string) {
	for t.pos < len(t.s) && strings.IndexByte(white+more, t.s[t.pos]) >= 0 {
		t.pos++
	}
}
