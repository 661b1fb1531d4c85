package weblog

import (
	endian "encoding/binary"
	"math/rand/v2"
	"strconv"
	"testing"
)

var usualExamples = []string{
	`192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120`,
	`2001:db8::7 - - [02/Jan/2006:15:04:59 +0000] "HEAD /a HTTP/2" 304 -`,
	`host.example - - [02/Jan/2006:15:05:00 -0700] "/old" 404 0`,
	`192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a b HTTP/1.1" 200 5120 "-" "Mozilla/5.0 (X11)"`,
	`192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a HTTP/1.1" 200 123456789012345678 "-" "-"`,
	`192.0.2.7 - - [03/Jan/2006:15:04:05 -0700] "" 400 1 "https://a.example/?q=\"" "-" "192.0.2.1"`,
}

// Lines with a few bytes changed read alike in one pass and by the ops. One parser reads all
// lines, so its clock remembers lines that differ by little.
func TestUsualLines(t *testing.T) {
	rounds := 100_000
	if *long {
		rounds *= 20
	}
	const changes = ` "\-,:[]/0123456789.GETHP` + "\t\x00\xef\r"
	rng := rand.New(rand.NewPCG(1, 1))
	for _, format := range []string{"common", "combined"} {
		p, q := mustNew(t, format), slow(mustNew(t, format))
		for range rounds {
			line := []byte(usualExamples[rng.IntN(len(usualExamples))])
			for range rng.IntN(4) {
				line[rng.IntN(len(line))] = changes[rng.IntN(len(changes))]
			}
			line = line[:len(line)-rng.IntN(2)*rng.IntN(len(line))]
			var h, slowly Hit
			err, err2 := p.Parse(&h, line), q.Parse(&slowly, line)
			if (err == nil) != (err2 == nil) || err == nil && (!same(&h, &slowly) || p.further != q.further || p.missing != q.missing) {
				t.Fatalf("%s: %q:\n one pass %+v, %v\n      ops %+v, %v", format, line, h, err, slowly, err2)
			}
		}
	}
}

// The formats that are usual, and lines that one pass reads.
func TestUsually(t *testing.T) {
	for format, want := range map[string]usualLine{
		"common": usualCommon, "combined": usualCombined, "combinedio": usualNone, "vhost_combined": usualNone,
		`$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`: usualCombined,
	} {
		if got := mustNew(t, format).usual; got != want {
			t.Errorf("%s: %d, want %d", format, got, want)
		}
	}
	for i, line := range usualExamples {
		p := mustNew(t, "common")
		p.trim([]byte(line))
		if !usualCommon.scan(p, new(Hit)) {
			t.Errorf("line %d is not read in one pass", i)
		}
	}
}

// Up to eight digits are read at once.
func TestEightDigits(t *testing.T) {
	for n, text := int64(0), "7654321"; n <= 99_999_999; n += 1 + n/3 {
		digits := strconv.AppendInt(nil, n, 10)
		x := endian.LittleEndian.Uint64(append(digits, text...)) << (64 - 8*len(digits))
		if got := eightDigits(x); got != n {
			t.Fatalf("%s: %d", digits, got)
		}
	}
}

// Of eight bytes the first outside a range is found, whatever stands there and behind.
func TestFirstOutside(t *testing.T) {
	for at := range 8 {
		for c := range 256 {
			b := []byte("./012389")
			want := 8
			if b[at] = byte(c); c < '.' || c > '9' {
				want = at
			}
			for range 2 {
				if got := firstOutside(b, '.', '9'); got != want {
					t.Fatalf("%q: %d, want %d", b, got, want)
				}
				if want < 8 {
					copy(b[at+1:], "\xff\x00: ,-\x80")
				}
			}
		}
	}
}
