package weblog

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"dustbuster/operators/read/client"
)

// Who asks, in the notations of servers and proxies, by a parser that has learned from the lines.
func TestClientOfFormats(t *testing.T) {
	const rest = ` - - [02/Jan/2006:15:04:05 -0700] "GET / HTTP/1.1" 200 12 "-" "ua"`
	trusted := &client.Proxies{Trusted: []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")}, Header: "X-Real-IP"}
	for _, c := range []struct {
		name, format, line string
		proxies            *client.Proxies
		want               string
	}{
		{"a port", "combined", "203.0.113.7:40000" + rest, noProxies, "203.0.113.7"},
		{"quotes", "combined", `"203.0.113.7"` + rest, noProxies, "203.0.113.7"},
		{"a quote", "combined", `"203.0.113.7` + rest, noProxies, "203.0.113.7"},
		{"brackets and a port", "combined", "[2001:db8::7]:443" + rest, noProxies, "2001:db8::7"},
		{"IPv4 in IPv6", "combined", "::ffff:203.0.113.7" + rest, noProxies, "203.0.113.7"},
		{"IPv4 in IPv6, in hexadecimal", "combined", "::ffff:cb00:7107" + rest, noProxies, "203.0.113.7"},
		{"a socket", "combined", "unix:" + rest, noProxies, ""},
		{"a socket in front of a proxy", "combined", "unix:" + rest + ` "203.0.113.7"`, noProxies, "203.0.113.7"},
		{"main of nginx", "combined", "10.0.0.1" + rest + ` "192.0.2.1, 203.0.113.7"`, noProxies, "203.0.113.7"},
		{"main of nginx and more", "combined", "10.0.0.1" + rest + ` "203.0.113.7" "www.example.org" rt=0.003 ua="10.0.0.9:80"`, noProxies, "203.0.113.7"},
		{"main of nginx, a public peer", "combined", "203.0.113.66" + rest + ` "192.0.2.1"`, noProxies, "203.0.113.66"},
		{"main of nginx, a trusted peer", "combined", "198.51.100.1" + rest + ` "192.0.2.1, 203.0.113.7, 198.51.100.2"`, trusted, "203.0.113.7"},
		{"main of nginx, no list", "combined", "10.0.0.1" + rest + ` "-"`, noProxies, "10.0.0.1"},
		{"a quoted field that is none", "combined", "10.0.0.1" + rest + ` "0.003"`, noProxies, "10.0.0.1"},
		{"in front", "combined_forwarded", "192.0.2.1, 203.0.113.7, 10.0.0.8 10.0.0.9" + rest, noProxies, "203.0.113.7"},
		{"in front, behind the peer", "combined_forwarded", "10.0.0.9 192.0.2.1, 203.0.113.7" + rest, noProxies, "203.0.113.7"},
		{"Envoy", "envoy", `[2006-01-02T22:04:05Z] "GET / HTTP/2" 200 - 0 12 3 2 "192.0.2.1,203.0.113.7,10.0.0.1" "ua" "id" "example.org" "-"`, noProxies, "203.0.113.7"},
		{"Envoy, within a network", "envoy", `[2006-01-02T22:04:05Z] "GET / HTTP/2" 200 - 0 12 3 2 "10.0.0.7" "ua" "id" "example.org" "-"`, noProxies, "10.0.0.7"},
		{"Caddy 2.4", "caddy", `{"ts":1136239445.1,"request":{"remote_addr":"203.0.113.7:41342","method":"GET","host":"a","uri":"/","headers":{}},"size":12,"status":200}`, noProxies, "203.0.113.7"},
		{"Caddy 2.4, IPv6", "caddy", `{"ts":1136239445.1,"request":{"remote_addr":"[2001:db8::7]:41342","method":"GET","host":"a","uri":"/","headers":{}},"size":12,"status":200}`, noProxies, "2001:db8::7"},
		{"Caddy behind a proxy", "caddy", `{"ts":1136239445.1,"request":{"remote_ip":"10.0.0.1","client_ip":"10.0.0.1","method":"GET","host":"a","uri":"/","headers":{"X-Forwarded-For":["192.0.2.1","203.0.113.7"]}},"size":12,"status":200}`, noProxies, "203.0.113.7"},
		{"Caddy, a header by name", "caddy", `{"ts":1136239445.1,"request":{"remote_ip":"10.0.0.1","method":"GET","host":"a","uri":"/","headers":{"X-Real-IP":["203.0.113.7"],"X-Forwarded-For":["192.0.2.1"]}},"size":12,"status":200}`, trusted, "203.0.113.7"},
		{"JSON", "nginx_json", `{"remote_addr":"10.0.0.1","http_x_forwarded_for":"192.0.2.1, 203.0.113.7","request":"GET / HTTP/1.1","status":200}`, noProxies, "203.0.113.7"},
		{"JSON, a list of strings", "nginx_json", `{"remote_addr":"10.0.0.1","x-forwarded-for":["192.0.2.1", "203.0.113.7"],"request":"GET / HTTP/1.1","status":200}`, noProxies, "203.0.113.7"},
		{"JSON, a public peer", "nginx_json", `{"remote_addr":"203.0.113.66","xff":"192.0.2.1","request":"GET / HTTP/1.1","status":200}`, noProxies, "203.0.113.66"},
		{"JSON, no peer", "nginx_json", `{"xff":"192.0.2.1, 203.0.113.7, 10.0.0.1","request":"GET / HTTP/1.1","status":200}`, noProxies, "203.0.113.7"},
		{"JSON, a header by name", "nginx_json", `{"remote_addr":"10.0.0.1","xff":"192.0.2.1","http_x_real_ip":"203.0.113.7","request":"GET / HTTP/1.1","status":200}`, trusted, "203.0.113.7"},
		{"OpenTelemetry, a public peer", "ecs", `{"client.address":"192.0.2.1","network.peer.address":"203.0.113.66","http.request.method":"GET","url.path":"/","http.response.status_code":200}`, noProxies, "203.0.113.66"},
		{"OpenTelemetry, a private peer", "ecs", `{"client.address":"203.0.113.7","network.peer.address":"10.0.0.1","http.request.method":"GET","url.path":"/","http.response.status_code":200}`, noProxies, "203.0.113.7"},
		{"Azure, whose client has sent a list", "azure_front_door", strings.Replace(azureFrontDoor.Example, `"clientIp":"192.0.2.7"`, `"clientIp":"192.0.2.1","socketIp":"203.0.113.66"`, 1), noProxies, "203.0.113.66"},
		{"W3C", "w3c", "2006-01-02 22:04:05 GET /a 10.0.0.1 200 192.0.2.1,+203.0.113.7:5050", noProxies, "203.0.113.7"},
		{"HAProxy, a socket", "haproxy", strings.Replace(haproxyExample, "192.0.2.7:51234", "unix:1", 1) + `"GET / HTTP/1.1"`, noProxies, ""},
		{"HAProxy, IPv4 in IPv6", "haproxy", strings.Replace(haproxyExample, "192.0.2.7:51234", "::ffff:203.0.113.7:51234", 1) + `"GET / HTTP/1.1"`, noProxies, "203.0.113.7"},
		{"ALB without a client", "alb", strings.Replace(alb.Example, "192.0.2.7:51234", "-:-", 1), noProxies, ""},
		{"ALB, IPv6", "alb", strings.Replace(alb.Example, "192.0.2.7:51234", "[2001:db8::7]:51234", 1), noProxies, "2001:db8::7"},
		{"names of nginx", `$remote_addr "$http_x_forwarded_for" "$request" $status`, `10.0.0.1 "192.0.2.1, 203.0.113.7" "GET / HTTP/1.1" 200`, noProxies, "203.0.113.7"},
		{"names of Apache", `%a "%{X-Forwarded-For}i" "%r" %>s`, `10.0.0.1 "192.0.2.1, 203.0.113.7" "GET / HTTP/1.1" 200`, noProxies, "203.0.113.7"},
		{"a header of Apache by name", `%a "%{X-Real-IP}i" "%{X-Forwarded-For}i" "%r" %>s`, `10.0.0.1 "203.0.113.7" "192.0.2.1" "GET / HTTP/1.1" 200`, trusted, "203.0.113.7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := [][]byte{[]byte(c.line)}
			if c.format == "w3c" {
				lines = append([][]byte{[]byte("#Fields: date time cs-method cs-uri-stem c-ip sc-status X-Forwarded-For")}, lines...)
			}
			p, err := NewBehind(c.proxies, c.format)
			must(t, err)
			p.Learn(lines)
			for _, p := range []*Parser{p, p.Fresh()} {
				for i, line := range lines {
					var h Hit
					if err := p.Parse(&h, line); i == len(lines)-1 && (err != nil || string(h.Client) != c.want) {
						t.Errorf("%q, %v, want %q", h.Client, err, c.want)
					}
				}
			}
		})
	}
}

// A list counts if at least 99 % of the lines have one.
func TestLearn(t *testing.T) {
	line := func(list string) []byte {
		return fmt.Appendf(nil, `10.0.0.1 - - [02/Jan/2006:15:04:05 -0700] "GET / HTTP/1.1" 200 12 "-" "ua" "%s"`, list)
	}
	for _, c := range []struct {
		without int // of 200 lines
		want    string
	}{{0, "203.0.113.7"}, {2, "203.0.113.7"}, {3, "10.0.0.1"}, {200, "10.0.0.1"}} {
		var lines [][]byte
		for i := range 200 {
			list := "203.0.113.9"
			if i < c.without {
				list = "-"
			}
			lines = append(lines, line(list))
		}
		p := mustNew(t, "combined")
		p.Learn(lines)
		var h Hit
		if err := p.Parse(&h, line("203.0.113.7")); err != nil || string(h.Client) != c.want {
			t.Errorf("%d lines without a list: %q, %v, want %q", c.without, h.Client, err, c.want)
		}
	}
}

// Parsers of several goroutines share nothing that they write: not the last peer either.
func TestFreshPeer(t *testing.T) {
	line := func(peer string) []byte {
		return []byte(`192.0.2.7, ` + peer + ` - - [02/Jan/2006:15:04:05 -0700] "GET /a HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`)
	}
	p := mustNew(t, "combined_forwarded")
	var h, other Hit
	must(t, p.Parse(&h, line("10.0.0.9")))
	must(t, p.Fresh().Parse(&other, line("10.0.0.8")))
	if got := string(p.proxied.peer); got != "10.0.0.9" || string(h.Client) != "192.0.2.7" {
		t.Errorf("last peer %s, client %s", got, h.Client)
	}
	must(t, p.Parse(&h, line("198.51.100.1"))) // no proxy
	if string(h.Client) != "198.51.100.1" {
		t.Errorf("client %s", h.Client)
	}
}
