package client_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/read/client"
)

var addresses = []string{"192.0.2.1", "2001:db8::1", "2001:DB8:0:0:1::", "::", "::1", "1::", "fe80::1%eth0", "::ffff:192.0.2.1",
	"::ffff:c000:201", "::192.0.2.1", "64:ff9b::192.0.2.33", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8",
	"1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:::2", "1::2::3", ":1::", "1::2:", "12345::", "g::", "::1.2.3", "::1.2.3.256", "::01.2.3.4",
	"1:2:3:4:5:6:7:1.2.3.4", "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "host:80", ":", "", "%", "[::1]", "::ffff:192.0.2.1%eth0", "::%",
	"1.2.3", "1.2.3.4.5", "01.2.3.4", "256.2.3.4", "1.2.3.", ".1.2.3", "1.2.3.4%eth0", "1.2.3.4 "}

func parsesAlike(t *testing.T, text string) {
	t.Helper()
	want, err := netip.ParseAddr(text)
	got, ok := client.Parse([]byte(text))
	if ok != (err == nil) || ok && got != want.Unmap().WithZone("") {
		t.Errorf("%q: %v, %v, want %v, %v", text, got, ok, want, err)
	}
}

// The parser of addresses agrees with the standard library's.
func TestParse(t *testing.T) {
	for _, text := range addresses {
		parsesAlike(t, text)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range addresses {
		f.Add(text)
	}
	f.Fuzz(parsesAlike)
}

func clean(text string) string {
	var buf []byte
	return string(client.Clean([]byte(text), &buf))
}

func TestClean(t *testing.T) {
	for _, c := range []struct{ name, logged, want string }{
		{"an address", "203.0.113.7", "203.0.113.7"},
		{"with a port", "203.0.113.7:40000", "203.0.113.7"},
		{"with an empty port", "203.0.113.7:", "203.0.113.7"},
		{"without a port", "203.0.113.7:-", "203.0.113.7"},
		{"a quote before it", `"203.0.113.7`, "203.0.113.7"},
		{"in quotes", `"203.0.113.7"`, "203.0.113.7"},
		{"in quotes, with a port", `'203.0.113.7:443'`, "203.0.113.7"},
		{"as Java writes it", "/203.0.113.7:40000", "203.0.113.7"},
		{"IPv6", "2001:db8::7", "2001:db8::7"},
		{"IPv6 in brackets", "[2001:db8::7]", "2001:db8::7"},
		{"IPv6 with a port", "[2001:db8::7]:443", "2001:db8::7"},
		{"IPv6 in quotes", `"[2001:db8::7]:443"`, "2001:db8::7"},
		{"IPv6 as Java writes it", "/[2001:db8:0:0:0:0:0:7%0]:443", "2001:db8:0:0:0:0:0:7"},
		{"IPv6 with a zone", "fe80::1%eth0", "fe80::1"},
		{"IPv6 with a zone, encoded", "[fe80::1%25eth0]:80", "fe80::1"},
		{"IPv6 with a port and no brackets", "2001:db8:0:0:0:0:0:7:51234", "2001:db8:0:0:0:0:0:7"},
		{"IPv6 whose end may be a port", "2001:db8::7:443", "2001:db8::7:443"},
		{"IPv4 in IPv6", "::ffff:203.0.113.7", "203.0.113.7"},
		{"IPv4 in IPv6, in capitals", "::FFFF:203.0.113.7", "203.0.113.7"},
		{"IPv4 in IPv6, in hexadecimal", "::ffff:cb00:7107", "203.0.113.7"},
		{"IPv4 in IPv6, written out", "0:0:0:0:0:ffff:cb00:7107", "203.0.113.7"},
		{"IPv4 in IPv6, with a port", "[::ffff:203.0.113.7]:443", "203.0.113.7"},
		{"IPv4 in IPv6, with a port and no brackets", "::ffff:203.0.113.7:443", "203.0.113.7"},
		{"IPv4 in IPv6, with a zone", "::ffff:203.0.113.7%eth0", "203.0.113.7"},
		{"a name", "host.example.org", "host.example.org"},
		{"a name with a port", "host.example.org:443", "host.example.org"},
		{"nothing", "", ""},
		{"a dash", "-", ""},
		{"a dash in quotes", `"-"`, ""},
		{"a dash and a port", "-:-", ""},
		{"a dash and a number", "-:0", ""},
		{"a socket", "unix:", ""},
		{"a socket with a path", "unix:/run/nginx.sock", ""},
		{"a socket of HAProxy", "unix:1", ""},
		{"a socket of Go", "@", ""},
		{"not told", "unknown", ""},
		{"brackets that do not close", "[2001:db8::7", "[2001:db8::7"},
		{"brackets and words", "[2001:db8::7]x", "[2001:db8::7]x"},
		{"words", "a:b:c:d", "a:b:c:d"},
		{"a word and a zone", "0%0:0:0", "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := clean(c.logged); got != c.want {
				t.Errorf("%q: %q, want %q", c.logged, got, c.want)
			}
		})
	}
}

// Nothing is left to clean, and what Clean takes off changes no address.
func FuzzClean(f *testing.F) {
	for _, text := range addresses {
		f.Add(text)
		f.Add("[" + text + "]:80")
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := clean(text)
		if a, err := netip.ParseAddr(text); err == nil {
			if b, err := netip.ParseAddr(once); err != nil || b != a.Unmap().WithZone("") {
				t.Errorf("%q: %q", text, once)
			}
		}
		if _, ok := client.Parse([]byte(once)); ok && clean(once) != once {
			t.Errorf("%q: %q, then %q", text, once, clean(once))
		}
	})
}

func network(text string) string { return string(client.AppendNetwork(nil, []byte(clean(text)))) }

func TestNetworks(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		one        bool
	}{
		{"neighbors", "8.8.8.1", "8.8.8.254", true},
		{"not neighbors", "8.8.8.1", "8.8.9.1", false},
		{"neighbors in IPv6", "::ffff:8.8.8.1", "8.8.8.2", true},
		{"a customer of IPv6", "2600:1:2:3::1", "2600:1:2:ffff:1:2:3:4", true},
		{"two customers of IPv6", "2600:1:2:3::1", "2600:1:3:3::1", false},
		{"private neighbors", "10.0.0.1", "10.0.0.2", false},
		{"neighbors behind a carrier", "100.64.0.1", "100.64.0.2", false},
		{"loopback", "127.0.0.1", "127.0.0.2", false},
		{"private neighbors of IPv6", "fd00::1", "fd00::2", false},
		{"on one link", "fe80::1%eth0", "fe80::2%eth0", false},
		{"documentation 1", "192.0.2.1", "192.0.2.2", false},
		{"documentation 2", "198.51.100.1", "198.51.100.2", false},
		{"documentation 3", "203.0.113.1", "203.0.113.2", false},
		{"documentation of IPv6", "2001:db8::1", "2001:db8::2", false},
		{"beside the documentation", "2001:db9::1", "2001:db9::2", true},
		{"notations", "2001:DB8::0001", "2001:db8:0:0:0:0:0:1", true},
		{"names", "a.example.org", "b.example.org", false},
		{"a name and a network", "\x08\x08\x08", "8.8.8.8", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if one := network(c.a) == network(c.b); one != c.one {
				t.Errorf("%s and %s: one is %v", c.a, c.b, one)
			}
		})
	}
	text, b := []byte("2001:db8::1"), make([]byte, 0, 64)
	if n := testing.AllocsPerRun(10, func() { b = client.AppendNetwork(b[:0], text) }); n > 0 {
		t.Errorf("a network costs %v allocations", n)
	}
}

func TestLast(t *testing.T) {
	x := client.Proxies{Trusted: []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("2001:db8:c::/48")}}
	for _, c := range []struct{ name, list, want string }{
		{"one", "203.0.113.7", "203.0.113.7"},
		{"forged", "192.0.2.1, 203.0.113.7", "203.0.113.7"},
		{"forged, behind private proxies", "192.0.2.1, 203.0.113.7, 10.0.0.8,127.0.0.1", "203.0.113.7"},
		{"forged, behind trusted proxies", "192.0.2.1, 203.0.113.7, 198.51.100.8, 2001:db8:c::1", "203.0.113.7"},
		{"forged, private", "10.9.9.9, 203.0.113.7, 10.0.0.8", "203.0.113.7"},
		{"forged, garbage", `'; --, "), 203.0.113.7`, "203.0.113.7"},
		{"ports", "203.0.113.7:40000, 10.0.0.8:80", "203.0.113.7"},
		{"IPv6", "192.0.2.1, [2001:db8::7]:40000, [fd00::1]", "2001:db8::7"},
		{"IPv4 in IPv6", "192.0.2.1, ::ffff:203.0.113.7", "203.0.113.7"},
		{"private in IPv6", "203.0.113.7, ::ffff:10.0.0.8", "203.0.113.7"},
		{"not told by a proxy", "203.0.113.7, unknown", "203.0.113.7"},
		{"not told to a proxy", "unknown, 203.0.113.7", "203.0.113.7"},
		{"a socket of a proxy", "203.0.113.7, unix:", "203.0.113.7"},
		{"blanks", "  192.0.2.1 ,  203.0.113.7\t", "203.0.113.7"},
		{"blanks alone", "192.0.2.1 203.0.113.7", "203.0.113.7"},
		{"blanks of IIS", "192.0.2.1,+203.0.113.7:5050", "203.0.113.7"},
		{"no blanks", "192.0.2.1,203.0.113.7", "203.0.113.7"},
		{"empty elements", ", ,203.0.113.7,,", "203.0.113.7"},
		{"quotes", `"192.0.2.1", "203.0.113.7"`, "203.0.113.7"},
		{"a word of a proxy", "203.0.113.7, proxy", ""},
		{"private alone", "10.0.0.7, 10.0.0.8", ""},
		{"trusted alone", "198.51.100.7", ""},
		{"nobody", "-", ""},
		{"empty", "", ""},
		{"RFC 7239", "for=203.0.113.7", "203.0.113.7"},
		{"RFC 7239, all of it", `for=192.0.2.1;proto=http, For="[2001:db8:cafe::17]:4711";by=192.0.2.9;proto=https`, "2001:db8:cafe::17"},
		{"RFC 7239, private proxy", `for=203.0.113.7; proto=http; by=192.0.2.9, for=10.0.0.8`, "203.0.113.7"},
		{"RFC 7239, not told", `for=203.0.113.7, for=unknown, for=_hidden, for="_SEVKISEK"`, "203.0.113.7"},
		{"RFC 7239, without for", `proto=https;by=192.0.2.9`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var buf []byte
			if got := string(x.Last([]byte(c.list), &buf)); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// Whatever a client writes into the header, the address that the proxy appends is taken.
func FuzzLast(f *testing.F) {
	f.Add("192.0.2.1, ")
	f.Add(`for="[::1]`)
	f.Add(`"'([`)
	f.Fuzz(func(t *testing.T, forged string) {
		var buf []byte
		x := client.Proxies{}
		if got := string(x.Last([]byte(forged+", 203.0.113.7"), &buf)); got != "203.0.113.7" {
			t.Errorf("%q: %q", forged, got)
		}
	})
}

func TestIsList(t *testing.T) {
	for _, c := range []struct {
		list string
		want bool
	}{
		{"203.0.113.7", true}, {"unknown, 203.0.113.7", true}, {"10.0.0.1 2001:db8::7", true}, {"for=203.0.113.7", true}, {"203.0.113.7:80", true},
		{"", false}, {"-", false}, {"unknown", false}, {"0.003", false}, {"www.example.org", false}, {"203.0.113.7 a", false}, {strings.Repeat(",", 99), false},
	} {
		if got := client.IsList([]byte(c.list)); got != c.want {
			t.Errorf("%q: %v", c.list, got)
		}
	}
}

// The networks that are private are those of the RFCs, whatever stands around them.
func TestPrivateIPv4(t *testing.T) {
	networks := []netip.Prefix{netip.MustParsePrefix("0.0.0.0/32"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("127.0.0.0/8"),
		netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16")}
	for n := range 1 << 16 {
		for _, end := range [][2]byte{{0, 0}, {0, 1}, {255, 255}} {
			a := netip.AddrFrom4([4]byte{byte(n >> 8), byte(n), end[0], end[1]})
			want := slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(a) })
			if got := client.Private(a); got != want {
				t.Fatalf("%v is private: %v, want %v", a, got, want)
			}
		}
	}
}

// Text that can hold nothing but an IPv4 address is clean, and other text is not taken for it.
func TestPlain(t *testing.T) {
	for _, text := range []string{"192.0.2.7", "198.51.100.255", "255.255.255.255", "1.2.3.4.5"} {
		if !client.Plain([]byte(text)) || string(client.Clean([]byte(text), new([]byte))) != text {
			t.Errorf("%q is not plain", text)
		}
	}
	for _, text := range []string{"", "-", "unknown", "/192.0.2.7", "192.0.2.7:80", "192.0.2.7 ", "\"192.0.2.7", "2001:db8::7", "192.0.2.7, 192.0.2.8", "1.2.3.4"} {
		if client.Plain([]byte(text)) {
			t.Errorf("%q is plain", text)
		}
	}
}
