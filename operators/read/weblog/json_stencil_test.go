package weblog

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// stencilOf returns the stencil of a parser of JSON, or nil.
func stencilOf(p *Parser) *stencil {
	switch s := p.scanner.(type) {
	case *jsonScanner:
		return &s.stencil
	case *consoleScanner:
		return &s.stencil
	case *cdxjScanner:
		return &s.stencil
	}
	return nil
}

// Lines like those that a stencil was made of, with a few bytes changed, are read as by a parser that has none.
func TestStencil(t *testing.T) {
	rounds := 3000
	if *long {
		rounds *= 50
	}
	const changes = `{}[]",:\ /09.-nulx` + "\t\x00\xef"
	rng := rand.New(rand.NewPCG(1, 1))
	for _, format := range Formats() {
		p, used := mustNew(t, format.Name), 0
		s := stencilOf(p)
		if s == nil {
			continue
		}
		for round := range rounds {
			line := []byte(strings.Replace(format.Example, "192.0.2.7", fmt.Sprint("192.0.2.", rng.IntN(256)), 1))
			for range rng.IntN(3) * rng.IntN(2) {
				if at := rng.IntN(len(line)); rng.IntN(3) > 0 {
					line[at] = changes[rng.IntN(len(changes))]
				} else {
					line = append(line[:at], append([]byte{changes[rng.IntN(len(changes))]}, line[at:]...)...)
				}
			}
			if round%1000 == 999 {
				line = bytes.Replace(line, []byte(`",`), []byte(`","new":"`+fmt.Sprint(round)+`",`), 1)
			}
			had := len(s.pieces) > 0
			var h, fresh Hit
			err, err2 := p.Parse(&h, line), mustNew(t, format.Name).Parse(&fresh, line)
			if had && err == nil && s.credit > 0 {
				used++
			}
			if (err == nil) != (err2 == nil) || err == nil && !same(&h, &fresh) || err != nil && err.Error() != err2.Error() {
				t.Fatalf("%s: %s:\n by the stencil %+v, %v\n without       %+v, %v", format.Name, line, found(&h), err, found(&fresh), err2)
			}
		}
		if used < rounds/3 {
			t.Errorf("%s: %d of %d lines were read by a stencil", format.Name, used, rounds)
		}
	}
}

// A stencil learns which values vary, gives way to lines of another form, and costs few lines if forms alternate.
func TestStencilLearns(t *testing.T) {
	const head = `{"level":"info","request":"GET /a HTTP/1.1","n":`
	p := mustNew(t, "nginx_json")
	s := stencilOf(p)
	parse := func(format string, n int) {
		t.Helper()
		var h Hit
		must(t, p.Parse(&h, fmt.Appendf(nil, format, n)))
		if string(h.Target) != "/a" || h.Status != 200 {
			t.Fatalf("%+v", found(&h))
		}
	}
	for n := range 100 {
		parse(head+`%d,"status":200,"end":true}`, n)
	}
	if len(s.pieces) != 4 || !s.pieces[1].varies { // request, n, status and the end
		t.Errorf("%d pieces: %+v", len(s.pieces), s.pieces)
	}
	for n := range 100 {
		parse(`{"status":200,"n":%d,"request":"GET /a HTTP/1.1"}`, n)
	}
	if len(s.pieces) != 4 || s.credit < mostCredit/2 {
		t.Errorf("another form: %d pieces, credit %d", len(s.pieces), s.credit)
	}
	made := 0
	for n := range 10_000 {
		had := len(s.pieces) > 0
		if parse(head+`%d,"status":200}`, n); n%2 == 0 {
			parse(`{"status":200,"n":%d,"request":"GET /a HTTP/1.1"}`, n)
		}
		if !had && len(s.pieces) > 0 {
			made++
		}
	}
	if made > 40 {
		t.Errorf("of 10,000 lines of two forms, %d became stencils", made)
	}
}

// Commas between members are needed, and none before the first, whichever lines came before.
func TestCommas(t *testing.T) {
	long := strings.Repeat("x", mostSeenText)
	for _, c := range []struct{ name, good, bad string }{
		{"before the first", `{"a":1,"request":"GET /a HTTP/1.1","status":200}`, `{,"request":"GET /a HTTP/1.1","status":200}`},
		{"none", `{"request":"GET /a HTTP/1.1","status":200}`, `{"` + long + `":"1""request":"GET /a HTTP/1.1","status":200}`},
		{"after a long key", `{"` + long + `":1,"request":"GET /a HTTP/1.1","status":200}`, `{,"request":"GET /a HTTP/1.1","status":200}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := mustNew(t, "nginx_json")
			var h Hit
			for range 3 {
				must(t, p.Parse(&h, []byte(c.good)))
			}
			if err := p.Parse(&h, []byte(c.bad)); err == nil {
				t.Errorf("%s is read: %+v", c.bad, found(&h))
			}
		})
	}
}

// otherValue puts a value in the place of another one, in some member of a line in JSON; sometimes the member comes twice.
func otherValue(rng *rand.Rand, line, value string) string {
	from := rng.IntN(len(line))
	colon := strings.Index(line[from:], `":`)
	if colon < 0 {
		return line
	}
	begin, depth, quoted := from+colon+2, 0, false
	end := begin
	for ; end < len(line) && (quoted || depth > 0 || !strings.ContainsRune(",}]", rune(line[end]))); end++ {
		switch c := line[end]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			depth--
		}
	}
	if name := strings.LastIndexByte(line[:begin-2], '"'); name > 0 && rng.IntN(3) == 0 {
		return line[:name] + line[name:begin] + "7," + line[name:begin] + value + line[end:]
	}
	return line[:begin] + value + line[end:]
}

// What a parser reads after lines with odd values, and after many equal lines, is what a new parser reads.
func TestStencilOfOddValues(t *testing.T) {
	t.Parallel()
	values := []string{`null`, `""`, `"-"`, `{}`, `[]`, `{"a":1}`, `1`, ` 2`, `[""]`, `["x"]`, `[ "x" ]`, `-1`, `2e2`, ``, `true`, `{"original":"a/1"}`, `"a\u0041"`}
	rng := rand.New(rand.NewPCG(7, 7))
	for _, format := range Formats() {
		if stencilOf(mustNew(t, format.Name)) == nil {
			continue
		}
		for range 40 {
			lines := []string{format.Example}
			for range 3 {
				line := format.Example
				for range rng.IntN(4) {
					line = otherValue(rng, line, values[rng.IntN(len(values))])
				}
				lines = append(lines, line)
			}
			p := mustNew(t, format.Name)
			for range 8 {
				line := lines[rng.IntN(len(lines))]
				for i := range 1 + 19*rng.IntN(2) {
					next := []byte(strings.Replace(line, "192.0.2.7", fmt.Sprint("192.0.2.", i), 1))
					var h, fresh Hit
					err, wanted := p.Parse(&h, next), mustNew(t, format.Name).Parse(&fresh, next)
					if fmt.Sprint(err) != fmt.Sprint(wanted) || err == nil && !same(&h, &fresh) {
						t.Fatalf("%s: %s:\n by the stencil %+v, %v\n without       %+v, %v", format.Name, next, found(&h), err, found(&fresh), wanted)
					}
				}
			}
		}
	}
}
