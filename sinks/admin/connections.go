package admin

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Defaults of the bounds of connections.
const (
	DefaultConnections     = 256
	DefaultPeerConnections = 32
	DefaultHeaderTimeout   = 5 * time.Second
)

// ofFiles is the part of the process's file descriptors that connections may take: one in
// ofFiles. The others are for logs, state, rules and fetches.
const ofFiles = 4

// connections is a listener that bounds its open connections: in all, and of each peer. At a
// bound, a new connection takes the place of the connection that matters least, and of equal
// ones of the oldest. So connections that ask for nothing shut nobody out: a client with a
// token is let in at once, and its connection then stays.
type connections struct {
	net.Listener
	most, ofPeer int
	proxies      []netip.Prefix // peers without a bound of their own
	refused      func()         // counts a connection that was closed for a bound

	mu   sync.Mutex
	open []*connection // the oldest first
}

// standing says how much a connection matters.
type standing int

const (
	stranger standing = iota // no request was let in
	idle                     // the last request that was let in has its answer
	atWork                   // a request that was let in is being answered
)

type connection struct {
	net.Conn
	of       *connections
	peer     netip.Prefix
	standing standing // guarded by of.mu
}

// newConnections returns the bounds of the options, yet without a listener.
func newConnections(o *Options, refused func()) *connections {
	most := min(cmp.Or(o.Connections, DefaultConnections), max(1, mostFiles()/ofFiles))
	return &connections{most: most, ofPeer: min(most, cmp.Or(o.PeerConnections, DefaultPeerConnections)), proxies: o.TrustedProxies, refused: refused}
}

// Accept returns the next connection that has a place.
func (l *connections) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		runtime.Gosched() // requests that have arrived on other connections are let in first
		if held := l.hold(c); held != nil {
			return held, nil
		}
		_ = c.Close() // the client sees the end
	}
}

// hold gives a connection a place; nil if all other connections matter more.
func (l *connections) hold(c net.Conn) net.Conn {
	made := &connection{Conn: c, of: l, peer: peerOf(c.RemoteAddr().String())}
	samePeer := func(o *connection) bool { return o.peer == made.peer }
	all := func(*connection) bool { return true }
	l.mu.Lock()
	defer l.mu.Unlock()
	if !within(l.proxies, c.RemoteAddr().String()) && !l.makeRoom(l.ofPeer, samePeer) || !l.makeRoom(l.most, all) {
		l.refused()
		return nil
	}
	l.open = append(l.open, made)
	return made
}

// makeRoom has fewer than most connections of a kind open, and closes one for that if none of
// them is too many to lose: a request that was let in is not cut off.
func (l *connections) makeRoom(most int, of func(*connection) bool) bool {
	n, least := 0, (*connection)(nil)
	for _, o := range l.open {
		if !of(o) {
			continue
		}
		n++
		if least == nil || o.standing < least.standing {
			least = o
		}
	}
	if n < most {
		return true
	}
	if least.standing == atWork {
		return false
	}
	l.refused()
	l.remove(least)
	_ = least.Conn.Close() // the client sees the end
	return true
}

func (l *connections) remove(c *connection) {
	if at := slices.Index(l.open, c); at >= 0 {
		l.open = slices.Delete(l.open, at, at+1)
	}
}

func (c *connection) Close() error {
	c.of.mu.Lock()
	c.of.remove(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// connectionKey is the key of the connection in the context of a request.
type connectionKey struct{}

// withConnection is http.Server's ConnContext.
func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// stand sets how much the connection of a request matters.
func stand(r *http.Request, s standing) {
	if c, ok := r.Context().Value(connectionKey{}).(*connection); ok { // a test has none
		c.of.mu.Lock()
		c.standing = s
		c.of.mu.Unlock()
	}
}
