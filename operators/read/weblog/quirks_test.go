package weblog

import (
	"strings"
	"testing"
)

// quirk is a line with a peculiarity of a server or a client.
type quirk struct {
	name   string
	format string // combined if empty
	line   string
	want   want
}

// want is a Hit as strings, with the fields of interest.
type want struct {
	host, method, target, agent, client string
	status                              int
	size                                int64
	class                               uint8
	time                                int64
	malformed                           string // part of the error
}

const (
	head = `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] `
	tail = ` 200 12 "-" "ua"`
	at05 = 1136239445 // the time in head
)

// req returns a combined line with the request as logged.
func req(request string) string { return head + `"` + request + `"` + tail }

// got returns the hit of such a line.
func got(method, target string) want {
	return want{method: method, target: target, agent: "ua", client: "192.0.2.7", status: 200, size: 12, time: at05}
}

func code(line string, w want) want {
	w.status = int(line[0]-'0')*100 + int(line[1]-'0')*10 + int(line[2]-'0')
	return w
}

// agent returns the hit of a line of combined with an agent.
func agent(text string) want {
	w := got("GET", "/")
	w.agent = text
	return w
}

var quirks = []quirk{
	{name: "request -", line: req("-"), want: got("", "-")},
	{name: "request empty", line: req(""), want: got("", "")},
	{name: "tls handshake nginx", line: req(`\x16\x03\x01\x00u\x01\xFC`), want: got("", "\x16\x03\x01\x00u\x01\xfc")},
	{name: "tls handshake apache", line: req(`\x16\x03\x01\x01\"\x01`), want: got("", "\x16\x03\x01\x01\"\x01")},
	{name: "http2 preface", line: req("PRI * HTTP/2.0"), want: got("PRI", "*")},
	{name: "connect", line: req("CONNECT example.org:443 HTTP/1.1"), want: got("CONNECT", "example.org:443")},
	{name: "options star", line: req("OPTIONS * HTTP/1.1"), want: got("OPTIONS", "*")},
	{name: "absolute form", line: req("GET http://other.example/p?q HTTP/1.1"), want: got("GET", "http://other.example/p?q")},
	{name: "no protocol", line: req("GET /old"), want: got("GET", "/old")},
	{name: "no method", line: req("/old HTTP/1.0"), want: got("GET", "/old")},
	{name: "lower-case method", line: req("get /a HTTP/1.1"), want: got("", "get /a")},
	{name: "method with other bytes", line: req("M-SEARCH * HTTP/1.1"), want: got("", "M-SEARCH *")},
	{name: "method alone", line: req("HELP"), want: got("", "HELP")},
	{name: "method and protocol alone", line: req("GET HTTP/1.1"), want: got("GET", "")},
	{name: "spaces in uri", line: req("GET /a b  c HTTP/1.1"), want: got("GET", "/a b  c")},
	{name: "space before uri", line: req("GET  /a HTTP/1.1"), want: got("GET", " /a")},
	{name: "protocol inside uri", line: req("GET /a HTTP/1.1 HTTP/1.0"), want: got("GET", "/a HTTP/1.1")},
	{name: "protocol with line feed", line: req(`GET / HTTP/1.1\n`), want: got("GET", "/ HTTP/1.1\n")},
	{name: "http2 without minor", line: req("GET /x HTTP/2"), want: got("GET", "/x")},
	{name: "http2 with minor", line: req("GET /x HTTP/2.0"), want: got("GET", "/x")},
	{name: "other protocol", line: req("OPTIONS / RTSP/1.0"), want: got("OPTIONS", "/ RTSP/1.0")},
	{name: "quote nginx", line: req(`GET /\x22a\x22 HTTP/1.1`), want: got("GET", `/"a"`)},
	{name: "backslash nginx", line: req(`GET /c:\x5Cx HTTP/1.1`), want: got("GET", `/c:\x`)},
	{name: "high bytes nginx", line: req(`GET /\xE2\x82\xAC HTTP/1.1`), want: got("GET", "/€")},
	{name: "quote apache", line: req(`GET /\"a\" HTTP/1.1`), want: got("GET", `/"a"`)},
	{name: "quote apache before status", line: req(`GET /\" 200 1`), want: got("GET", `/" 200 1`)},
	{name: "backslash apache", line: req(`GET /\\a\\ HTTP/1.1`), want: got("GET", `/\a\`)},
	{name: "backslash apache at end", line: req(`GET /\\`), want: got("GET", `/\`)},
	{name: "controls apache", line: req(`GET /\n\t\r\b\v HTTP/1.1`), want: got("GET", "/\n\t\r\b\v")},
	{name: "high bytes apache", line: req(`GET /\xe2\x82\xac HTTP/1.1`), want: got("GET", "/€")},
	{name: "backslash before anything else", line: req(`GET /\q\x4\u0041\/\'\f\a HTTP/1.1`), want: got("GET", `/\q\x4\u0041\/\'\f\a`)},
	{name: "raw quotes", line: req(`GET /a?t="x y" HTTP/1.0`), want: got("GET", `/a?t="x y"`)},
	{name: "raw quote before a number", line: req(`GET /a" 12 HTTP/1.0`), want: got("GET", `/a" 12`)},
	{name: "raw quote before four digits", line: req(`GET /a" 1995 b HTTP/1.0`), want: got("GET", `/a" 1995 b`)},
	{name: "raw quote at end", line: req(`GET /a"`), want: got("GET", `/a"`)},
	{name: "raw backslash at end", line: req(`GET /a\`), want: got("GET", `/a\`)},
	{name: "raw high bytes", line: req("GET /\xe2\x28 HTTP/1.1"), want: got("GET", "/\xe2\x28")},
	{name: "fragment", line: req("GET /a#b HTTP/1.1"), want: got("GET", "/a#b")},
	{name: "percent zero", line: req("GET /a%00b HTTP/1.1"), want: got("GET", "/a%00b")},
	{name: "overlong utf-8", line: req("GET /%c0%af HTTP/1.1"), want: got("GET", "/%c0%af")},
	{name: "percent u", line: req("GET /%u00E9 HTTP/1.1"), want: got("GET", "/%u00E9")},
	{name: "mixed-case percent escapes", line: req("GET /%aB%Ab HTTP/1.1"), want: got("GET", "/%aB%Ab")},
	{name: "size -", line: head + `"GET / HTTP/1.1" 304 - "-" "ua"`,
		want: want{method: "GET", target: "/", agent: "ua", client: "192.0.2.7", status: 304, time: at05}},
	{name: "status 000", line: strings.Replace(req("GET / HTTP/1.1"), " 200 ", " 000 ", 1), want: code("000", got("GET", "/"))},
	{name: "status 009", line: strings.Replace(req("GET / HTTP/1.1"), " 200 ", " 009 ", 1), want: code("009", got("GET", "/"))},
	{name: "status 499", line: strings.Replace(req("GET / HTTP/1.1"), " 200 ", " 499 ", 1), want: code("499", got("GET", "/"))},
	{name: "status 444", line: strings.Replace(req(""), " 200 ", " 444 ", 1), want: code("444", got("", ""))},
	{name: "status -", line: strings.Replace(req("-"), " 200 ", " - ", 1), want: code("000", got("", "-"))},
	{name: "carriage return", line: req("GET / HTTP/1.1") + "\r", want: got("GET", "/")},
	{name: "nul block before", line: "\x00\x00\x00" + req("GET / HTTP/1.1"), want: got("GET", "/")},
	{name: "byte order mark", line: "\xEF\xBB\xBF" + req("GET / HTTP/1.1"), want: got("GET", "/")},
	{name: "fields after the last", line: req("GET / HTTP/1.1") + ` "198.51.100.9, 192.0.2.1" 0.004`, want: got("GET", "/")},
	{name: "tab after the last", line: req("GET / HTTP/1.1") + "\t0.004", want: got("GET", "/")},
	{name: "user agent apache quotes", line: strings.Replace(req("GET / HTTP/1.1"), `"ua"`, `"\"ua\""`, 1),
		want: want{method: "GET", target: "/", agent: "ua", client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "user agent truncated", line: head + `"GET / HTTP/1.1" 200 12 "-" "Mozilla/5.0 (compat`,
		want: want{malformed: "expected a value of %{User-Agent}i"}},
	{name: "user agent with another line's head", line: head + `"GET / HTTP/1.1" 200 12 "-" "Serf/1.192.0.2.9 - - [02/Jan/2006:15:04:05 -0700] "`,
		want: want{method: "GET", target: "/", agent: "Serf/1.192.0.2.9 - - [02/Jan/2006:15:04:05 -0700] ", client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "own validator", line: strings.Replace(req("GET / HTTP/1.1"), `"ua"`, `"dustbuster/1.0"`, 1),
		want: want{method: "GET", target: "/", agent: "dustbuster/1.0", client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "raw quotes in the referer", line: head + `"GET / HTTP/1.1" 200 12 "ref" "erer" "ua/1.0 (x)"`, want: agent("ua/1.0 (x)")},
	{name: "raw quotes in the referer, like an agent", line: head + `"GET / HTTP/1.1" 200 12 "ref" "Mozilla/5.0 (x)" "ua/1.0"`, want: agent("ua/1.0")},
	{name: "raw quotes in the referer, and a field more", line: head + `"GET / HTTP/1.1" 200 12 "ref" "erer" "ua/1.0" "198.51.100.9"`, want: agent("ua/1.0")},
	{name: "raw quotes in the referer, twice", line: head + `"GET / HTTP/1.1" 200 12 "r" "e" "f" "ua/v1"`, want: agent("ua/v1")},
	{name: "one raw quote in the referer", line: head + `"GET / HTTP/1.1" 200 12 "/?q="x y" "ua"`, want: agent("ua")},
	{name: "raw quotes in the agent", line: head + `"GET / HTTP/1.1" 200 12 "-" "ua "x" y"`, want: agent(`ua "x" y`)},
	{name: "raw quotes around the agent", line: head + `"GET / HTTP/1.1" 200 12 "-" ""ua""`, want: agent("ua")},
	{name: "escaped quotes in the referer", line: head + `"GET / HTTP/1.1" 200 12 "a\" \"b" "ua" "x/1.0"`, want: agent("ua")},
	{name: "quoted fields after the agent", line: head + `"GET / HTTP/1.1" 200 12 "-" "ua" "www.example.org" "TLSv1.3/AES" "HTTP/2.0" "a/b" "/1" "v" 0.1`, want: agent("ua")},
	{name: "user agent -", line: strings.Replace(req("GET / HTTP/1.1"), `"ua"`, `"-"`, 1),
		want: want{method: "GET", target: "/", client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "torn in the request", line: head + `"GET /abc`, want: want{malformed: `expected a value of %r, and "\" " after it at byte 44, found "GET /abc"`}},
	{name: "end after the size", line: head + `"GET / HTTP/1.1" 200 12`,
		want: want{method: "GET", target: "/", client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "torn after the size", line: head + `"GET / HTTP/1.1" 200 12 `, want: want{malformed: "expected a number or - for %b"}},
	{name: "torn after the status", line: head + `"GET / HTTP/1.1" 200 `, want: want{malformed: "expected a number or - for %b"}},
	{name: "torn in the referer", line: head + `"GET / HTTP/1.1" 200 12 "htt`, want: want{malformed: "%{Referer}i"}},
	{name: "torn at the start", line: `7.0.0.0 Safari/537.36"`, want: want{malformed: "at byte"}},
	{name: "interleaved", line: head + `"GET /a HTTP/1.1" 200 192.0.2.9 - - [02/Jan/2006:15:04:05 -0700] "GET /b HTTP/1.1" 200 1 "-" "-"`,
		want: want{malformed: `at byte 65, found "192.0.2.9`}},
	{name: "two together in the request", line: head + `"GET /a192.0.2.9 - - [02/Jan/2006:15:04:05 -0700] "GET /b HTTP/1.1" 200 1 "-" "-"`, want: want{malformed: "another begins within the request"}},
	{name: "two together in the protocol", line: head + `"GET /a HTT192.0.2.9 - frank [02/Jan/2006:15:04:05 -0700] "GET /b HTTP/1.1" 200 1 "-" "-"`, want: want{malformed: "another begins within the request"}},
	{name: "brackets and quotes in the request", line: req(`GET /a[1] "x" [2/3] "y`), want: got("GET", `/a[1] "x" [2/3] "y`)},
	{name: "a dash more", line: strings.Replace(req("GET / HTTP/1.1"), " - - ", " - - - ", 1), want: got("GET", "/")},
	{name: "a dash more, ipv6", line: strings.NewReplacer(" - - ", " - - - ", "192.0.2.7", "2001:db8::7").Replace(req("GET / HTTP/1.1")), want: from(got("GET", "/"), "2001:db8::7")},
	{name: "a dash more, of a name", line: strings.NewReplacer(" - - ", " - - - ", "192.0.2.7", "www.example.org").Replace(req("GET / HTTP/1.1")), want: want{malformed: "expected a value of %u"}},
	{name: "no address", line: strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "-", 1), want: from(got("GET", "/"), "")},
	{name: "two carriage returns", line: req("GET / HTTP/1.1") + "\r\r", want: got("GET", "/")},
	{name: "binary", line: "\x7fELF\x02\x01\x01", want: want{malformed: `found "\x7fELF\x02\x01\x01"`}},
	{name: "empty line", line: "", want: want{malformed: "found the end of the line"}},
	{name: "very long line", line: req("GET /" + strings.Repeat("a", 40000) + " HTTP/1.1"), want: got("GET", "/"+strings.Repeat("a", 40000))},
	{name: "user with spaces", line: strings.Replace(req("GET / HTTP/1.1"), " - - ", " - John Q Smith ", 1), want: got("GET", "/")},
	{name: "user with quotes", line: strings.Replace(req("GET / HTTP/1.1"), " - - ", ` - "" `, 1), want: got("GET", "/")},
	{name: "user with bracket", line: strings.Replace(req("GET / HTTP/1.1"), " - - ", ` - a [b] c `, 1), want: got("GET", "/")},
	{name: "user behind a host", line: "www.example.org:80 " + req("GET / HTTP/1.1"), want: want{malformed: `expected a value of %u, and " [" after it at byte 29`}},
	{name: "user behind another program's words", line: "Jan  2 15:04:05 www nginx: " + req("GET / HTTP/1.1"), want: want{malformed: "expected a value of %u"}},
	{name: "user behind another program's words, named", line: "web-1 | " + strings.Replace(req("GET / HTTP/1.1"), " - - ", " - john ", 1), want: want{malformed: "expected a value of %u"}},
	{name: "user with a dash in quotes", format: `$remote_addr "$remote_user" "$request" $status`, line: `192.0.2.7 "a - b" "GET / HTTP/1.1" 200`,
		want: want{method: "GET", target: "/", client: "192.0.2.7", status: 200}},
	{name: "user with a dash in JSON", format: `{"u":"$remote_user","r":"$request","s":"$status"}`, line: `{"u":"a - b","r":"GET / HTTP/1.1","s":"200"}`,
		want: want{method: "GET", target: "/", status: 200}},
	{name: "user of old ingress-nginx", line: strings.Replace(req("GET / HTTP/1.1"), " - - ", " - [192.0.2.7] - - ", 1), want: got("GET", "/")},
	{name: "clients in a list", line: "198.51.100.1, unknown, " + req("GET / HTTP/1.1"), want: got("GET", "/")},
	{name: "clients in a list without blanks", line: "198.51.100.1," + req("GET / HTTP/1.1"), want: got("GET", "/")},
	{name: "clients in a list behind a host", format: "vhost_combined", line: "www.example.org 198.51.100.1, " + req("GET / HTTP/1.1"),
		want: want{host: "www.example.org", method: "GET", target: "/", agent: "ua", client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "clients in a list, private ones last", line: "192.0.2.1, 198.51.100.1, unknown, 172.31.0.1, 192.168.0.9, fd00::1, unix:, " + strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "10.1.2.3", 1),
		want: from(got("GET", "/"), "198.51.100.1")},
	{name: "clients in a list, all private", line: "10.1.2.3, 10.0.0.9, " + strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "127.0.0.1", 1), want: from(got("GET", "/"), "127.0.0.1")},
	{name: "clients in a list, with ports", line: "198.51.100.1:4711, [2001:db8::7]:80, " + strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "10.1.2.3", 1), want: from(got("GET", "/"), "2001:db8::7")},
	{name: "clients in a list, hardly private", line: "172.32.0.1, " + strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "172.16.0.1", 1), want: from(got("GET", "/"), "172.32.0.1")},
	{name: "clients in a list of names", line: "pc1, pc2, " + req("GET / HTTP/1.1"), want: got("GET", "/")},
	{name: "clients in a list, a name behind the proxy", line: "198.51.100.1, pc2, " + strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "10.1.2.3", 1), want: from(got("GET", "/"), "10.1.2.3")},
	{name: "forwarded for a client", format: "combined_forwarded", line: "198.51.100.1 " + strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "10.1.2.3", 1), want: from(got("GET", "/"), "198.51.100.1")},
	{name: "forwarded by a client alone", format: "combined_forwarded", line: "198.51.100.1 " + req("GET / HTTP/1.1"), want: got("GET", "/")},
	{name: "forwarded for a client by a proxy", format: "combined_forwarded", line: "198.51.100.1, 10.0.0.8 " + strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "10.0.0.9", 1), want: from(got("GET", "/"), "198.51.100.1")},
	{name: "forwarded for nobody", format: "combined_forwarded", line: "- " + req("GET / HTTP/1.1"), want: from(got("GET", "/"), "192.0.2.7")},
	{name: "forwarded in quotes", format: "combined_forwarded", line: `"198.51.100.1, 10.0.0.8" ` + strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "10.0.0.9", 1), want: from(got("GET", "/"), "198.51.100.1")},
	{name: "forwarded behind a private proxy", format: "combined_forwarded", line: "10.0.0.8 198.51.100.1 - john [02/Jan/2006:15:04:05 -0700] \"GET / HTTP/1.1\" 200 12 \"-\" \"ua\"", want: from(got("GET", "/"), "198.51.100.1")},
	{name: "forwarded behind a public proxy", format: `$skip $http_x_forwarded_for - $remote_user [$time_local] "$request" $status $body_bytes_sent`,
		line: "198.51.100.1 " + req("GET / HTTP/1.1"), want: want{method: "GET", target: "/", client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "client that ends in a colon", line: strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "unix:", 1), want: from(got("GET", "/"), "")},
	{name: "client -", line: strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "-", 1), want: from(got("GET", "/"), "")},
	{name: "two spaces from an empty variable", line: strings.Replace(req("GET / HTTP/1.1"), " - - ", `  - `, 1), want: got("GET", "/")},
	{name: "ipv6", line: strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "2001:db8::7", 1),
		want: want{method: "GET", target: "/", agent: "ua", client: "2001:db8::7", status: 200, size: 12, time: at05}},
	{name: "ipv6 with zone", line: strings.Replace(req("GET / HTTP/1.1"), "192.0.2.7", "2001:db8::7%eth0", 1),
		want: want{method: "GET", target: "/", agent: "ua", client: "2001:db8::7", status: 200, size: 12, time: at05}},
	{name: "ipv6 host with port", format: "vhost_combined", line: "[2001:db8::1]:8080 " + req("GET / HTTP/1.1"),
		want: want{host: "[2001:db8::1]:8080", method: "GET", target: "/", agent: "ua", client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "host missing", format: "vhost_combined", line: "- " + req("GET / HTTP/1.1"), want: got("GET", "/")},
	{name: "host with port, capitals and dot", format: "vhost_combined", line: "WWW.Example.ORG.:443 " + req("GET / HTTP/1.1"),
		want: want{host: "WWW.Example.ORG.:443", method: "GET", target: "/", agent: "ua", client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "host garbage", format: "vhost_combined", line: `\"><x> ` + req("GET / HTTP/1.1"),
		want: want{host: `"><x>`, method: "GET", target: "/", agent: "ua", client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "forwarded list", format: `$http_x_forwarded_for $host [$time_local] "$request" $status $body_bytes_sent`,
		line: `192.0.2.7, 198.51.100.2,203.0.113.9 example.org [02/Jan/2006:15:04:05 -0700] "GET / HTTP/1.1" 200 12`,
		want: want{host: "example.org", method: "GET", target: "/", client: "203.0.113.9", status: 200, size: 12, time: at05}},
	{name: "upstream list", format: `"$request" $upstream_addr $upstream_status $status $body_bytes_sent`,
		line: `"GET / HTTP/1.1" 192.0.2.1:80, 192.0.2.2:80 : 192.0.2.3:80 502, 502 : 200 200 12`,
		want: want{method: "GET", target: "/", status: 200, size: 12}},
	{name: "time with fraction", line: strings.Replace(req("GET / HTTP/1.1"), ":05 ", ":05.123 ", 1), want: got("GET", "/")},
	{name: "time without zone", line: strings.Replace(req("GET / HTTP/1.1"), " -0700", "", 1),
		want: want{method: "GET", target: "/", agent: "ua", client: "192.0.2.7", status: 200, size: 12, time: at05 - 7*3600}},
	{name: "time that does not exist", line: strings.Replace(req("GET / HTTP/1.1"), "02/Jan", "30/Feb", 1), want: want{malformed: "expected a time for %t"}},
	{name: "time epoch", format: `$msec "$request" $status $body_bytes_sent`, line: `1136239445.123 "GET / HTTP/1.1" 200 12`,
		want: want{method: "GET", target: "/", status: 200, size: 12, time: at05}},
	{name: "time iso", format: `$time_iso8601 "$request" $status $body_bytes_sent`, line: `2006-01-02T15:04:05-07:00 "GET / HTTP/1.1" 200 12`,
		want: want{method: "GET", target: "/", status: 200, size: 12, time: at05}},
	{name: "time of a leap second", line: strings.Replace(req("GET / HTTP/1.1"), ":04:05 ", ":03:60 ", 1),
		want: want{method: "GET", target: "/", agent: "ua", client: "192.0.2.7", status: 200, size: 12, time: at05 - 5}},
	{name: "size of 18 digits", line: strings.Replace(req("GET / HTTP/1.1"), " 12 ", " 999999999999999999 ", 1),
		want: want{method: "GET", target: "/", agent: "ua", client: "192.0.2.7", status: 200, size: 999999999999999999, time: at05}},
	{name: "size of 19 digits", line: strings.Replace(req("GET / HTTP/1.1"), " 12 ", " 9999999999999999999 ", 1), want: want{malformed: "a number or - for %b"}},
	{name: "size too large", line: strings.Replace(req("GET / HTTP/1.1"), " 12 ", " 99999999999999999999 ", 1), want: want{malformed: "a number or - for %b"}},
}

func TestQuirks(t *testing.T) {
	for _, q := range quirks {
		t.Run(q.name, func(t *testing.T) { q.run(t) })
	}
}

func (q *quirk) run(t *testing.T) {
	format := q.format
	if format == "" {
		format = "combined"
	}
	check(t, format, q.line, q.want)
}
