package admin

import (
	"net/netip"
	"sync"
	"time"

	"dustbuster/operators/rule/report"
)

// Limits of wrong tokens for a peer: a burst, and then one wrong token each pause.
const (
	failuresAtOnce = 10
	failurePause   = 6 * time.Second
)

// limits bound what each peer does: so much at once, and after that one in each unit of time.
type limits struct {
	unit time.Duration
	mu   sync.Mutex
	of   *report.Limiter
}

func newLimits(atOnce int64, unit time.Duration) *limits {
	return &limits{unit: unit, of: report.NewLimiter(atOnce)}
}

// take counts what a peer does, and returns 0. If the peer has done too much, take does not count it, and
// returns how long to wait.
func (l *limits) take(peer netip.Prefix) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unit * time.Duration(l.of.Take(peer.String(), time.Now().UnixNano()/int64(l.unit)))
}

// peerOf returns the network of a request: an IPv4 address, or the /64 of an IPv6 address,
// from which one machine may choose its addresses. Headers in which a proxy names its
// client are ignored, since any client can send them.
func peerOf(remote string) netip.Prefix {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{} // not a kind of address that net/http listens on: all such requests count together
	}
	address, bits := at.Addr().Unmap().WithZone(""), 64
	if address.Is4() {
		bits = 32
	}
	peer, err := address.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return peer
}

// Streams of changes at once.
const (
	mostStreams       = 64
	mostStreamsOfPeer = 16
)

// streams counts the open streams, which hold their connections. They leave most of the
// connections to other requests.
type streams struct {
	most, ofPeer int

	mu   sync.Mutex
	all  int
	peer map[netip.Prefix]int
}

// newStreams returns no streams, bounded by the bounds of connections.
func newStreams(connections, ofPeer int) *streams {
	return &streams{most: max(1, min(mostStreams, connections/4)), ofPeer: max(1, min(mostStreamsOfPeer, ofPeer/2, connections/8)), peer: map[netip.Prefix]int{}}
}

// open reports whether another stream may be opened, and if not, whether its peer has too
// many.
func (s *streams) open(peer netip.Prefix) (ok, ofPeer bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.peer[peer] >= s.ofPeer {
		return false, true
	}
	if s.all >= s.most {
		return false, false
	}
	s.all++
	s.peer[peer]++
	return true, false
}

func (s *streams) close(peer netip.Prefix) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.peer[peer]--; s.peer[peer] == 0 {
		delete(s.peer, peer)
	}
}
