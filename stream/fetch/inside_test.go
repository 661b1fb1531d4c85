package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

// Tests of parts that a Fetcher does not show, such as the place to which a redirect over https leads.

func reasonOf(err error) Reason {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason
	}
	return ""
}

func TestSchemes(t *testing.T) {
	f, err := New(Options{Scheme: "http"})
	expect.NoError(t, err)
	p := place{site: "example.org", scheme: "https", host: "example.org", path: "/"}
	for _, c := range []struct {
		name, location string
		want           Reason
	}{
		{"down to http", "http://example.org/x", OffSite},
		{"the same scheme", "https://example.org/x", ""},
		{"with the scheme's port", "https://example.org:443/x", ""},
		{"without a scheme", "//example.org/y", ""},
		{"another port", "https://example.org:8443/x", OffSite},
		{"a name below", "https://www.example.org/", OffSite},
		{"the name above", "https://org/", OffSite},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := f.within(p, c.location); reasonOf(err) != c.want {
				t.Errorf("https to %s: %v", c.location, err)
			}
		})
	}
	p.scheme = "http"
	next, err := f.within(p, "https://example.org/x")
	if err != nil || next.url() != "https://example.org/x" {
		t.Errorf("http to https: %v, %v", next, err)
	}
}

// Without an origin no server chooses a port: only ports in the log are requested.
func TestRedirectToPort(t *testing.T) {
	f, err := New(Options{Scheme: "http", Within: func(string, string) bool { return true }})
	expect.NoError(t, err)
	for _, c := range []struct {
		name, from, to string
		want           Reason
	}{
		{"no port to no port", "www.example.org", "example.org", ""},
		{"no port to a port", "www.example.org", "example.org:6379", OffSite},
		{"no port to a port of the same host", "www.example.org", "www.example.org:22", OffSite},
		{"a port to no port", "www.example.org:8081", "example.org", ""},
		{"a port to the same", "www.example.org:8081", "example.org:8081", ""},
		{"a port to another", "www.example.org:8081", "example.org:6379", OffSite},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := f.place(&Request{Site: "example.org", Target: c.from + "/x"})
			expect.NoError(t, err)
			if _, err := f.within(p, "http://"+c.to+"/x"); reasonOf(err) != c.want {
				t.Errorf("from %s to %s: %v", c.from, c.to, err)
			}
		})
	}
}

// Connections to an origin go to its own address and port only.
func TestGuardOfOrigin(t *testing.T) {
	o, err := parseOrigin("http://127.0.0.1:8081", nil)
	expect.NoError(t, err)
	for _, c := range []struct {
		name, network, address string
		safe                   bool
	}{
		{"its own", "tcp4", "127.0.0.1:8081", true},
		{"a neighbour", "tcp4", "127.0.0.2:8081", false},
		{"the next port", "tcp4", "127.0.0.1:8082", false},
		{"the port of http", "tcp4", "127.0.0.1:80", false},
		{"a private address", "tcp4", "10.0.0.1:8081", false},
		{"loopback of IPv6", "tcp6", "[::1]:8081", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := o.guard().Safe(c.network, c.address, nil); (err == nil) != c.safe {
				t.Errorf("%s: %v", c.address, err)
			}
		})
	}
}

func TestPublicAddresses(t *testing.T) {
	for _, addr := range []string{"8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "198.20.0.1", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e"} {
		t.Run(addr, func(t *testing.T) {
			network := "tcp4"
			if netip.MustParseAddr(addr).Is6() {
				network = "tcp6"
			}
			for _, port := range []string{"80", "443", "8080"} {
				if err := public("example.org:8080").Safe(network, net.JoinHostPort(addr, port), nil); err != nil {
					t.Error(err)
				}
			}
			if err := public("example.org").Safe(network, net.JoinHostPort(addr, "22"), nil); err == nil {
				t.Error("port 22 is let through")
			}
		})
	}
}

// A proxy from the environment would see the requests. Over loopback none would be used anyway, so the
// transports are asked.
func TestNoProxy(t *testing.T) {
	f, err := New(Options{Origin: "http://127.0.0.1:8081"})
	expect.NoError(t, err)
	if f.transport(f.standard, "example.org").Proxy != nil || f.transport(nil, "example.org").Proxy != nil {
		t.Error("there may be a proxy")
	}
}

// Rules of hosts that ask for a long memory are dropped in time.
func TestRulesBounded(t *testing.T) {
	f, err := New(Options{Version: "1", Scheme: "http", MaxHosts: 1000})
	expect.NoError(t, err)
	r := rules{robots: parseRobots([]byte("User-agent: *\n" + strings.Repeat("Allow:/\n", 60_000)))}
	for i := range 500 {
		f.rules.Add(fmt.Sprint(i%100), r)
		if f.rules.Bytes > maxRules || f.rules.Bytes != int64(f.rules.Len()*int(sizeOf("", r))) {
			t.Fatalf("%d bytes in %d entries of %d", f.rules.Bytes, f.rules.Len(), int(sizeOf("", r)))
		}
	}
	if f.rules.Len() < 10 {
		t.Errorf("only %d entries kept", f.rules.Len())
	}
}

// A wait that would end after the deadline is not begun.
func TestUntilDeadline(t *testing.T) {
	f, err := New(Options{Scheme: "http"})
	expect.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := f.until(ctx, place{}, func(now time.Time) time.Time { return now.Add(time.Second) }); reasonOf(err) != Held {
		t.Errorf("waited until the deadline: %v", err)
	}
}

func TestWithoutHost(t *testing.T) {
	for _, c := range []struct{ name, text, host, want string }{
		{"with www and without", "http://WWW.Shop.example/ and shop.EXAMPLE, not shop.examples", "www.shop.example", "http://§/ and §, not §s"},
		{"with a port and without", "www.shop.example:8080 www.shop.example", "www.shop.example:8080", "§ §"},
		{"no text", "", "a.example", ""},
		{"a letter that grows in lower case", "İa.example", "a.example", "İ§"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.ReplaceAll(namesOf(c.host).ReplaceAllLiteralString(c.text, sign), sign, "§")
			if got != c.want {
				t.Errorf("%q without %q is %q, want %q", c.text, c.host, got, c.want)
			}
		})
	}
}
