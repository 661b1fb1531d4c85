package admin

import (
	"net/netip"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/prometheus/client_golang/prometheus"
)

// Limits of wrong tokens for a peer: a burst, and then one wrong token each pause.
const (
	failuresAtOnce = 10
	failurePause   = 6 * time.Second
)

// mostPeers is the most peers remembered: the peers that failed last.
const mostPeers = 4096

// limiter slows down peers that show wrong tokens. The limiter keeps one time for each
// peer: the time at which all failures of the peer will be forgiven, one failure each
// pause.
type limiter struct {
	mu       sync.Mutex
	forgiven *lru.LRU[netip.Prefix, time.Time]
}

func newLimiter() *limiter {
	peers, err := lru.NewLRU[netip.Prefix, time.Time](mostPeers, nil)
	if err != nil {
		panic(err) // its size is positive
	}
	return &limiter{forgiven: peers}
}

// try reports whether a peer has shown the right token. A peer with too many failures is
// refused without a call of right, and wait is how long the peer must wait. The check and
// the count are one step, so simultaneous guesses are limited like guesses one by one.
func (l *limiter) try(peer netip.Prefix, right func() bool) (ok bool, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	forgiven, _ := l.forgiven.Get(peer)
	if forgiven.Before(now) {
		forgiven = now
	}
	if wait := forgiven.Sub(now) - (failuresAtOnce-1)*failurePause; wait > 0 {
		return false, wait
	}
	if right() {
		return true, 0
	}
	l.forgiven.Add(peer, forgiven.Add(failurePause))
	return false, 0
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

// streams counts the open streams.
type streams struct {
	mu   sync.Mutex
	all  int
	peer map[netip.Prefix]int
}

// open reports whether another stream may be opened, and if not, whether its peer has too
// many.
func (s *streams) open(peer netip.Prefix) (ok, ofPeer bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.peer[peer] >= mostStreamsOfPeer {
		return false, true
	}
	if s.all >= mostStreams {
		return false, false
	}
	if s.peer == nil {
		s.peer = map[netip.Prefix]int{}
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

// gauge returns the number of open streams as a metric.
func (s *streams) gauge() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "dustbuster_admin_streams", Help: "Streams of changes that are open."}, func() float64 {
		s.mu.Lock()
		defer s.mu.Unlock()
		return float64(s.all)
	})
}
