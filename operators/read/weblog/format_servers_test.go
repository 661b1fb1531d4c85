package weblog

import (
	"strings"
	"testing"
)

// Peculiarities of the servers behind the named formats, a line each.
var serverQuirks = []quirk{
	{name: "haproxy", format: "haproxy", line: haproxyExample + `"GET /a?b=1 HTTP/1.1"`, want: hapHit("GET", "/a?b=1")},
	{name: "haproxy with its tag", format: "haproxy", line: `haproxy[12]: ` + haproxyExample + `"GET / HTTP/1.1"`, want: hapHit("GET", "/")},
	{name: "haproxy with syslog's head", format: "haproxy", line: `<134>Jan  2 15:04:05 lb1 haproxy[12]: ` + haproxyExample + `"GET / HTTP/1.1"`, want: hapHit("GET", "/")},
	{name: "haproxy captured headers", format: "haproxy", line: haproxyExample + `{www.example.org|Mozilla/5.0 (X11)} {} "GET / HTTP/1.1"`, want: hapHit("GET", "/")},
	{name: "haproxy escapes", format: "haproxy", line: haproxyExample + `"GET /a#22b#23c#E9#zz HTTP/1.1"`, want: hapHit("GET", "/a\"b#c\xe9#zz")},
	{name: "haproxy backslashes", format: "haproxy", line: haproxyExample + `"GET /a\x41 HTTP/1.1"`, want: hapHit("GET", `/a\x41`)},
	{name: "haproxy over http2", format: "haproxy", line: haproxyExample + `"GET https://www.example.org/a HTTP/2.0"`, want: hapHit("GET", "https://www.example.org/a")},
	{name: "haproxy option httpslog", format: "haproxy", line: haproxyExample + `"GET / HTTP/1.1" 0/0000000000000000/0/0/0 www.example.org/TLSv1.3/X`, want: hapHit("GET", "/")},
	{name: "haproxy bad request", format: "haproxy", line: strings.Replace(haproxyExample, " 200 ", " 400 ", 1) + `"<BADREQ>"`, want: code("400", hapHit("", "<BADREQ>"))},
	{name: "haproxy no answer", format: "haproxy", line: strings.Replace(haproxyExample, " 200 ", " -1 ", 1) + `"GET / HTTP/1.1"`, want: code("000", hapHit("GET", "/"))},
	{name: "haproxy logasap", format: "haproxy", line: strings.Replace(strings.Replace(haproxyExample, "/3 ", "/+3 ", 1), " 5120 ", " +5120 ", 1) + `"GET / HTTP/1.1"`,
		want: sized(hapHit("GET", "/"), 0)},
	{name: "haproxy cut request", format: "haproxy", line: haproxyExample + `"GET /` + strings.Repeat("a", 1019) + `"`, want: want{malformed: "a request line that ends in its protocol"}},
	{name: "haproxy of ipv6", format: "haproxy", line: strings.Replace(haproxyExample, "192.0.2.7:51234", "2001:db8::7:51234", 1) + `"GET / HTTP/1.1"`,
		want: from(hapHit("GET", "/"), "2001:db8::7")},
	{name: "haproxy of tcp", format: "haproxy", line: `192.0.2.7:51234 [02/Jan/2006:15:04:05.123] ssh ssh/one 0/0/1500 2153 -- 1/1/1/1/0 0/0`, want: want{malformed: "expected a status of three digits"}},
	{name: "haproxy in clf", format: "haproxy_clf", line: strings.Replace(haproxyCLF.Example, "/a?b=1", `/a#22\`, 1), want: clfHit(`/a"\`)},
	{name: "haproxy in clf, no answer", format: "haproxy_clf", line: strings.Replace(haproxyCLF.Example, " 200 ", " -1 ", 1), want: code("000", clfHit("/a?b=1"))},
	{name: "haproxy in clf, cut request", format: "haproxy_clf", line: strings.Replace(haproxyCLF.Example, " HTTP/1.1", "", 1), want: want{malformed: "a request line that ends in its protocol"}},
	{name: "haproxy that starts", format: "haproxy", line: `Proxy www started.`, want: want{malformed: `expected a value of $remote_addr:$remote_port`}},

	{name: "gandi", format: "gandi", line: gandi.Example, want: want{host: "www.example.org", method: "GET", target: "/a?b=1", agent: "Mozilla/5.0", client: "192.0.2.7", status: 200, size: 5120, time: at05}},
	{name: "google storage, quotes doubled", format: "google_storage", line: strings.NewReplacer("/a?b=1", `/a?b=""1""`, "Mozilla/5.0", `a ""b"", c`).Replace(googleStorage.Example),
		want: want{host: "www.example.org", method: "GET", target: `/a?b="1"`, agent: `a "b", c`, client: "192.0.2.7", status: 200, size: 5120, time: at05}},
	{name: "google storage, backslash", format: "google_storage", line: strings.Replace(googleStorage.Example, "/a?b=1", `/a\`, 1),
		want: want{host: "www.example.org", method: "GET", target: `/a\`, agent: "Mozilla/5.0", client: "192.0.2.7", status: 200, size: 5120, time: at05}},
	{name: "google storage, empty fields", format: "google_storage", line: strings.NewReplacer("/a?b=1", "", "Mozilla/5.0", "").Replace(googleStorage.Example),
		want: want{host: "www.example.org", method: "GET", client: "192.0.2.7", status: 200, size: 5120, time: at05}},

	{name: "envoy without a client", format: "envoy", line: `[2006-01-02T22:04:05.123Z] "GET /a HTTP/2" 200 - 0 12 3 2 "-" "ua" "id" "example.org" "192.0.2.80:80"`,
		want: want{host: "example.org", method: "GET", target: "/a", agent: "ua", status: 200, size: 12, time: at05}},
	{name: "envoy escapes nothing", format: "envoy", line: `[2006-01-02T22:04:05Z] "GET /\x41 HTTP/2" 200 - 0 12 3 2 "192.0.2.7" "a "quoted" ua" "id" "example.org" "192.0.2.80:80"`,
		want: want{host: "example.org", method: "GET", target: `/\x41`, agent: `a "quoted" ua`, client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "envoy backslashes before quotes", format: "envoy", line: `[2006-01-02T22:04:05Z] "GET /\ HTTP/2" 200 - 0 12 3 2 "192.0.2.7" "ua\" "\" "example.org" "\"`,
		want: want{host: "example.org", method: "GET", target: `/\`, agent: `ua\`, client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "envoy no answer", format: "envoy", line: `[2006-01-02T22:04:05Z] "GET / HTTP/1.1" 0 DC 0 0 3 - "192.0.2.7, 192.0.2.8" "ua" "id" "example.org" "-"`,
		want: want{host: "example.org", method: "GET", target: "/", agent: "ua", client: "192.0.2.8", time: at05}},
	{name: "envoy of tcp", format: "envoy", line: `[2006-01-02T22:04:05Z] "- - -" 0 - 10 20 3 - "-" "-" "-" "-" "192.0.2.80:80"`,
		want: want{target: "- - -", size: 20, time: at05}},

	{name: "alb of ipv6", format: "alb", line: strings.Replace(alb.Example, "192.0.2.7:51234", "2001:db8::7:51234", 1),
		want: want{method: "GET", target: "https://www.example.org:443/a?b=1", agent: "Mozilla/5.0", client: "2001:db8::7", status: 200, size: 5120, time: at05}},
	{name: "alb refused", format: "alb", line: `http 2006-01-02T22:04:05.000000Z app/x 192.0.2.7:51234 - -1 -1 -1 460 - 0 0 "- http://www.example.org:80- -" "-" - - -`,
		want: want{target: "- http://www.example.org:80- -", client: "192.0.2.7", status: 460, time: at05}},
	{name: "elb of tcp", format: "elb", line: `2006-01-02T22:04:05.945958Z lb 192.0.2.7:2817 192.0.2.80:80 0.001 0.000 0.000 - - 82 305 "- - - " "-" - -`,
		want: want{target: "- - - ", client: "192.0.2.7", size: 305, time: at05}},
	{name: "s3 without a size", format: "s3", line: strings.Replace(s3.Example, " 5120 5120 ", " - 5120 ", 1),
		want: want{host: "www.example.org", method: "GET", target: "/a?b=1", agent: "Mozilla/5.0", client: "192.0.2.7", status: 200, time: at05}},
	{name: "s3 of today", format: "s3", line: s3.Example + ` - s9lzHYrFp76ZVxRcpX9= SigV4 ECDHE-RSA-AES128-GCM-SHA256 - www.example.org TLSv1.2 - -`,
		want: want{host: "www.example.org", method: "GET", target: "/a?b=1", agent: "Mozilla/5.0", client: "192.0.2.7", status: 200, size: 5120, time: at05}},

	{name: "squid padded", format: "squid", line: `1136239445.123  12345 192.0.2.7 TCP_MEM_HIT/200 12 GET http://example.org/a - HIER_NONE/- text/html`,
		want: want{method: "GET", target: "http://example.org/a", client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "squid tunnel", format: "squid", line: `1136239445.123     12 192.0.2.7 TCP_TUNNEL/200 12 CONNECT example.org:443 - HIER_DIRECT/192.0.2.80 -`,
		want: want{method: "CONNECT", target: "example.org:443", client: "192.0.2.7", status: 200, size: 12, time: at05}},
	{name: "squid no answer", format: "squid", line: `1136239445.123      0 192.0.2.7 NONE_NONE/000 0 - error:transaction-end-before-headers - HIER_NONE/- -`,
		want: want{target: "error:transaction-end-before-headers", client: "192.0.2.7", time: at05}},

	{name: "ingress-nginx of several upstreams", format: "ingress_nginx", line: combined.Example + ` 412 0.050 [a-9000] [] 192.0.2.80:9000, 192.0.2.81:9000 0, 19437 0.001, 0.049 502, 200 752178adb1`,
		want: want{method: "GET", target: "/a?b=1", agent: "Mozilla/5.0", client: "192.0.2.7", status: 200, size: 5120, time: at05}},
	{name: "ingress-haproxy", format: "ingress_haproxy", line: ingressHAProxy.Example,
		want: want{host: "www.example.org", method: "GET", target: "/a", client: "192.0.2.7", status: 200, size: 5120, time: atUTC}},
	{name: "varnish", format: "varnish", line: varnish.Example, want: want{method: "GET", target: "http://www.example.org/a?b=1",
		agent: "Mozilla/5.0", client: "192.0.2.7", status: 200, size: 5120, time: at05}},
	{name: "jetty 9", format: "jetty", line: `192.0.2.7 -  -  [02/Jan/2006:15:04:05 -0700] "GET /a HTTP/1.1" 200 12 "http://other.example" "ua"  8`,
		want: want{method: "GET", target: "/a", agent: "ua", client: "192.0.2.7", status: 200, size: 12, time: at05}},

	{name: "caddy plain", format: "caddy", line: caddyLine(`"Server":["Caddy"]`), want: caddyHit(ClassIdentity)},
	{name: "caddy compressed", format: "caddy", line: caddyLine(`"Content-Encoding":["zstd"],"Vary":["Accept-Encoding"]`), want: caddyHit(ClassZstd)},
	{name: "caddy without headers", format: "caddy", line: strings.Replace(caddyLine(""), `,"resp_headers":{}`, "", 1), want: caddyHit(ClassUnknown)},
	{name: "caddy 2.4, headers in a string", format: "caddy", line: strings.Replace(caddyLine(""), `["ua"]`, `"ua"`, 1), want: caddyHit(ClassIdentity)},
	{name: "caddy empty header", format: "caddy", line: strings.Replace(caddyLine(""), `["ua"]`, `[]`, 1), want: without2(caddyHit(ClassIdentity))},
	{name: "caddy's other lines", format: "caddy", line: `{"level":"info","ts":1136239445.1,"msg":"using config from file","file":"/etc/caddy/Caddyfile"}`,
		want: want{malformed: "expected a field with the request"}},
	{name: "traefik json compressed", format: "traefik_json", line: strings.Replace(traefikJSON.Example, `"level"`, `"downstream_Content-Encoding":"gzip","level"`, 1),
		want: want{host: "www.example.org", method: "GET", target: "/a?b=1", agent: "Mozilla/5.0", client: "192.0.2.7", status: 200, size: 5120, class: ClassGzip, time: at05}},
	{name: "cloudflare with body bytes", format: "cloudflare", line: strings.Replace(cloudflare.Example, `"RayID"`, `"EdgeResponseBodyBytes":4096,"RayID"`, 1),
		want: want{host: "www.example.org", method: "GET", target: "/a?b=1", agent: "Mozilla/5.0", client: "192.0.2.7", status: 200, size: 4096, time: at05}},
}

const atUTC = at05 - 7*3600 // the same clock, without a zone

func hapHit(method, target string) want {
	return want{method: method, target: target, client: "192.0.2.7", status: 200, size: 5120, time: atUTC}
}

func clfHit(target string) want { w := hapHit("GET", target); w.time = at05; return w }

func sized(w want, size int64) want { w.size = size; return w }

func from(w want, client string) want { w.client = client; return w }

func without2(w want) want { w.agent = ""; return w }

func caddyLine(headers string) string {
	return `{"level":"info","ts":1136239445.5,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"198.51.100.9","client_ip":"192.0.2.7",` +
		`"method":"GET","host":"example.org:8443","uri":"/a","headers":{"User-Agent":["ua"],"Cookie":["REDACTED"]}},"size":12,"status":200,"resp_headers":{` + headers + `}}`
}

func caddyHit(class uint8) want {
	return want{host: "example.org:8443", method: "GET", target: "/a", agent: "ua", client: "192.0.2.7", status: 200, size: 12, class: class, time: at05}
}

func TestServerQuirks(t *testing.T) {
	for _, q := range serverQuirks {
		t.Run(q.name, func(t *testing.T) { q.run(t) })
	}
}
