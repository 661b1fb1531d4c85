package weblog

import (
	"strings"
	"testing"
)

// TestDecodedPaths: a path that a server decoded names the same page as before.
func TestDecodedPaths(t *testing.T) {
	const (
		nginx  = `$remote_addr [$time_local] $request_method "$uri" "$args" $status`
		joined = `$remote_addr [$time_local] $request_method "$uri$is_args$args" $status`
		apache = `%h %t %m "%U" "%q" %>s`
		sent   = `$remote_addr [$time_local] $request_method "$request_uri" $status`
		object = `{"m":"$request_method","p":"$uri","q":"$args","s":"$status"}`
		iis    = "#Fields: cs-method cs-uri-stem cs-uri-query sc-status"
		start  = `192.0.2.7 [02/Jan/2006:15:04:05 -0700] GET `
		at     = `"method":"GET","status":200}`
	)
	for _, c := range []struct{ name, format, line, target string }{
		{"nginx, fragment", nginx, start + `"/C#/a" "b=1" 200`, "/C%23/a?b=1"},
		{"nginx, question mark", nginx, start + `"/what?" "-" 200`, "/what%3F"},
		{"nginx, question mark and query", nginx, start + `"/what?.html" "b=1?" 200`, "/what%3F.html?b=1?"},
		{"nginx, percent", nginx, start + `"/100%" "" 200`, "/100%25"},
		{"nginx, half an escape", nginx, start + `"/a%2" "" 200`, "/a%252"},
		{"nginx, an escape", nginx, start + `"/a%20b" "" 200`, "/a%20b"},
		{"nginx, all", nginx, start + `"/%#?%%41" "" 200`, "/%25%23%3F%25%41"},
		{"nginx, usual", nginx, start + `"/a" "b=1" 200`, "/a?b=1"},
		{"nginx, joined", joined, start + `"/C#/50%?b=1%" 200`, "/C%23/50%25?b=1%"},
		{"nginx, as sent", sent, start + `"/C#/50%?b=1" 200`, "/C#/50%?b=1"},
		{"apache", apache, strings.Replace(start, "GET ", "", 1) + `GET "/C#/a?" "?b=1" 200`, "/C%23/a%3F?b=1"},
		{"object", object, `{"m":"GET","p":"/C#/a?","q":"b=1","s":"200"}`, "/C%23/a%3F?b=1"},
		{"columns", iis, "GET /C#/a?.aspx b=1 200", "/C%23/a%3F.aspx?b=1"},
		{"columns, blanks", iis, "GET /100%+a.aspx - 200", "/100%25 a.aspx"},
		{"columns, no query", "#Fields: cs-method cs-uri-stem sc-status", "GET /C#/a?b=1 200", "/C%23/a?b=1"},
		{"columns, whole", "#Fields: cs-method cs-uri sc-status", "GET /C#/a?b=1 200", "/C%23/a?b=1"},
		{"columns of CloudFront", "#Fields: cs-method cs-uri-stem cs-uri-query sc-status x-edge-location", "GET /50%25/a b=1 200 X", "/50%/a?b=1"},
		{"keys", "nginx_json", `{"uri":"/C#/a?","args":"b=1",` + at, "/C%23/a%3F?b=1"},
		{"keys, no query", "nginx_json", `{"uri":"/what?","args":"",` + at, "/what?"},
		{"keys, no query, decoded", "nginx_json", `{"uri":"/what?.html","args":"",` + at, "/what%3F.html"},
		{"keys, query twice", "nginx_json", `{"uri":"/a?b=1","args":"b=1",` + at, "/a?b=1"},
		{"keys, query twice, with its mark", "nginx_json", `{"path":"/a?b=1","query":"?b=1",` + at, "/a?b=1"},
		{"keys, query that is the path", "nginx_json", `{"path":"/a?","query":"/a?",` + at, "/a%3F?/a?"},
		{"keys, one target", "nginx_json", `{"uri":"/C#/a?b=1#2",` + at, "/C%23/a?b=1#2"},
		{"keys, a URL", "nginx_json", `{"url":"http://www.example.org/a#b",` + at, "http://www.example.org/a#b"},
		{"keys, as sent", "nginx_json", `{"request_uri":"/a#b","uri":"/a",` + at, "/a#b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var h Hit
			if err := mustNew(t, c.format).Parse(&h, []byte(c.line)); err != nil || string(h.Target) != c.target {
				t.Errorf("%s: target %q, error %v, want %q", c.line, h.Target, err, c.target)
			}
		})
	}
}
