package weblog

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// check parses a line twice, with and without the fast path, and compares.
func check(t *testing.T, format, line string, w want) {
	t.Helper()
	p := mustNew(t, format)
	checkWith(t, p, line, w)
	checkWith(t, p, line, w)
	checkWith(t, slow(mustNew(t, format)), line, w)
}

func checkWith(t *testing.T, p *Parser, line string, w want) {
	t.Helper()
	var h Hit
	err := p.Parse(&h, []byte(line))
	if w.malformed != "" {
		if !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), w.malformed) {
			t.Fatalf("error %v, want one with %q", err, w.malformed)
		}
		return
	}
	must(t, err)
	g := found(&h)
	if g != w {
		t.Fatalf("%q:\n got %+v\nwant %+v", line, g, w)
	}
}

func mustNew(t testing.TB, format string) *Parser {
	t.Helper()
	p, err := New(format)
	must(t, err)
	return p
}

// slow switches the fast path off.
func slow(p *Parser) *Parser {
	if l, ok := p.scanner.(*lineScanner); ok {
		l.steps = nil
	}
	if c, ok := p.scanner.(*w3cScanner); ok {
		c.slow = true
	}
	return p
}

// same reports whether two hits are equal.
func same(a, b *Hit) bool {
	return bytes.Equal(a.Host, b.Host) && bytes.Equal(a.Method, b.Method) && bytes.Equal(a.Target, b.Target) &&
		bytes.Equal(a.Agent, b.Agent) && bytes.Equal(a.Client, b.Client) && a.Status == b.Status &&
		a.Size == b.Size && a.Class == b.Class && a.Digest == b.Digest && a.Time == b.Time
}

// clone returns a copy of a hit that stays valid after the next Parse.
func clone(h *Hit) *Hit {
	c := *h
	for _, s := range []*[]byte{&c.Host, &c.Method, &c.Target, &c.Agent, &c.Client} {
		*s = bytes.Clone(*s)
	}
	return &c
}
