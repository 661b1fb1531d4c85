package fetch_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"dustbuster/stream/fetch"

	"golang.org/x/net/dns/dnsmessage"
)

// names is a name server that returns any address for any name.
type names struct {
	mu   sync.Mutex
	addr netip.Addr
}

func (n *names) set(addr string) {
	n.mu.Lock()
	n.addr = netip.MustParseAddr(addr)
	n.mu.Unlock()
}

func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go n.answer(far)
		return near, nil
	}}
}

// answer serves one connection by DNS over TCP.
func (n *names) answer(conn net.Conn) {
	defer conn.Close()
	for {
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, query); err != nil {
			return
		}
		var m dnsmessage.Message
		if err := m.Unpack(query); err != nil {
			return
		}
		m.Response = true
		n.fill(&m)
		packed, err := m.Pack()
		if err != nil {
			return
		}
		binary.BigEndian.PutUint16(size[:], uint16(len(packed)))
		if _, err := conn.Write(append(size[:], packed...)); err != nil {
			return
		}
	}
}

func (n *names) fill(m *dnsmessage.Message) {
	n.mu.Lock()
	defer n.mu.Unlock()
	q := m.Questions[0]
	m.Additionals = nil
	header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}
	switch {
	case q.Type == dnsmessage.TypeA && n.addr.Is4():
		m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: n.addr.As4()}}}
	case q.Type == dnsmessage.TypeAAAA && n.addr.Is6():
		m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: n.addr.As16()}}}
	}
}

// forbidden are addresses to which no name may lead.
var forbidden = []string{
	"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.1.2.3",
	"169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.170", "192.0.2.1", "192.88.99.1",
	"192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255",
	"240.0.0.1", "255.255.255.255",
	"::", "::1", "::127.0.0.1", "::10.0.0.1", // unspecified, loopback, compatible
	"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", // mapped
	"::ffff:0:127.0.0.1",                     // translated (RFC 2765)
	"64:ff9b::127.0.0.1", "64:ff9b::8.8.8.8", // NAT64
	"64:ff9b:1::10.0.0.1",                             // local-use NAT64
	"100::1",                                          // discarded
	"2001::1", "2001:0:4136:e378:8000:63bf:80ff:fffe", // Teredo
	"2001:db8::1", "3fff::1", // documentation
	"2001:2::1", "2001:10::1", "2001:20::1", // benchmarks, ORCHID
	"2002:7f00:1::1", "2002:a00:1::", // 6to4 of 127.0.0.1 and 10.0.0.1
	"5f00::1",                      // segment routing
	"fc00::1", "fd12:3456:789a::1", // unique local
	"fe80::1", "febf::1", "fec0::1", // link-local, site-local
	"ff02::1", "ff0e::1", "fe00::1", "4000::1",
}

// Each address returned by the name server is refused before connecting. A site that is
// itself an address is not even resolved.
func TestForbiddenAddresses(t *testing.T) {
	n := new(names)
	for _, addr := range forbidden {
		t.Run(addr, func(t *testing.T) {
			n.set(addr)
			f := loopbackFetcher(t, fetch.Options{Scheme: "http", Resolver: n.resolver()})
			refused(t, f, "evil.test", "/", fetch.Address)

			literal := addr
			if strings.Contains(addr, ":") {
				literal = "[" + netip.MustParseAddr(addr).String() + "]"
			}
			f = loopbackFetcher(t, fetch.Options{Scheme: "https", Resolver: n.resolver()})
			refused(t, f, literal, "/", fetch.NoOrigin)
		})
	}
}

// A site named by an address, public or not, is fetched only from an origin.
func TestSitesNamedByAddresses(t *testing.T) {
	f := loopbackFetcher(t, fetch.Options{Scheme: "https", Origins: map[string]string{"192.0.2.9": "http://127.0.0.1:8080"}})
	for _, c := range []struct {
		name, site string
		want       bool
	}{
		{"an address", "8.8.8.8", false},
		{"an address with a port", "8.8.8.8:8080", false},
		{"an address of IPv6", "[2606:4700:4700::1111]", false},
		{"an address of IPv6 with a port", "[2606:4700:4700::1111]:81", false},
		{"one number", "134744072", false},
		{"two numbers", "8.2056", false},
		{"a hexadecimal number first", "0x8.8.8.8", false},
		{"a hexadecimal number last", "8.8.8.0x8", false},
		{"an address with an origin", "192.0.2.9", true},
		{"a name that begins like an address", "8.8.8.8.example.org", true},
		{"a digit in a name", "www8.example.org", true},
		{"a name that begins with a number", "8.example", true},
		{"a top level not in ASCII", "a.xn--p1ai", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := f.CanFetch(c.site); got != c.want {
				t.Errorf("CanFetch(%q) is %v", c.site, got)
			}
		})
	}
}

// doorbell starts a server that counts connections, of which there must be none.
func doorbell(t *testing.T, l net.Listener) (rung *atomic.Int64) {
	t.Helper()
	rung = new(atomic.Int64)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			rung.Add(1)
			conn.Close()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
	return rung
}

// bellAtHome starts a doorbell on a port of 127.0.0.1.
func bellAtHome(t *testing.T) (port int, rung *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	return l.Addr().(*net.TCPAddr).Port, doorbell(t, l)
}

// Spellings of 127.0.0.1 that some resolver understands cause no connection.
func TestLoopbackSpellings(t *testing.T) {
	port, rung := bellAtHome(t)
	n := new(names)
	n.set("127.0.0.1")
	for _, host := range []string{"127.0.0.1", "localhost", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.1.", "[::1]",
		"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0", "0.0.0.0", "evil.test", "127.0.0.1.nip.io", "foo@127.0.0.1", "foo:bar@127.0.0.1",
		"example.org#@127.0.0.1", "example.org/@127.0.0.1", "127.0.0.1%00", "127.0.0.1\r\nX: y", "ⓛocalhost", "127。0。0。1", ""} {
		t.Run(fmt.Sprintf("%q", host), func(t *testing.T) {
			for _, scheme := range []string{"http", "https"} {
				f := loopbackFetcher(t, fetch.Options{Scheme: scheme, Resolver: n.resolver()})
				_, err := f.Get(t.Context(), of(fmt.Sprintf("%s:%d", host, port), "/"))
				switch reason(err) {
				case fetch.Address, fetch.Target, fetch.Closed, fetch.Network, fetch.NoOrigin: // no resolver knows the name
				default:
					t.Errorf("%q: %v", host, err)
				}
			}
		})
	}
	if rung.Load() != 0 {
		t.Errorf("%d connections", rung.Load())
	}
}

// A name that first leads to an allowed address and later to a forbidden address is
// refused at the next connection.
func TestRebinding(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(hello))
	srv.Listener.Close()
	var port string
	var bell net.Listener
	for bell == nil { // until a port is free on both addresses
		var err error
		if srv.Listener, err = net.Listen("tcp", "127.0.0.2:0"); err != nil {
			t.Skipf("NOT TESTED: no second loopback address: %v", err)
		}
		_, port, _ = net.SplitHostPort(srv.Listener.Addr().String())
		if bell, err = net.Listen("tcp", "127.0.0.1:"+port); errors.Is(err, syscall.EADDRINUSE) {
			srv.Listener.Close()
		} else if err != nil {
			t.Fatal(err)
		}
	}
	srv.Start()
	defer srv.Close()
	rung := doorbell(t, bell)

	n := new(names)
	n.set("127.0.0.2")
	f := loopbackFetcher(t, fetch.Options{
		Origin: "http://rebind.test:" + port, Private: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}, Resolver: n.resolver(),
	})
	get(t, f, site, "/a")
	n.set("127.0.0.1")
	get(t, f, site, "/old")
	srv.CloseClientConnections()
	refused(t, f, site, "/b", fetch.Address)
	if rung.Load() != 0 {
		t.Errorf("%d connections", rung.Load())
	}
	n.set("127.0.0.2")
	get(t, f, site, "/b")
}

func TestOrigins(t *testing.T) {
	for _, c := range []struct{ name, origin string }{
		{"empty", ""}, {"no scheme", "example.org"}, {"another scheme", "ftp://x"}, {"no host", "http://"}, {"a user", "http://u:p@x"},
		{"a path", "http://x/path"}, {"a query", "http://x?q"}, {"a fragment", "http://x#f"}, {"a port out of range", "http://x:99999"},
		{"an unspecified address", "http://0.0.0.0"}, {"an address of metadata", "http://169.254.169.254"}, {"a zone", "http://[fe80::1%25lo]"},
		{"a multicast address", "http://224.0.0.1"}, {"a carrier's address", "http://100.64.0.1"}, {"an end of line", "http://x\r\ny"},
		{"a space", "http://x y"}, {"a letter not in ASCII", "http://Ü"},
	} {
		t.Run("refused, "+c.name, func(t *testing.T) {
			if _, err := fetch.New(fetch.Options{Origins: map[string]string{site: c.origin}}); err == nil {
				t.Errorf("origin %q is taken", c.origin)
			}
		})
	}
	for _, c := range []struct {
		name, origin, address string
		private               []netip.Prefix
	}{
		{"an address with a port", "http://127.0.0.1:8081", "127.0.0.1:8081", nil},
		{"an address of IPv6", "http://[::1]", "[::1]:80", nil},
		{"https", "https://10.0.0.1/", "10.0.0.1:443", nil},
		{"a mapped address", "http://[::ffff:127.0.0.1]:1", "127.0.0.1:1", nil},
		{"localhost in capitals", "http://LOCALHOST:8081", "localhost:8081", nil},
		{"a name", "https://example.org", "example.org:443", nil},
		{"a unique local address", "http://[fd00::1]:8080", "[fd00::1]:8080", nil},
		{"a carrier's address that is listed", "http://100.64.0.1", "100.64.0.1:80", []netip.Prefix{netip.MustParsePrefix("100.64.0.0/10")}},
	} {
		t.Run("taken, "+c.name, func(t *testing.T) {
			f, err := fetch.New(fetch.Options{Origins: map[string]string{site: c.origin}, Private: c.private})
			must(t, err)
			if got := f.Origin(site); got != c.address {
				t.Errorf("origin %q is at %q", c.origin, got)
			}
		})
	}
}

// Redirects to other sites are not followed, and cause no connection.
func TestHostileRedirects(t *testing.T) {
	port, rung := bellAtHome(t)
	var location atomic.Value
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/go" {
			w.Header()["Location"] = []string{location.Load().(string)}
			w.WriteHeader(http.StatusFound)
			return
		}
		http.NotFound(w, r)
	}))
	defer srv.Close()
	at := "127.0.0.1:" + strconv.Itoa(port)
	for _, to := range []string{
		"http://" + at + "/", "//" + at + "/", "http:////" + at + "/", "http://example.org@" + at + "/", "http://example.org:80@" + at + "/",
		"http://" + at + "#@example.org/", "http://" + at + "\\@example.org/", "http://example.org." + at + "/", "http://example.org:" + strconv.Itoa(port) + "/",
		"http://169.254.169.254/latest/meta-data/", "http://[::ffff:127.0.0.1]:" + strconv.Itoa(port) + "/", "http://[fe80::1%25lo]/",
		"http://ExAmPlE.org.evil.test/", "http://example.org%2f@evil.test/", "http://example.org%00.evil.test/", "http://exa\tmple.org/",
		"javascript:alert(1)", "file:///etc/passwd", "ftp://example.org/", "gopher://" + at + "/_", "data:text/html,x", "http:example.org", "unix:/run/x",
		"http://example.org:0x50/", "http://\u212aexample.org/", "/x\x01y", "/x\x7f", "/%zz", "/" + strings.Repeat("a", fetch.MaxTarget),
	} {
		t.Run(fmt.Sprintf("%.40q", to), func(t *testing.T) {
			location.Store(to)
			f := loopbackFetcher(t, fetch.Options{Origin: srv.URL})
			_, err := f.Get(t.Context(), of("example.org", "/go"))
			if r := reason(err); r != fetch.OffSite && r != fetch.Target && r != fetch.Network {
				t.Errorf("%q: %v", to, err)
			}
		})
	}
	if rung.Load() != 0 {
		t.Errorf("%d connections", rung.Load())
	}
}

// A public host that redirects to a private host by the public name is refused as well.
func TestRedirectIntoRebinding(t *testing.T) {
	port, rung := bellAtHome(t)
	n := new(names)
	n.set("127.0.0.1")
	bells := fmt.Sprintf("evil.test:%d", port)
	f := loopbackFetcher(t, fetch.Options{Scheme: "http", Resolver: n.resolver()})
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		f.Use(func(o *fetch.Options) { o.Dial = nil }) // from now on names are resolved
		http.Redirect(w, r, "http://"+bells+"/inside", http.StatusFound)
	})
	f.Use(func(o *fetch.Options) { o.Dial = w.dial })
	refused(t, f, bells, "/", fetch.Address)
	if rung.Load() != 0 {
		t.Errorf("%d connections", rung.Load())
	}
}
