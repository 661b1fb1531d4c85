package weblog

import (
	"errors"
	"strings"
	"testing"
)

const (
	w3cFields = "#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status sc-bytes cs(User-Agent)"
	w3cLine   = "2006-01-02 22:04:05 192.0.2.7 GET /a b=1 200 12 ua+x"
)

// w3cHit is the hit of w3cLine.
var w3cHit = want{method: "GET", target: "/a?b=1", agent: "ua x", client: "192.0.2.7", status: 200, size: 12, time: at05}

// TestW3C reads files of directives and lines, and checks the last line.
func TestW3C(t *testing.T) {
	for _, c := range []struct {
		name, format string // w3c if empty
		lines        []string
		want         want
	}{
		{"plain", "", []string{w3cFields, w3cLine}, w3cHit},
		{"crlf", "", []string{w3cFields + "\r", w3cLine + "\r"}, w3cHit},
		{"byte order mark", "", []string{"\xEF\xBB\xBF#Software: x", w3cFields, w3cLine}, w3cHit},
		{"small letters", "", []string{strings.ReplaceAll(w3cFields, "cs(User-Agent)", "cs(user-agent)"), w3cLine}, w3cHit},
		{"columns change", "", []string{w3cFields, w3cLine, "#Date: 2006-01-02 22:04:05", "#Fields: time cs-uri-stem sc-status date", "22:04:05 /b 404 2006-01-02"},
			want{method: "GET", target: "/b", status: 404, time: at05}},
		{"columns are lost", "", []string{w3cFields, "#Fields: date time x", w3cLine}, want{malformed: "expected a name for the path in #Fields"}},
		{"too many columns", "", []string{"#Fields: cs-uri-stem sc-status" + strings.Repeat(" x", 300), w3cLine}, want{malformed: "no more than 256 names"}},
		{"too few values", "", []string{w3cFields, "2006-01-02 22:04:05 192.0.2.7 GET /a"}, want{malformed: "as many values as #Fields has names"}},
		{"too many values", "", []string{w3cFields, w3cLine + " 5"}, want{malformed: "no more values than #Fields has names at byte"}},
		{"blanks at the end", "", []string{w3cFields, w3cLine + "  "}, w3cHit},
		{"runs of blanks", "", []string{w3cFields, strings.ReplaceAll(w3cLine, " ", "   ")}, w3cHit},
		{"tabs", "", []string{w3cFields, strings.ReplaceAll(strings.ReplaceAll(w3cLine, " ", "\t"), "+", " ")}, w3cHit},
		{"quotes", "", []string{w3cFields, strings.Replace(strings.Replace(w3cLine, "/a", `"/a"`, 1), "ua+x", `"ua x"`, 1)}, w3cHit},
		{"quotes between tabs", "", []string{w3cFields, strings.ReplaceAll(w3cLine[:len(w3cLine)-4], " ", "\t") + "\"a\" b\""},
			want{method: "GET", target: "/a?b=1", agent: `a" b`, client: "192.0.2.7", status: 200, size: 12, time: at05}},
		{"quotes that do not close", "", []string{w3cFields, strings.Replace(strings.Replace(w3cLine, "/a", `"/a`, 1), "ua+x", `"ua+x`, 1)},
			want{target: `"/a?b=1`, method: "GET", agent: `"ua x`, client: "192.0.2.7", status: 200, size: 12, time: at05}},
		{"quotes doubled", "", []string{w3cFields, strings.Replace(w3cLine, "ua+x", `"a ""b"" c"`, 1)},
			want{target: "/a?b=1", method: "GET", agent: `a "b" c`, client: "192.0.2.7", status: 200, size: 12, time: at05}},
		{"plus in quotes", "", []string{w3cFields, strings.Replace(w3cLine, "/a", `"/a+b"`, 1)}, w3cTarget("/a+b?b=1")},
		{"plus in the stem", "", []string{w3cFields, strings.Replace(w3cLine, "/a", "/a+b", 1)}, w3cTarget("/a b?b=1")},
		{"plus in the query", "", []string{w3cFields, strings.Replace(w3cLine, "b=1", "b=1+2", 1)}, w3cTarget("/a?b=1+2")},
		{"percent is left", "", []string{w3cFields, strings.Replace(w3cLine, "/a", "/a%2520b", 1)}, w3cTarget("/a%2520b?b=1")},
		{"raw bytes", "", []string{w3cFields, strings.Replace(w3cLine, "/a", "/\xe4", 1)}, w3cTarget("/\xe4?b=1")},
		{"no query", "", []string{w3cFields, strings.Replace(w3cLine, "b=1", "-", 1)}, w3cTarget("/a")},
		{"bad status", "", []string{w3cFields, strings.Replace(w3cLine, " 200 ", " OK ", 1)}, want{malformed: "a status of three digits for sc-status at byte 41"}},
		{"bad date", "", []string{w3cFields, strings.Replace(w3cLine, "-01-", "-13-", 1)}, want{malformed: "a date and a time that exist"}},
		{"bad time", "", []string{w3cFields, strings.Replace(w3cLine, "22:04", "22-04", 1)}, want{malformed: "a time like 15:04:05 for time"}},
		{"time alone", "", []string{"#Date: 2006-01-02 00:00:00", "#Fields: time cs-uri-stem sc-status", "22:04:05 /a 200"}, want{method: "GET", target: "/a", status: 200, time: at05}},
		{"time alone without a date", "", []string{"#Fields: time cs-uri-stem sc-status", "22:04:05 /a 200"}, want{method: "GET", target: "/a", status: 200}},
		{"host in the uri", "", []string{"#Fields: cs-uri sc-status", "www.example.org/a 200"}, want{host: "www.example.org", method: "GET", target: "/a", status: 200}},
		{"encoding", "", []string{"#Fields: cs-uri sc-status sc(Content-Encoding)", "/a 200 gzip"}, want{method: "GET", target: "/a", status: 200, class: ClassGzip}},
		{"iis without its header", "", []string{w3c.Example}, want{method: "GET", target: "/a?b=1", agent: "Mozilla/5.0 (Windows NT 10.0)", client: "192.0.2.7", status: 200, time: at05}},
		{"given", w3cFields, []string{w3cLine}, w3cHit},
		{"given, and another comes", "#Fields: cs-uri-stem sc-status", []string{w3cFields, w3cLine}, w3cHit},
		{"cloudfront", "cloudfront", []string{cloudfront.Example}, cfHit("/a?b=1", 5120)},
		{"cloudfront in chunks", "cloudfront", []string{strings.Replace(cloudfront.Example, "\t5120\t", "\t-\t", 1)}, cfHit("/a?b=1", 5489)},
		{"cloudfront of the first years", "cloudfront", []string{strings.Join(strings.Split(cloudfront.Example, "\t")[:16], "\t")}, cfHit("/a?b=1", 5489)},
		{"cloudfront of years to come", "cloudfront", []string{cloudfront.Example + "\tx\ty"}, cfHit("/a?b=1", 5120)},
		{"cloudfront encodes", "cloudfront", []string{strings.Replace(cloudfront.Example, "/a", "/%7Ea%2520b%2Fc", 1)}, cfHit("/~a%20b%2Fc?b=1", 5120)},
		{"cloudfront encodes the query", "cloudfront", []string{strings.Replace(cloudfront.Example, "b=1", "b=%255B1%255D%26", 1)}, cfHit("/a?b=%5B1%5D%26", 5120)},
		{"cloudfront as w3c", "w3c", []string{"#Fields:" + cloudfrontFields, strings.Replace(cloudfront.Example, "/a", "/%7Ea", 1)}, cfHit("/~a?b=1", 5120)},
		{"others are no cloudfront", "cloudfront", []string{w3cFields, w3cLine}, want{malformed: "expected a name of CloudFront in #Fields (x-edge-location)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			format := c.format
			if format == "" {
				format = "w3c"
			}
			p := mustNew(t, format)
			last := len(c.lines) - 1
			var h Hit
			for _, line := range c.lines[:last] {
				if err := p.Parse(&h, []byte(line)); line[0] != '2' && !errors.Is(err, ErrDirective) {
					t.Fatalf("%q: %v", line, err)
				}
			}
			checkWith(t, p, c.lines[last], c.want)
			checkWith(t, p, c.lines[last], c.want)
		})
	}
}

func w3cTarget(target string) want { w := w3cHit; w.target = target; return w }

func cfHit(target string, size int64) want {
	return want{host: "www.example.org", method: "GET", target: target, agent: "Mozilla/5.0 (X11)", client: "192.0.2.7", status: 200, size: size, time: at05}
}

func TestW3CRefuses(t *testing.T) {
	for _, c := range []struct{ directive, want string }{
		{"#Fields: date time sc-status", "(cs-uri-stem)"},
		{"#Fields: date time cs-uri-stem", "(sc-status)"},
		{"#Fields:", "(cs-uri-stem)"},
	} {
		if _, err := New(c.directive); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.directive, err, c.want)
		}
	}
}

// TestW3CDetection: directives determine the kind of sizes. Directives alone suffice to
// detect the format. Without directives, the default columns count.
func TestW3CDetection(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
		fit   int
		size  SizeCount
	}{
		{"with a size", []string{w3cFields, w3cLine}, "w3c", 1, SizeTotal},
		{"without", []string{"#Fields: cs-uri-stem sc-status", "/a 200"}, "w3c", 1, SizeNone},
		{"header only", []string{"#Software: x", "#Version: 1.0", w3cFields}, "w3c", 0, SizeTotal},
		{"header of cloudfront only", []string{"#Version: 1.0", "#Fields:" + cloudfrontFields}, "cloudfront", 0, SizeLengthOrTotal},
		{"comments only", []string{"# nothing"}, "", 0, SizeNone},
		{"iis from its middle", []string{w3c.Example, w3c.Example}, "w3c", 2, SizeNone},
		{"cloudfront from its middle", []string{cloudfront.Example}, "cloudfront", 1, SizeLengthOrTotal},
		{"nothing that can be read", []string{"#Fields: date time", "2006-01-02 22:04:05"}, "", 0, SizeNone},
	} {
		var lines [][]byte
		for _, line := range c.lines {
			lines = append(lines, []byte(line))
		}
		best, ok := Detect(lines).Best()
		if ok != (c.want != "") || ok && (best.Format.Name != c.want || best.Lines != c.fit || best.Format.Size != c.size) {
			t.Errorf("%s: %s, %t, %d lines, size %s", c.name, best.Format.Name, ok, best.Lines, best.Format.Size)
		}
	}
}

// A directive that a parser reads changes no parser made from it.
func TestW3CFreshSharesNothing(t *testing.T) {
	p := mustNew(t, "#Fields: cs-uri-stem sc-status")
	fresh := p.Fresh()
	var h Hit
	if err := p.Parse(&h, []byte(w3cFields)); !errors.Is(err, ErrDirective) {
		t.Fatal(err)
	}
	checkWith(t, fresh, "/a 200", want{method: "GET", target: "/a", status: 200})
	checkWith(t, p, w3cLine, w3cHit)
}

// Each kind of file has its own encoding of agents.
func TestAgentsOfTwoFiles(t *testing.T) {
	iis := []string{w3cFields, "2006-01-02 22:04:05 192.0.2.7 GET /a - 200 12 bot/1+a%20b"}
	edge := []string{"#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query",
		"2006-01-02\t22:04:05\tFRA\t5\t192.0.2.7\tGET\twww.example.org\t/a\t200\t-\tbot/1+a%20b\t-"}
	p := mustNew(t, "w3c")
	for _, c := range []struct {
		lines []string
		agent string
	}{{iis, "bot/1 a%20b"}, {edge, "bot/1+a b"}, {iis, "bot/1 a%20b"}} {
		var h Hit
		for _, line := range c.lines {
			_ = p.Parse(&h, []byte(line)) // a directive is no record
		}
		if string(h.Agent) != c.agent {
			t.Errorf("%q, want %q", h.Agent, c.agent)
		}
	}
}
