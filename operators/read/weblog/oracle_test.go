package weblog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"
	"time"
)

// The oracles: plain, slow programs that share no code with the package.

// plainUnescape undoes the escaping of nginx and Apache with a regular
// expression.
func plainUnescape(s string) string {
	return lineEscapes.ReplaceAllStringFunc(s, func(e string) string {
		if e[1] == 'x' {
			var c byte
			_, _ = fmt.Sscanf(e[2:], "%02x", &c)
			return string([]byte{c})
		}
		return map[string]string{`\"`: `"`, `\\`: `\`, `\n`: "\n", `\t`: "\t", `\r`: "\r", `\b`: "\b", `\v`: "\v"}[e]
	})
}

var lineEscapes = regexp.MustCompile(`\\(x[0-9A-Fa-f]{2}|["\\ntrbv])`)

// plainCombined reads a combined line of a server that escapes its quotes.
var plainCombined = regexp.MustCompile(`^(?s)([^ ]*) [^ ]* (?:.*?) \[([^]]+)\] "((?:[^"\\]|\\.)*)" ([0-9]{3}) ([0-9]+|-) "(?:[^"\\]|\\.)*" "((?:[^"\\]|\\.)*)"$`)

// plainRequest splits a request.
var plainRequest = regexp.MustCompile(`^(?s)(?:([A-Z]+) )?(.*?)(?: HTTP/[0-9](?:\.[0-9])?)?$`)

func alphabet(r *rand.Rand, pieces []string, n int) string {
	var b bytes.Buffer
	for range r.IntN(n) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestUnescapeOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := mustNew(t, "combined")
	for range 200000 {
		s := alphabet(r, []string{`\`, `\`, `x`, `4`, `1`, `e`, `F`, `n`, `v`, `"`, `q`, "\x80", ` `}, 12)
		p.buf = p.buf[:0]
		if got, want := string(p.unescape([]byte(s), backslashed)), plainUnescape(s); got != want {
			t.Fatalf("unescape %q = %q, want %q", s, got, want)
		}
	}
}

func TestUnescapeJSONOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	p := mustNew(t, "nginx_json")
	checked := 0
	for range 400000 {
		s := alphabet(r, []string{`\`, `\u0041`, `\ud83d`, `\ude00`, `\u00e9`, `\n`, `\/`, `\"`, `é`, `x`, `0`, ` `}, 8)
		var want string
		if json.Unmarshal([]byte(`"`+s+`"`), &want) != nil || bytes.ContainsRune([]byte(want), '\uFFFD') {
			continue // not JSON, or half a pair, which is kept
		}
		p.buf = p.buf[:0]
		if got := string(p.unescapeJSON([]byte(s))); got != want {
			t.Fatalf("unescape %q = %q, want %q", s, got, want)
		}
		checked++
	}
	if checked < 10000 {
		t.Fatalf("only %d strings were JSON", checked)
	}
}

func TestRequestOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60000 {
		s := alphabet(r, []string{"GET", "POST", " ", " ", "/", "a", " HTTP/1.1", " HTTP/2", " HTTP/1.", "HTTP/1.0", "\n", "-"}, 8)
		m := plainRequest.FindStringSubmatch(s)
		method, target := splitRequest([]byte(s))
		if s != "" && s[0] == '/' {
			m[1] = "GET"
		}
		if s == m[1]+" "+"HTTP/1.1" || s == m[1]+" HTTP/1.0" || s == m[1]+" HTTP/2" {
			continue // ambiguous: the space belongs to the method or the protocol; neither is admitted
		}
		if string(method) != m[1] || string(target) != m[2] {
			t.Fatalf("split %q = %q, %q; want %q, %q", s, method, target, m[1], m[2])
		}
	}
}

func TestClosingQuoteOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	p, q := mustNew(t, "combined"), slow(mustNew(t, "combined"))
	pieces := []string{`\"`, `\\`, `\x22`, `GET `, `/a`, ` 200 1`, ` `, `- `, `[`, `é`, ` HTTP/1.1`}
	for range 30000 {
		line := fmt.Sprintf(`192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "%s" 200 %d "%s" "%s"`,
			alphabet(r, pieces, 6), r.IntN(1000), alphabet(r, pieces, 4), alphabet(r, pieces, 4))
		m := plainCombined.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("oracle does not read %q", line)
		}
		var h, k Hit
		if err := p.Parse(&h, []byte(line)); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		_, target := splitRequest([]byte(plainUnescape(m[3])))
		agent := plainUnescape(m[6])
		if n := len(agent); n > 1 && agent[0] == '"' && agent[n-1] == '"' {
			agent = agent[1 : n-1]
		}
		if string(h.Target) != string(target) || string(h.Agent) != agent || h.Status != 200 {
			t.Fatalf("%q:\n target %q, want %q\n agent %q, want %q", line, h.Target, target, h.Agent, agent)
		}
		if err := q.Parse(&k, []byte(line)); err != nil || !same(&h, &k) {
			t.Fatalf("%q: slow path differs: %v, %+v", line, err, k)
		}
	}
}

func TestTimeOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var c clock
	layouts := []string{"02/Jan/2006:15:04:05 -0700", "2006-01-02T15:04:05-07:00", "2006-01-02T15:04:05.000Z07:00",
		"2006-01-02 15:04:05 -0700", "2006/01/02 15:04:05Z0700", "[02/Jan/2006:15:04:05 -0700]"}
	for range 200000 {
		zone := time.FixedZone("", (r.IntN(57)-28)*1800)
		at := time.Unix(r.Int64N(1<<33)-1<<31, 0).In(zone)
		s := at.Format(layouts[r.IntN(len(layouts))])
		if got, ok := c.read([]byte(s)); !ok || got != at.Unix() {
			t.Fatalf("read %q = %d, %t; want %d", s, got, ok, at.Unix())
		}
	}
}

func TestTimeRefuses(t *testing.T) {
	var c clock
	for _, s := range []string{"x", "2006-01-02", "31/Feb/2006:15:04:05 -0700", "02/Jam/2006:15:04:05 -0700", "02/Jan/2006:24:04:05 -0700",
		"02/Jan/2006:15:60:05 -0700", "02/Jan/2006:15:04:61 -0700", "02/Jan/2006:15:04:05 0700", "02/Jan/2006:15:04:05 -07000",
		"02/Jan/2006 15-04-05 -0700", "02/Jan/2006:15:04:05 +2500", "02/Jan/2006:15:04:05 +0060", "2006-13-02T15:04:05Z", "2006-01/02T15:04:05Z", "1.2.3", "12345678901234567890", "-5", "1e9"} {
		if got, ok := c.read([]byte(s)); ok {
			t.Errorf("read %q = %d", s, got)
		}
	}
}

// TestTimeEpoch: the magnitude of an epoch determines its unit.
func TestTimeEpoch(t *testing.T) {
	var c clock
	for _, test := range []struct {
		name string
		want int64
	}{
		{"0", 0}, {"1136239445", 1136239445}, {"1136239445.999", 1136239445}, {"99999999999", 99999999999},
		{"946684800123", 946684800}, {"1136239445123", 1136239445}, {"1136239445123456", 1136239445}, {"1136239445123456789", 1136239445},
	} {
		if got, ok := c.read([]byte(test.name)); !ok || got != test.want {
			t.Errorf("read %q = %d, %t; want %d", test.name, got, ok, test.want)
		}
	}
}

// TestTwoDigitYears: POSIX puts 69 to 99 into the 1900s.
func TestTwoDigitYears(t *testing.T) {
	for _, c := range []struct{ year, want int }{{0, 2000}, {68, 2068}, {69, 1969}, {99, 1999}} {
		var d dateParts
		if !d.store('y', fmt.Appendf(nil, "%02d", c.year)) || d.year != c.want {
			t.Errorf("year %02d is %d, want %d", c.year, d.year, c.want)
		}
	}
}
