package weblog

import (
	"strings"
	"testing"
)

// escapedExamples are lines that need the parser's buffer.
var escapedExamples = map[string]string{
	"combined":       req(`GET /\"\x41 HTTP/1.1`),
	"nginx_json":     `{"uri":"/\u0041","args":"b=\n","status":200,"x":[{"y":"\""}]}`,
	"vhost_combined": `example.org:80 ` + req(`\x16\x03`),
	"haproxy":        haproxyExample + `"GET /#22 HTTP/1.1"`,
	"caddy":          caddyLine(`"Content-Encoding":["\u0067zip"]`),
	"w3c":            "2006-01-02 22:04:05 192.0.2.80 GET /a+b b=1 443 - 192.0.2.7 a+b - 200 0 0 15",
	"cloudfront":     "2006-01-02\t22:04:05\tFRA2\t5489\t192.0.2.7\tGET\tx\t/%7Ea\t200\t-\ta%20b\tb=%5B",
}

func TestParseDoesNotAllocate(t *testing.T) {
	for _, f := range Formats() {
		p := mustNew(t, f.Name)
		lines := []string{f.Example, "garbage", f.Example[:len(f.Example)/2], escapedExamples[f.Name]}
		for _, line := range lines {
			b := []byte(line)
			var h Hit
			for range 2 * mostAlike { // until the lines' stencil is made
				_ = p.Parse(&h, b)
			}
			if n := testing.AllocsPerRun(100, func() { _ = p.Parse(&h, b) }); n != 0 {
				t.Errorf("%s allocates %v times for %q", f.Name, n, line)
			}
		}
	}
}

func TestBufferStaysWithinTwiceTheLine(t *testing.T) {
	p := mustNew(t, "nginx_json")
	line := []byte(`{"uri":"/` + strings.Repeat(`\n`, 5000) + `","args":"` + strings.Repeat(`\t`, 5000) + `","status":200}`)
	var h Hit
	for range 1000 {
		if err := p.Parse(&h, line); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.buf) > 2*len(line) || cap(p.buf) > 4*len(line) {
		t.Fatalf("buffer of %d, capacity %d, for a line of %d", len(p.buf), cap(p.buf), len(line))
	}
}
