package weblog

import (
	"strings"
	"testing"

	"dustbuster/operators/read/digest"
)

const (
	cdxLine  = "org,example)/a 20060102150405 http://example.org/a text/html 200 AAAA - - 9 8 f.warc.gz"
	cdxjLine = `org,example)/a 20060102150405 {"url":"http://example.org/a","status":"200","digest":"AAAA"}`
)

// wantCDX is the hit of the lines above.
var wantCDX = want{method: "GET", target: "http://example.org/a", status: 200, time: 1136214245}

func TestCDX(t *testing.T) {
	change := func(from, to string) string { return strings.Replace(cdxLine, from, to, 1) }
	revisit := wantCDX
	revisit.status = 0
	posted, postedURL := wantCDX, wantCDX
	posted.method, postedURL.method, postedURL.target = "post", "post", "http://example.org/a?__wb_method=post&b=1"
	dns := wantCDX
	dns.target = "dns:example.org"
	for _, c := range []struct {
		line string
		want want
	}{
		{cdxLine, wantCDX},
		{change(" - - 9", " - 9"), wantCDX},           // ten columns
		{change(" - - 9 8", " - 8"), wantCDX},         // nine
		{change(" - - 9 8 f.warc.gz", " 9"), wantCDX}, // seven, from the server of the Wayback Machine
		{change(" - - 9 8 f.warc.gz", ""), want{malformed: "seven columns"}},
		{change("text/html 200", "-"), want{malformed: "a status of three digits, or -"}},
		{change("text/html 200", "warc/revisit -"), revisit},
		{change("http://example.org/a", "dns:example.org"), dns},
		{change("20060102150405", "20061302150405"), want{malformed: "a date of 14 digits"}},
		{change("20060102150405", "200601021504"), want{malformed: "a date of 14 digits"}},
		{change(" 200 ", " 20 "), want{malformed: "a status of three digits"}},
		{change(" 200 ", " 2000 "), want{malformed: "a status of three digits"}},
		{change("http://example.org/a", ""), want{malformed: "a URL"}},
		{change("a 2006", "a?__wb_method=post&b=1 2006"), posted},
		{change("org/a", "org/a?__wb_method=post&b=1"), postedURL},
		{cdxLine + " x", want{malformed: "at most eleven"}},
		{cdxLine[:len("org,example)/a 20060102150405")], want{malformed: "seven columns"}},
	} {
		t.Run(c.line, func(t *testing.T) { check(t, "cdx", c.line, c.want) })
	}
}

func TestCDXJ(t *testing.T) {
	change := func(from, to string) string { return strings.Replace(cdxjLine, from, to, 1) }
	revisit := wantCDX
	revisit.status = 0
	for _, c := range []struct {
		line string
		want want
	}{
		{cdxjLine, wantCDX},
		{`org,example)/a 2006-01-02T15:04:05Z response {"uri":"http://example.org/a","hsc":200,"sha":"AAAA"}`, wantCDX},
		{`{"urlkey": "org,example)/a", "timestamp": "20060102150405", "url": "http://example.org/a", "status": "200", "digest": "AAAA", "length": "9"}`, wantCDX},
		{`{"urlkey": "org,example)/a", "timestamp": "2006x", "url": "http://example.org/a", "status": "200"}`, want{malformed: "a time"}},
		{`{"urlkey": "org,example)/a", "url": "http://example.org/a", "status": "200"}`, want{malformed: "a date of 14 digits"}},
		{change(`"200"`, `"-"`), revisit},
		{change(`"200"`, `"20x"`), want{malformed: "a status of at most three digits"}},
		{change(`"status":"200",`, ``), want{malformed: "a field with the status"}},
		{change(`"url"`, `"u"`), want{malformed: "a field with the request"}},
		{change("20060102150405", "2006"), want{malformed: "a date of 14 digits at byte 15"}},
		{change("}", ""), want{malformed: ", or }"}},
		{`{"url":"http://example.org/a","status":"200"}`, want{malformed: "a key and a space"}},
		{"org,example)/a 20060102150405 a b c d {}", want{malformed: "a JSON object"}},
		{"org,example)/a 20060102150405", want{malformed: "a date"}},
	} {
		t.Run(c.line, func(t *testing.T) { check(t, "cdxj", c.line, c.want) })
	}
}

// The same content has one digest in both formats, with any prefix. Empty content has no
// digest.
func TestPayloadDigest(t *testing.T) {
	var h, j Hit
	if mustNew(t, "cdx").Parse(&h, []byte(cdxLine)) != nil || mustNew(t, "cdxj").Parse(&j, []byte(cdxjLine)) != nil ||
		h.Digest == 0 || h.Digest != j.Digest || h.Digest != digest.OfPayload([]byte("sha1:AAAA")) || h.Digest == digest.OfPayload([]byte("AAAB")) {
		t.Errorf("digests %x, %x", h.Digest, j.Digest)
	}
	for _, none := range []string{"", "-", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"} {
		if d := digest.OfPayload([]byte(none)); d != 0 {
			t.Errorf("%q has the digest %x", none, d)
		}
	}
}

// TestCDXJMethod: the answer to a POST is no page.
func TestCDXJMethod(t *testing.T) {
	for _, c := range []struct{ name, key, member, method string }{
		{"none", "org,example)/a", "", "GET"},
		{"a member", "org,example)/a", `,"method":"POST"`, "POST"},
		{"a member and a key", "org,example)/a?__wb_method=post&b=1", `,"method":"POST"`, "POST"},
		{"a key alone", "org,example)/a?__wb_method=POST", "", "POST"},
		{"a key with more", "org,example)/a?b=1&__wb_method=put&c=1", "", "put"},
		{"a URL", "org,example)/a", `,"url":"http://example.org/a?__wb_method=POST"`, "POST"},
		{"get in lower case", "org,example)/a", `,"method":"get"`, "GET"},
		{"a dash", "org,example)/a", `,"method":"-"`, "GET"},
	} {
		t.Run(c.name, func(t *testing.T) {
			object := `"url":"http://example.org/a","status":"200"` + c.member + "}"
			for _, line := range []string{
				c.key + " 20060102150405 {" + object,
				`{"urlkey":"` + c.key + `","timestamp":"20060102150405",` + object,
			} {
				var h Hit
				if err := mustNew(t, "cdxj").Parse(&h, []byte(line)); err != nil || string(h.Method) != c.method {
					t.Errorf("%s: method %q, error %v, want %q", line, h.Method, err, c.method)
				}
			}
		})
	}
}
