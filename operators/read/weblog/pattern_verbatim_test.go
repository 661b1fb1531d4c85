package weblog

import "testing"

// full is the hit that most of the lines below share.
var full = want{host: "example.org", method: "GET", target: "/a?b=1", agent: "ua x", client: "192.0.2.7", status: 200, size: 12, time: at05}

func without(change func(*want)) want {
	w := full
	change(&w)
	return w
}

var noHost = without(func(w *want) { w.host = "" })

const clf = `[02/Jan/2006:15:04:05 -0700]`

func TestVerbatim(t *testing.T) {
	for _, c := range []struct {
		name, format, line string
		want               want
	}{
		{"nginx combined", `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`,
			`192.0.2.7 - - ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "-" "ua x"`, noHost},
		{"nginx directive in pieces", "log_format main '$remote_addr - $remote_user [$time_local] \"$request\" '\n  '$status $body_bytes_sent \"$http_referer\" '\n '\"$http_user_agent\" \"$http_x_forwarded_for\"';",
			`192.0.2.7 - - ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "-" "ua x" "192.0.2.1, 192.0.2.2"`, noHost},
		{"nginx directive over lines and tabs", "log_format\tmain\n\t'$host $remote_addr [$time_local] \"$request\" '\n\t'$status $body_bytes_sent \"$http_user_agent\"';\n",
			`example.org 192.0.2.7 ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "ua x"`, full},
		{"nginx directive in double quotes", `log_format main escape=default "$host $remote_addr [$time_local] " '"$request" ' "$status $body_bytes_sent \"$http_user_agent\"";`,
			`example.org 192.0.2.7 ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "ua x"`, full},
		{"nginx url in one piece beside the request", `$remote_addr [$time_local] "$request" $status $body_bytes_sent "$http_user_agent" $scheme://$host$request_uri`,
			`192.0.2.7 ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "ua x" https://example.org/a?b=1`, full},
		{"nginx url in one piece, logged twice", `$remote_addr [$time_local] $request_method $request_uri $status $body_bytes_sent "$http_user_agent" $host$request_uri`,
			`192.0.2.7 ` + clf + ` GET /a?b=1 200 12 "ua x" example.org/a?b=1`, full},
		{"nginx host and uri", `$remote_addr [$time_local] $request_method $host$uri $args $status $body_bytes_sent "$http_user_agent"`,
			`192.0.2.7 ` + clf + ` GET example.org/a b=1 200 12 "ua x"`, full},
		{"nginx blanks in a uri before the protocol", `$host $remote_addr [$time_local] "$request_method $request_uri $server_protocol" $status $body_bytes_sent "$http_user_agent"`,
			`example.org 192.0.2.7 ` + clf + ` "GET /a - b c HTTP/1.1" 200 12 "ua x"`, without(func(w *want) { w.target = "/a - b c" })},
		{"nginx host first", `$host $remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`,
			`example.org 192.0.2.7 - - ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "-" "ua x"`, full},
		{"nginx braces", `${host} ${remote_addr} [${time_local}] "${request}" ${status} ${body_bytes_sent} "${http_user_agent}"`,
			`example.org 192.0.2.7 ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "ua x"`, full},
		{"nginx url in one piece", `$remote_addr [$time_local] "$request_method $scheme://$host:$server_port$request_uri $server_protocol" $status $body_bytes_sent "$http_user_agent"`,
			`192.0.2.7 ` + clf + ` "GET https://example.org:443/a?b=1 HTTP/2.0" 200 12 "ua x"`, without(func(w *want) { w.host = "example.org:443" })},
		{"nginx uri, is_args and args", `$host $remote_addr $time_iso8601 $request_method $uri$is_args$args $status $body_bytes_sent "$http_user_agent"`,
			`example.org 192.0.2.7 2006-01-02T15:04:05-07:00 GET /a?b=1 200 12 "ua x"`, full},
		{"nginx uri and args apart", `$host $remote_addr $msec $request_method "$uri" "$args" $status $body_bytes_sent "$http_user_agent"`,
			`example.org 192.0.2.7 1136239445.007 GET "/a" "b=1" 200 12 "ua x"`, full},
		{"nginx tabs", "log_format t '$time_iso8601\\t$host\\t$remote_addr\\t$request\\t$status\\t$bytes_sent\\t$body_bytes_sent\\t$http_user_agent';",
			"2006-01-02T15:04:05-07:00\texample.org\t192.0.2.7\tGET /a?b=1 HTTP/1.1\t200\t400\t12\tua x", full},
		{"nginx pipes", `$host|$remote_addr|$time_local|$request|$status|$body_bytes_sent|$http_user_agent`,
			`example.org|192.0.2.7|02/Jan/2006:15:04:05 -0700|GET /a?b=1 HTTP/1.1|200|12|ua x`, full},
		{"nginx request time after the time", `$remote_addr $time_local $host $request_time "$request" $status $body_bytes_sent "$http_user_agent"`,
			`192.0.2.7 02/Jan/2006:15:04:05 -0700 example.org 0.004 "GET /a?b=1 HTTP/1.1" 200 12 "ua x"`, full},
		{"ingress-nginx", `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_length $request_time [$proxy_upstream_name] [$proxy_alternative_upstream_name] $upstream_addr $upstream_response_length $upstream_response_time $upstream_status $req_id`,
			`192.0.2.7 - - ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "-" "ua x" 462 0.050 [a-9000] [] 192.0.2.80:9000, 192.0.2.81:9000 0, 19437 0.001, 0.049 502, 200 752178adb1`, noHost},
		{"apache quoted directive", `LogFormat "%v %h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-agent}i\"" vh`,
			`example.org 192.0.2.7 - - ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "-" "ua x"`, full},
		{"apache first field quoted", `"%v" "%h" %t "%r" "%>s" "%B" "%{User-agent}i"`,
			`"example.org" "192.0.2.7" ` + clf + ` "GET /a?b=1 HTTP/1.1" "200" "12" "ua x"`, full},
		{"apache directive in small letters", "logformat\t\"%v %h %t \\\"%r\\\" %>s %b \\\"%{User-agent}i\\\"\" vh",
			`example.org 192.0.2.7 ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "ua x"`, full},
		{"apache time to the first byte", `%v %h %t "%r" %>s %b %^FB "%{User-agent}i"`,
			`example.org 192.0.2.7 ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 523 "ua x"`, full},
		{"apache url in one piece beside the request", `%h %t "%r" %>s %b "%{User-agent}i" %V%U%q`,
			`192.0.2.7 ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "ua x" example.org/a?b=1`, full},
		{"apache blanks in a path before the protocol", `%V %a %t "%m %U%q %H" %>s %B "%{User-Agent}i"`,
			`example.org 192.0.2.7 ` + clf + ` "GET /a b?c d HTTP/1.1" 200 12 "ua x"`, without(func(w *want) { w.target = "/a b?c d" })},
		{"apache request in pieces without a request", `%V %a %t "%m %U%q %H" %>s %B "%{User-Agent}i"`,
			`example.org 192.0.2.7 ` + clf + ` "- - -" 408 - "-"`, want{host: "example.org", target: "-", client: "192.0.2.7", status: 408, time: at05}},
		{"apache percent sign in a time", `%{%F%%T%T}t %{%z}t %v %h "%r" %>s %b "%{User-Agent}i"`,
			`2006-01-02%T15:04:05 -0700 example.org 192.0.2.7 "GET /a?b=1 HTTP/1.1" 200 12 "ua x"`, full},
		{"apache request in pieces", `%V %a %t "%m %U%q %H" %>s %B "%{User-Agent}i"`,
			`example.org 192.0.2.7 ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "ua x"`, full},
		{"apache both statuses and sizes", `%{Host}i %a %{%d/%b/%Y:%H:%M:%S %z}t "%r" %s %>s %O %B "%!200,304{User-Agent}i" %D %{ms}T %{c}a %{X}^ti 100%%`,
			`example.org 192.0.2.7 02/Jan/2006:15:04:05 -0700 "GET /a?b=1 HTTP/1.1" 301 200 400 12 "ua x" 23 1 192.0.2.1 - 100%`, full},
		{"apache time in pieces", `[%{%d/%b/%Y:%H:%M:%S}t.%{msec_frac}t %{%z}t] %v %h "%r" %>s %b "%{User-Agent}i"`,
			`[02/Jan/2006:15:04:05.123 -0700] example.org 192.0.2.7 "GET /a?b=1 HTTP/1.1" 200 12 "ua x"`, full},
		{"apache iso time", `%{%FT%T%z}t %v %h "%r" %>s %b "%{User-Agent}i"`,
			`2006-01-02T15:04:05-0700 example.org 192.0.2.7 "GET /a?b=1 HTTP/1.1" 200 12 "ua x"`, full},
		{"apache compact time", `%{begin:%Y%m%d%H%M%S}t%{%z}t %v %h "%r" %>s %b "%{User-Agent}i"`,
			`20060102150405-0700 example.org 192.0.2.7 "GET /a?b=1 HTTP/1.1" 200 12 "ua x"`, full},
		{"apache c time", `%{%c %z}t %v %h "%r" %>s %b "%{User-Agent}i"`,
			`Mon Jan  2 15:04:05 2006 -0700 example.org 192.0.2.7 "GET /a?b=1 HTTP/1.1" 200 12 "ua x"`, full},
		{"apache microseconds", `%{usec}t %v %h "%r" %>s %b "%{User-Agent}i"`,
			`1136239445000123 example.org 192.0.2.7 "GET /a?b=1 HTTP/1.1" 200 12 "ua x"`, full},
		{"encoding nginx", `$host $remote_addr [$time_local] "$request" $status $body_bytes_sent $sent_http_content_encoding "$http_user_agent"`,
			`example.org 192.0.2.7 ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 gzip "ua x"`, without(func(w *want) { w.class = ClassGzip })},
		{"encoding nginx none", `$host $remote_addr [$time_local] "$request" $status $body_bytes_sent $sent_http_content_encoding "$http_user_agent"`,
			`example.org 192.0.2.7 ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 - "ua x"`, without(func(w *want) { w.class = ClassIdentity })},
		{"encoding apache", `%v %h %t "%r" %>s %b "%{Content-Encoding}o" "%{User-Agent}i"`,
			`example.org 192.0.2.7 ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "BR" "ua x"`, without(func(w *want) { w.class = ClassBrotli })},
		{"gzip ratio", `$host $remote_addr [$time_local] "$request" $status $body_bytes_sent "$gzip_ratio" "$http_user_agent"`,
			`example.org 192.0.2.7 ` + clf + ` "GET /a?b=1 HTTP/1.1" 200 12 "3.25" "ua x"`, without(func(w *want) { w.class = ClassGzip })},
		{"url list", "urllist", "/a?b=1\t200\t12", want{method: "GET", target: "/a?b=1", status: 200, size: 12}},
		{"url list without size", "urllist", "/a?b=1\t200\t-", want{method: "GET", target: "/a?b=1", status: 200}},
		{"url list absolute", "urllist", "http://example.org/a?b=1\t200\t12\tx\ty", want{method: "GET", target: "http://example.org/a?b=1", status: 200, size: 12}},
		{"url list keeps bytes", "urllist", "/^$\\x41 \"\t200\t12", want{method: "GET", target: "/^$\\x41 \"", status: 200, size: 12}},
		{"url list without tab", "urllist", "/a", want{malformed: "expected a URL that begins"}},
		{"url list bad status", "urllist", "/a\t20x\t1", want{malformed: "a status of three digits and a tab after it at byte 3"}},
		{"url list bad size", "urllist", "/a\t200\tx", want{malformed: "a size, or - at byte 7"}},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, c.format, c.line, c.want) })
	}
}

func TestSizeOfChoice(t *testing.T) {
	for _, c := range []struct {
		format string
		want   SizeCount
	}{
		{`"%r" %>s %O %B`, SizeBody}, {`"%r" %>s %O`, SizeTotal}, {`"%r" %>s`, SizeNone},
		{`"$request" $status $bytes_sent $body_bytes_sent`, SizeBodyFramed},
		{`"$request" $status $bytes_sent`, SizeTotal},
		{`{"r":"$request","s":$status,"a":$bytes_sent,"b":$body_bytes_sent}`, SizeBodyFramed},
		{`{"r":"$request","s":$status,"a":$body_bytes_sent,"b":$bytes_sent}`, SizeBodyFramed},
		{"combinedio", SizeBody}, {"nginx_json", SizeUnknown}, {"combined", SizeBodyOrTotal},
	} {
		if got := mustNew(t, c.format).Format().Size; got != c.want {
			t.Errorf("%s: size counts %q, want %q", c.format, got, c.want)
		}
	}
}

// TestBestOfSeveral: of the variables for one field the best counts, at any place, and
// the first of equals.
func TestBestOfSeveral(t *testing.T) {
	for _, c := range []struct{ format, line, host, client string }{
		{`$http_host $host $server_name "$request" $status`, `a b c "GET / HTTP/1.1" 200`, "b", ""},
		{`$server_name $http_host "$request" $status`, `a b "GET / HTTP/1.1" 200`, "b", ""},
		{`%{Host}i %v %V "%r" %>s`, `a b c "GET / HTTP/1.1" 200`, "c", ""},
		{`%{Host}i %v "%r" %>s`, `a b "GET / HTTP/1.1" 200`, "b", ""},
		{`%a %h %{c}a "%r" %>s`, `192.0.2.1 192.0.2.2 192.0.2.3 "GET / HTTP/1.1" 200`, "", "192.0.2.1"},
		{`%{c}a "%r" %>s`, `192.0.2.1 "GET / HTTP/1.1" 200`, "", "192.0.2.1"},
		{`"$http_x_forwarded_for" $remote_addr "$request" $status`, `"192.0.2.1" 192.0.2.2 "GET / HTTP/1.1" 200`, "", "192.0.2.2"},
	} {
		t.Run(c.format, func(t *testing.T) {
			check(t, c.format, c.line, want{host: c.host, client: c.client, method: "GET", target: "/", status: 200})
		})
	}
}

func TestClasses(t *testing.T) {
	for _, c := range []struct {
		value string
		want  uint8
	}{
		{"", ClassIdentity}, {"-", ClassIdentity}, {"identity", ClassIdentity}, {"gzip", ClassGzip}, {"X-GZip", ClassGzip},
		{"br", ClassBrotli}, {"zstd", ClassZstd}, {"deflate", ClassDeflate}, {"compress", ClassOther}, {"gzip, br", ClassOther}, {"gziP", ClassGzip},
	} {
		if got := classOf([]byte(c.value)); got != c.want {
			t.Errorf("class of %q is %d, want %d", c.value, got, c.want)
		}
	}
}

func TestDigest(t *testing.T) {
	p := mustNew(t, "urllist")
	sketch := func(s string) uint64 {
		var h Hit
		must(t, p.Parse(&h, []byte("/a\t200\t1\t"+s)))
		return h.Digest
	}
	if sketch("") != 0 || sketch("-") != 0 || sketch("00000000DEADbeef") != 0xdeadbeef || sketch("0000000000000000") != 1 {
		t.Error("fixed digests")
	}
	if a, b := sketch("sha1:AAAB"), sketch("sha1:AAAC"); a == b || a == 0 || a != sketch("sha1:AAAB") {
		t.Error("hashed digests")
	}
}
