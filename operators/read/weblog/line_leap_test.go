package weblog

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

var leapExamples = []string{
	`192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120`,
	`2001:db8::7 - - [02/Jan/2006:15:04:59 +0000] "HEAD /a HTTP/2" 304 -`,
	`host.example - - [02/Jan/2006:15:05:00 -0700] "/old" 404 0`,
	`192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a b HTTP/1.1" 200 5120 "-" "Mozilla/5.0 (X11)"`,
	`192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a HTTP/1.1" 200 123456789012345678 "-" "-"`,
	`192.0.2.7 - - [03/Jan/2006:15:04:05 -0700] "" 400 1 "https://a.example/?q=\"" "-" "192.0.2.1"`,
	`192.0.2.7 - a b [03/Jan/2006:15:04:05 -0700] "GET /\x41\" HTTP/1.1" 200 1 "-" "\x22a\x22"`,
	`192.0.2.7, 10.0.0.8 : 10.0.0.9 - - [03/Jan/2006:15:04:05 -0700] "GET / HTTP/1.1" 200 1 "-" "a"`,
	`[02/Jan/2006:22:04:05 +0000] : 200 200 - GET https www.example.org "/a?b=1" [Client 192.0.2.7] [Length 5120] [Gzip -] [Sent-to 192.0.2.80] "Mozilla/5.0" "-"`,
	`192.0.2.7:51234 [02/Jan/2006#15:04:05.123] www~ web/web1 0/0/1/2/3 200 +5120 - - ---- 1/1/0/0/0 0/0 "GET /a?b=1#22 HTTP/1.1"`,
}

// Lines with a few bytes changed read alike by steps and by the ops, and columns by cuts and one by one. One parser reads all lines, so its clock remembers
// lines that differ by little.
func TestLeap(t *testing.T) {
	rounds := 4000
	if *long {
		rounds *= 50
	}
	const changes = ` "\-,:[]/0123456789.GETHP#` + "\t\x00\xef\r"
	rng := rand.New(rand.NewPCG(1, 1))
	for _, format := range Formats() {
		p, q := mustNew(t, format.Name), slow(mustNew(t, format.Name))
		_, steps := p.scanner.(*lineScanner)
		_, columns := p.scanner.(*w3cScanner)
		if !steps && !columns {
			continue
		}
		examples := append([]string{format.Example, format.Example, format.Example}, leapExamples...)
		for range rounds {
			line := []byte(examples[rng.IntN(len(examples))])
			for range rng.IntN(4) {
				line[rng.IntN(len(line))] = changes[rng.IntN(len(changes))]
			}
			line = line[:len(line)-rng.IntN(2)*rng.IntN(len(line))]
			var h, slowly Hit
			err, err2 := p.Parse(&h, line), q.Parse(&slowly, line)
			if (err == nil) != (err2 == nil) || err == nil && (!same(&h, &slowly) || p.further != q.further || p.missing != q.missing) || columns && fmt.Sprint(err) != fmt.Sprint(err2) {
				t.Fatalf("%s: %q:\n steps %+v, %v\n   ops %+v, %v", format.Name, line, h, err, slowly, err2)
			}
		}
	}
}

// The example of each format is read by steps, and so are lines with escapes.
func TestLeaps(t *testing.T) {
	leaps := func(format, line string) bool {
		p := mustNew(t, format)
		p.trim([]byte(line))
		l, ok := p.scanner.(*lineScanner)
		if !ok {
			return true
		}
		_, ok = l.leap(p, new(Hit))
		return ok
	}
	for _, format := range Formats() {
		if !leaps(format.Name, format.Example) {
			t.Errorf("%s is not read by steps", format.Name)
		}
	}
	const nginx = `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`
	for _, line := range []string{leapExamples[3], leapExamples[4], `192.0.2.7 - x [02/Jan/2006:15:04:05 -0700] "GET /\x41 HTTP/1.1" 200 - "a" "\x22"`} {
		for _, format := range []string{"combined", nginx} {
			if !leaps(format, line) {
				t.Errorf("%s as %s is not read by steps", line, format)
			}
		}
	}
	if steps := mustNew(t, nginx).scanner.(*lineScanner).steps; steps[0].kind != stepCommon {
		t.Errorf("nginx's combined begins with step %d", steps[0].kind)
	}
}
