package weblog

import (
	"strings"
	"testing"
)

func TestJSONLines(t *testing.T) {
	base := want{method: "GET", target: "/a", status: 200}
	with := func(target string) want { w := base; w.target = target; return w }
	for _, c := range []struct {
		name, line string
		want       want
	}{
		{"request", `{"request":"GET /a HTTP/1.1","status":200}`, base},
		{"method and uri", `{"request_method":"GET","request_uri":"/a","status":"200"}`, base},
		{"uri and args", `{"args":"b=1","uri":"/a","method":"GET","status":200}`, with("/a?b=1")},
		{"uri and no args", `{"args":"-","uri":"/a","method":"GET","status":200}`, base},
		{"uri with its query", `{"args":"b=1","uri":"/a?b=1","method":"GET","status":200}`, with("/a?b=1")},
		{"request_uri before uri", `{"uri":"/decoded","request_uri":"/a","status":200}`, base},
		{"method beside a bare request", `{"request":"/a","method":"HEAD","status":200}`, want{method: "HEAD", target: "/a", status: 200}},
		{"method beside a whole request", `{"request":"POST /a HTTP/1.1","method":"GET","status":200}`, want{method: "POST", target: "/a", status: 200}},
		{"method beside an absolute request", `{"request":"http://example.org/a","method":"GET","status":200}`, with("http://example.org/a")},
		{"method beside an empty request", `{"request":"","method":"GET","status":200}`, with("")},
		{"blanks", ` { "request" : "GET /a HTTP/1.1" , "status" : 200 } `, base},
		{"status padded", `{"request":"GET /a HTTP/1.1","status":009}`, want{method: "GET", target: "/a", status: 9}},
		{"nothing in a number's place", `{"request":"GET /a HTTP/1.1","status":200,"body_bytes_sent":,"size":}`, base},
		{"floats", `{"request":"GET /a HTTP/1.1","status":200.0,"size":5120.00}`, want{method: "GET", target: "/a", status: 200, size: 5120}},
		{"floats in quotes", `{"request":"GET /a HTTP/1.1","status":"200.0","size":"0.0"}`, base},
		{"a status of no whole number", `{"request":"/a","status":200.5}`, want{malformed: "a status of at most three digits"}},
		{"numbers in quotes", `{"request":"GET /a HTTP/1.1","status":"200","body_bytes_sent":"12"}`, want{method: "GET", target: "/a", status: 200, size: 12}},
		{"empty strings", `{"request":"GET /a HTTP/1.1","status":"200","body_bytes_sent":"","time":"","host":""}`, base},
		{"null", `{"request":"GET /a HTTP/1.1","status":200,"host":null,"ce":null}`, base},
		{"duplicate keys", `{"request":"GET /b HTTP/1.1","status":404,"request":"GET /a HTTP/1.1","status":200}`, base},
		{"body before whole answer", `{"body_bytes_sent":12,"bytes_sent":400,"request":"GET /a HTTP/1.1","status":200}`, want{method: "GET", target: "/a", status: 200, size: 12}},
		{"nested skipped", `{"x":{"request":"GET /b","y":[1,{"z":"}]\"{"}]},"l":[],"request":"GET /a HTTP/1.1","status":200}`, base},
		{"encoding", `{"request":"GET /a HTTP/1.1","status":200,"content_encoding":"zstd"}`, want{method: "GET", target: "/a", status: 200, class: ClassZstd}},
		{"encoding none", `{"request":"GET /a HTTP/1.1","status":200,"ce":""}`, want{method: "GET", target: "/a", status: 200, class: ClassIdentity}},
		{"control byte", `{"request":"GET /\u0000\u001f HTTP/1.1","status":200}`, with("/\x00\x1f")},
		{"escapes", `{"request":"GET /\"\\\/\b\f\n\r\t HTTP/1.1","status":200}`, with("/\"\\/\b\f\n\r\t")},
		{"surrogate pair", `{"request":"GET /\ud83d\uDE00 HTTP/1.1","status":200}`, with("/😀")},
		{"half a pair", `{"request":"GET /\ud83d\u0041 HTTP/1.1","status":200}`, with(`/\ud83dA`)},
		{"half a pair at the end", `{"request":"/\ud83d","status":200}`, with(`/\ud83d`)},
		{"unknown escape", `{"request":"GET /\q\u00 HTTP/1.1","status":200}`, with(`/\q\u00`)},
		{"escapes of a server without json", `{"request":"GET /\x22\xe2 HTTP/1.1","status":200}`, with("/\"\xe2")},
		{"raw invalid utf-8", "{\"request\":\"GET /\xff\xe2( HTTP/1.1\",\"status\":200}", with("/\xff\xe2(")},
		{"key with escape", `{"re\u0071uest":"GET /a HTTP/1.1","status":200}`, base},
		{"times", `{"time":"2006-01-02T15:04:05-07:00","request":"GET /a HTTP/1.1","status":200}`, want{method: "GET", target: "/a", status: 200, time: at05}},
		{"time in milliseconds", `{"msec":1136239445123,"request":"GET /a HTTP/1.1","status":200}`, want{method: "GET", target: "/a", status: 200, time: at05}},
		{"carriage return", "{\"request\":\"GET /a HTTP/1.1\",\"status\":200}\r", base},

		{"host beside a client", `{"host":"203.0.113.1","remote_addr":"192.0.2.7","request":"GET /a HTTP/1.1","status":200}`, want{host: "203.0.113.1", client: "192.0.2.7", method: "GET", target: "/a", status: 200}},
		{"host beside a client that is not told", `{"host":"203.0.113.1","remote_addr":"-","request":"GET /a HTTP/1.1","status":200}`, want{host: "203.0.113.1", method: "GET", target: "/a", status: 200}},
		{"host that is a name, and no client", `{"host":"www.example.org","request":"GET /a HTTP/1.1","status":200}`, want{host: "www.example.org", method: "GET", target: "/a", status: 200}},
		{"host that is an address with a port", `{"host":"203.0.113.1:8080","request":"GET /a HTTP/1.1","status":200}`, want{host: "203.0.113.1:8080", method: "GET", target: "/a", status: 200}},
		{"host that is an address in brackets", `{"host":"[2001:db8::1]","request":"GET /a HTTP/1.1","status":200}`, want{host: "[2001:db8::1]", method: "GET", target: "/a", status: 200}},
		{"host that is the client", `{"request":"GET /a HTTP/1.1","status":200,"host":"192.0.2.7","xff":"-"}`, want{client: "192.0.2.7", method: "GET", target: "/a", status: 200}},
		{"host that is the client, of IPv6", `{"host":"2001:db8::7","request":"GET /a HTTP/1.1","status":200}`, want{client: "2001:db8::7", method: "GET", target: "/a", status: 200}},
		{"host that is the client, beside the virtual host", `{"host":"192.0.2.7","vhost":"www.example.org","request":"GET /a HTTP/1.1","status":200}`, want{host: "www.example.org", client: "192.0.2.7", method: "GET", target: "/a", status: 200}},
		{"host that is the client, beside the header", `{"http_host":"www.example.org","host":"192.0.2.7","request":"GET /a HTTP/1.1","status":200}`, want{host: "www.example.org", client: "192.0.2.7", method: "GET", target: "/a", status: 200}},
		{"host that is the machine's address", `{"host":"192.0.2.237","clientip":"192.0.2.7","http_host":"www.example.org","request":"GET /a HTTP/1.1","status":200}`, want{host: "www.example.org", client: "192.0.2.7", method: "GET", target: "/a", status: 200}},
		{"host that is the machine's address, beside server_name", `{"server_name":"www.example.org","clientip":"192.0.2.7","request":"GET /a HTTP/1.1","status":200,"host":"2001:db8::1"}`, want{host: "www.example.org", client: "192.0.2.7", method: "GET", target: "/a", status: 200}},
		{"host that is the machine's name", `{"@version":"1","host":"web-1","clientip":"192.0.2.7","domain":"www.example.org","request":"GET /a HTTP/1.1","status":200}`, want{host: "www.example.org", client: "192.0.2.7", method: "GET", target: "/a", status: 200}},
		{"host beside a server without a name", `{"@version":"1","host":"www.example.org","clientip":"192.0.2.7","server_name":"_","request":"GET /a HTTP/1.1","status":200}`, want{host: "www.example.org", client: "192.0.2.7", method: "GET", target: "/a", status: 200}},
		{"host beside server_name", `{"host":"www.example.org","clientip":"192.0.2.7","server_name":"example.org","request":"GET /a HTTP/1.1","status":200}`, want{host: "www.example.org", client: "192.0.2.7", method: "GET", target: "/a", status: 200}},
		{"vector parse_apache_log", `{"agent":"ua","host":"192.0.2.7","identity":"-","message":"GET /a?b=1 HTTP/1.0","method":"GET","path":"/a?b=1","protocol":"HTTP/1.0","referrer":"http://www.example.org/","size":2326,"status":200,"timestamp":"2006-01-02T22:04:05Z","user":"frank"}`,
			want{method: "GET", target: "/a?b=1", agent: "ua", client: "192.0.2.7", status: 200, size: 2326, time: at05}},
		{"fluent bit apache2", `{"date":1136239445.0,"host":"192.0.2.7","user":"-","method":"GET","path":"/a?b=1","code":"200","size":"777","referer":"-","agent":"ua"}`,
			want{method: "GET", target: "/a?b=1", agent: "ua", client: "192.0.2.7", status: 200, size: 777, time: at05}},
		{"fluentd apache2", `{"host":"192.0.2.7","user":null,"method":"GET","path":"/a","code":200,"size":777,"referer":null,"agent":"ua","time":"02/Jan/2006:15:04:05 -0700"}`,
			want{method: "GET", target: "/a", agent: "ua", client: "192.0.2.7", status: 200, size: 777, time: at05}},
		{"fluentd nginx", `{"remote":"192.0.2.7","host":"-","user":"-","method":"GET","path":"/a","code":"200","size":"777","referer":"-","agent":"ua","http_x_forwarded_for":"-"}`,
			want{method: "GET", target: "/a", agent: "ua", client: "192.0.2.7", status: 200, size: 777}},

		{"no request", `{"status":200}`, want{malformed: "a field with the request"}},
		{"no status", `{"request":"GET /a HTTP/1.1","status":null}`, want{malformed: "a field with the status"}},
		{"two objects", `{"request":"/a","status":200}{"request":"/b"}`, want{malformed: "the end of the line after the object at byte 29"}},
		{"torn in a string", `{"request":"GET /a HT`, want{malformed: "a string with a closing quote at byte 11"}},
		{"torn after a key", `{"request"`, want{malformed: "expected : at byte 10"}},
		{"torn after a value", `{"request":"/a"`, want{malformed: ", or }"}},
		{"torn in an array", `{"x":[1,[2]`, want{malformed: "an end of the object or array"}},
		{"not an object", `["request"]`, want{malformed: "expected { at byte 0"}},
		{"key without quotes", `{request:1}`, want{malformed: "a key in quotes at byte 1"}},
		{"comma at the end", `{"request":"/a",}`, want{malformed: "a key in quotes"}},
		{"bad status", `{"request":"/a","status":"ok"}`, want{malformed: "a status of at most three digits"}},
		{"bad size", `{"request":"/a","size":1.5}`, want{malformed: "a size in digits"}},
		{"bad time", `{"request":"/a","time":"yesterday"}`, want{malformed: "a time at byte"}},
		{"too deep", `{"x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, want{malformed: "no more than 64 levels"}},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, "nginx_json", c.line, c.want) })
	}
}

func TestJSONTemplates(t *testing.T) {
	w := want{host: "example.org", method: "GET", target: "/a?b=1", agent: "ua x", client: "192.0.2.7", status: 200, size: 12, time: at05}
	for _, c := range []struct {
		name, format, line string
		want               want
	}{
		{"own names", `{"t":"$time_iso8601","r":"$request","s":"$status"}`,
			`{"t":"2006-01-02T15:04:05-07:00","r":"GET /a?b=1 HTTP/1.1","s":"200"}`,
			want{method: "GET", target: "/a?b=1", status: 200, time: at05}},
		{"usual names with other meanings", `{"status":"$body_bytes_sent","size":"$status","request":"$http_user_agent","x":"$request_uri"}`,
			`{"status":"12","size":"200","request":"ua x","x":"/a?b=1"}`,
			want{method: "GET", target: "/a?b=1", status: 200, size: 12, agent: "ua x"}},
		{"recommended", `log_format dust escape=json '{"t":"$msec","h":"$host","s":"$scheme","m":"$request_method","u":"$request_uri","st":"$status",'` +
			` '"b":$body_bytes_sent,"ce":"$sent_http_content_encoding","a":"$remote_addr","p":"$server_protocol","ua":"$http_user_agent"}';`,
			`{"t":"1136239445.123","h":"example.org","s":"https","m":"GET","u":"/a?b=1","st":"200","b":12,"ce":"gzip","a":"192.0.2.7","p":"HTTP/2.0","ua":"ua x"}`,
			func() want { w := w; w.class = ClassGzip; return w }()},
		{"several variables in a string", `{"url":"$request_method $scheme://$host$request_uri","who":"$remote_addr [$http_user_agent]","st":$status,"b":$body_bytes_sent,"t":"$msec"}`,
			`{"b":12,"t":"1136239445","who":"192.0.2.7 [ua x]","st":200,"url":"GET https://example.org/a?b=1"}`, w},
		{"nested", `{ "http": { "request": { "line":"$request" }, "response": {"status": $status, "bytes": $body_bytes_sent} }, "h":"$host","c":"$remote_addr","t":"$msec","ua":"$http_user_agent","v":1 }`,
			`{"v":1,"x":{},"http":{"request":{"line":"GET /a?b=1 HTTP/1.1","more":[]},"response":{"bytes":12,"status":200}},"h":"example.org","c":"192.0.2.7","t":"1136239445","ua":"ua x"}`, w},
		{"apache", `LogFormat "{ \"time\":\"%{%Y-%m-%dT%T}t.%{msec_frac}t%{%z}t\", \"host\":\"%V\", \"client\":\"%a\", \"request\":\"%U\", \"query\":\"%q\", \"method\":\"%m\", \"status\":\"%>s\", \"size\":%B, \"ua\":\"%{User-agent}i\" }" json`,
			`{ "time":"2006-01-02T15:04:05.123-0700", "host":"example.org", "client":"192.0.2.7", "request":"/a", "query":"?b=1", "method":"GET", "status":"200", "size":12, "ua":"ua x" }`, w},
		{"composite that does not fit", `{"r":"$request_method!$request_uri","s":$status}`, `{"r":"GET /a","s":200}`,
			want{malformed: "a value that fits its format"}},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, c.format, c.line, c.want) })
	}
}

// TestGuessesKnowTheirObject: a key in the same place as in the last line has the meaning
// of its own object.
func TestGuessesKnowTheirObject(t *testing.T) {
	p := mustNew(t, `{"x":{"a":"$request"},"a":"$status"}`)
	w := want{method: "GET", target: "/a", status: 200}
	checkWith(t, p, `{"x":{"a":"GET /a HTTP/1.1"},"a":"200"}`, w)
	checkWith(t, p, `{"x":null,"a":"200","x":{"a":"GET /a HTTP/1.1"}}`, w)
}
