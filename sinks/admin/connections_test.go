package admin

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// peerConn is a connection from an address.
type peerConn struct {
	net.Conn
	from   string
	closed bool
}

func (c *peerConn) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(c.from), 1))
}
func (c *peerConn) Close() error { c.closed = true; return nil }

// places are bounds with their connections.
type places struct {
	*connections
	n int // refused
}

func newPlaces(o *Options) *places {
	p := &places{}
	p.connections = newConnections(o, func() { p.n++ })
	return p
}

// take holds a connection from an address with a standing; nil: it has no place.
func (p *places) take(from string, s standing) *peerConn {
	c := &peerConn{from: from}
	held, ok := p.hold(c).(*connection)
	if !ok {
		return nil
	}
	held.standing = s
	return c
}

// A new connection takes the place of the connection that matters least: of its peer, if the
// peer has too many, else of all. A request that was let in is not cut off.
func TestPlaces(t *testing.T) {
	p := newPlaces(&Options{Connections: 4, PeerConnections: 2})
	const a, c, d = "10.0.0.1", "10.0.0.3", "10.0.0.4"
	took := map[string]*peerConn{}
	for _, step := range []struct {
		name, from string
		standing   standing
		gone       string // the connection that makes room; -: the new one finds none
	}{
		{"a1", a, atWork, ""},
		{"a2", a, stranger, ""},
		{"a3", a, atWork, "a2"},
		{"a4", a, atWork, "-"},
		{"b1", "2001:db8::1", idle, ""},
		{"b2", "2001:db8::2", idle, ""}, // of the same /64
		{"b3", "2001:db8::3", stranger, "b1"},
		{"c1", c, stranger, "b3"},
		{"c2", c, atWork, "c1"},
		{"d1", d, atWork, "b2"},
		{"d2", d, atWork, "-"},
	} {
		refused, open := p.n, len(p.open)
		took[step.name] = p.take(step.from, step.standing)
		if step.gone == "" {
			open++
		} else {
			refused++
		}
		if (took[step.name] == nil) != (step.gone == "-") || p.n != refused || len(p.open) != open {
			t.Fatalf("%s: refused: %v, %d; %d are open", step.name, took[step.name] == nil, p.n, len(p.open))
		}
		if gone := took[step.gone]; gone != nil && !gone.closed {
			t.Errorf("%s: %s is not closed", step.name, step.gone)
		}
	}
	for _, stays := range []string{"a1", "a3", "c2", "d1"} {
		if took[stays].closed {
			t.Errorf("%s is closed", stays)
		}
	}
	if err := p.open[0].Close(); err != nil || len(p.open) != 3 || !took["a1"].closed || p.take(d, atWork) == nil {
		t.Error("a closed connection keeps its place")
	}
	if err := (&connection{of: p.connections, Conn: took["a1"]}).Close(); err != nil || len(p.open) != 4 {
		t.Error("a connection without a place gives one back")
	}
}

// The bound of a peer does not hold for a trusted proxy.
func TestTrustedProxies(t *testing.T) {
	p := newPlaces(&Options{Connections: 4, PeerConnections: 2, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/24")}})
	for range 4 {
		if p.take("::ffff:10.0.0.9", atWork) == nil {
			t.Error("one of a proxy is refused")
		}
	}
	if p.take("10.0.0.9", atWork) != nil {
		t.Error("a proxy has more than all")
	}
}

// The bounds have defaults, and leave most descriptors to the rest of the program.
func TestBounds(t *testing.T) {
	c := newConnections(&Options{}, nil)
	if want := min(DefaultConnections, mostFiles()/4); c.most != want || c.ofPeer != min(want, DefaultPeerConnections) {
		t.Errorf("%d, of a peer %d", c.most, c.ofPeer)
	}
	if c := newConnections(&Options{Connections: 8, PeerConnections: 20}, nil); c.most != 8 || c.ofPeer != 8 {
		t.Errorf("%d, of a peer %d", c.most, c.ofPeer)
	}
	if c := newConnections(&Options{Connections: 1 << 40}, nil); c.most > mostFiles()/4 {
		t.Errorf("%d of %d descriptors", c.most, mostFiles())
	}
	for _, want := range []struct{ connections, ofPeer, streams, streamsOfPeer int }{{256, 32, 64, 16}, {1024, 512, 64, 16}, {16, 16, 4, 2}, {1, 1, 1, 1}} {
		if s := newStreams(want.connections, want.ofPeer); s.most != want.streams || s.ofPeer != want.streamsOfPeer {
			t.Errorf("%+v: %d streams, of a peer %d", want, s.most, s.ofPeer)
		}
	}
}

// openWith opens a server with a token.
func openWith(t *testing.T, o Options) *Server {
	t.Helper()
	o.Tokens = Tokens{Read: tokenFile(t, theToken, 0o600)}
	server, _ := serve(t, o, show(full()))
	return server
}

// knock opens a connection, and writes what it is to write.
func knock(t *testing.T, server *Server, text string) net.Conn {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Addr().String())
	must(t, err)
	_, _ = io.WriteString(c, text) // the server may have closed it
	return c
}

// Thousands of connections that show no token, and never end their headers, cost little memory
// and few descriptors, and do not shut out a client of the same address that shows the token. Its
// connection stays.
func TestFlood(t *testing.T) {
	const flood = 4000 // both ends are in this process
	server := openWith(t, Options{})
	scrape := "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + theToken + "\r\n\r\n"
	known := knock(t, server, "")
	defer known.Close()
	answers := bufio.NewReader(known)
	ask := func() {
		t.Helper()
		if _, err := io.WriteString(known, scrape); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(answers, nil)
		must(t, err)
		if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%v, %s", err, answer.Status)
		}
	}
	ask()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	header := "GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", maxHeader-100)
	most, fresh := 0, 0
	for i := range flood {
		defer knock(t, server, header).Close()
		server.door.connections.mu.Lock()
		most = max(most, len(server.door.connections.open))
		server.door.connections.mu.Unlock()
		if i%500 == 499 {
			ask()
			c := knock(t, server, scrape)
			if answer, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil && answer.StatusCode == http.StatusOK {
				fresh++
			}
			c.Close()
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	taken := (int64(after.HeapInuse+after.StackInuse) - int64(before.HeapInuse+before.StackInuse)) >> 20
	t.Logf("%d connections at once, %d MiB more, %d of %d new clients with the token", most, taken, fresh, flood/500)
	if most > DefaultPeerConnections || taken > 64 || fresh < flood/500 {
		t.Errorf("%d connections at once, %d MiB more, %d new clients with the token", most, taken, fresh)
	}
}

// A connection that does not send a header in time is closed.
func TestHeaderTimeout(t *testing.T) {
	server := openWith(t, Options{HeaderTimeout: 50 * time.Millisecond})
	for _, text := range []string{"", "GET / HTTP/1.1\r\nHost: localhost\r\n"} {
		c := knock(t, server, text)
		if _, err := io.Copy(io.Discard, c); err != nil { // ends when the server closes it
			t.Error(err)
		}
		c.Close()
	}
	if s := openWith(t, Options{}); s.server.ReadHeaderTimeout != 5*time.Second {
		t.Errorf("by default %v", s.server.ReadHeaderTimeout)
	}
}

// At the bound of a peer the streams go on, and a new client has the place of a stranger.
func TestStreamsStay(t *testing.T) {
	server := openWith(t, Options{PeerConnections: 4})
	var ended atomic.Int64 // the streams
	for range 2 {          // the most streams of a peer
		c := knock(t, server, "GET /api/v1/changes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "+theToken+"\r\n\r\n")
		defer c.Close()
		in := bufio.NewReader(c)
		if line, err := in.ReadString('\n'); err != nil || line != "HTTP/1.1 200 OK\r\n" {
			t.Fatalf("%v, %q", err, line)
		}
		go func() {
			_, _ = io.Copy(io.Discard, in)
			ended.Add(1)
		}()
	}
	for i := range 50 {
		defer knock(t, server, "").Close()
		if i%10 == 9 {
			c := knock(t, server, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
			if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || line != "HTTP/1.1 200 OK\r\n" {
				t.Errorf("%v, %q", err, line)
			}
			c.Close()
		}
	}
	if n := ended.Load(); n > 0 {
		t.Errorf("%d streams have ended", n)
	}
	w := send(t, handler(show(full()), server.door, nil), http.MethodGet, "/metrics", "", "Host", "localhost", "Authorization", "Bearer "+theToken)
	if text := w.Body.String(); strings.Contains(text, `{reason="too_many_connections"} 0`) || !strings.Contains(text, `{reason="too_many_connections"} `) || !strings.Contains(text, "\ndustbuster_admin_connections ") {
		t.Errorf("connections are not counted:\n%s", text)
	}
}
