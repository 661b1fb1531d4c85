package weblog

import (
	"bytes"
	"slices"

	"dustbuster/operators/read/client"
)

// proxied says which of the addresses of a line is that of its client.
type proxied struct {
	of       *client.Proxies
	heeds    bool  // private peers are proxies: nearly all lines from which the format was detected have a list
	place    uint8 // of the list among the quoted fields behind the format's last, from 1; 0: none is there
	peerLead bool  // of list and peer in front (combined_forwarded), the peer stands first
	inFront  bool  // list and peer are one field
	hasPeer  bool  // the format has the address of the connection
	ranked   bool  // the ranks of a record tell whether a line has it
	active   bool  // lists count

	peer     []byte // the last peer, since all lines of a proxy have the same
	believed bool
}

var noProxies = &client.Proxies{}

// mostOfLines is the share of lines, in percent, that must have a list for private peers to be proxies.
const mostOfLines = 99

// activate decides whether lists count.
func (x *proxied) activate() {
	x.active = x.heeds || len(x.of.Trusted) > 0
	x.peer, x.believed = nil, false
}

// settleClient sets the client of a hit: the peer, or the address that a proxy has forwarded.
func (p *Parser) settleClient(h *Hit) {
	x := &p.proxied
	if x.place > 0 && p.further && x.active {
		p.record.forwarded = quotedField(p.line[p.end:], int(x.place))
	}
	list, logged := p.record.forwarded, h.Client
	peerless := !x.hasPeer || x.ranked && p.record.ranks[fieldClient] == 0
	switch {
	case list == nil && (logged == nil || client.Plain(logged)):
		return
	case x.inFront:
		h.Client, list = cutPeer(list, x.peerLead)
		p.settlePeer(h, list)
	case logged == nil && peerless:
		p.settleList(h, list)
	case client.Several(logged):
		if bytes.IndexByte(logged, ',') >= 0 || client.IsList(logged) {
			p.settleList(h, logged)
		}
	default:
		p.settlePeer(h, list)
	}
	p.nobody = h.Client == nil && logged != nil
	p.logged = logged
}

// settlePeer sets the client of a line with the address of its peer.
func (p *Parser) settlePeer(h *Hit, list []byte) {
	peer := client.Clean(h.Client, &p.buf)
	if list != nil && p.proxied.believes(peer) {
		if last := p.proxied.of.Last(list, &p.buf); last != nil {
			peer = last
		}
	}
	h.Client = peer
}

// settleList sets the client of a line that has a list alone. If all its addresses are of proxies, the
// nearest proxy is the client.
func (p *Parser) settleList(h *Hit, list []byte) {
	h.Client = p.proxied.of.Last(list, &p.buf)
	if h.Client == nil {
		h.Client = client.Nearest(list, &p.buf)
	}
}

// believes reports whether a peer is a proxy: it is named as one, or it is private, or a socket of the
// same machine, and nearly all lines have a list.
func (x *proxied) believes(peer []byte) bool {
	if peer == nil {
		return x.heeds
	}
	if string(peer) != string(x.peer) {
		a, ok := client.Parse(peer)
		x.peer, x.believed = append(x.peer[:0], peer...), ok && (x.heeds && client.Private(a) || x.of.Trusts(a))
	}
	return x.believed
}

// cutPeer splits a list and a peer, of which either may stand first.
func cutPeer(front []byte, peerLead bool) (peer, list []byte) {
	for len(front) > 0 && isBetween[front[0]] {
		front = front[1:]
	}
	for len(front) > 0 && isBetween[front[len(front)-1]] {
		front = front[:len(front)-1]
	}
	if peerLead {
		for i, c := range front {
			if isBetween[c] {
				return front[:i], present(front[i:])
			}
		}
		return front, nil
	}
	start := len(front)
	for start > 0 && !isBetween[front[start-1]] {
		start--
	}
	return front[start:], present(front[:start])
}

// isBetween are the bytes between the addresses of a list, and around them.
var isBetween = [256]bool{',': true, ' ': true, '"': true, '(': true, ')': true}

// quotedField returns the n-th of the quoted fields of a text, from 1, or nil if there are fewer.
func quotedField(b []byte, n int) []byte {
	for ; ; n-- {
		start := bytes.IndexByte(b, '"')
		if start < 0 {
			return nil
		}
		b = b[start:]
		end := stringEnd(b, 0)
		if end < 0 {
			return nil
		}
		if n == 1 {
			return present(b[1:end])
		}
		b = b[end+1:]
	}
}

// lists reports whether lines have lists in a field of the format.
func (p *Parser) lists() bool {
	l, ok := p.scanner.(*lineScanner)
	return !ok || l.stores(fieldForwarded)
}

// stores reports whether a line has one of some fields.
func (s *lineScanner) stores(some ...field) bool {
	return slices.ContainsFunc(s.ops, func(o op) bool { return slices.Contains(some, o.field) })
}

// newProxied returns what is known of a format before any line. A list in a field of the format counts, until
// Learn has seen lines.
func newProxied(x *client.Proxies, f *Format, s scanner) proxied {
	p := proxied{of: x, inFront: f.Name == combinedForwarded.Name, ranked: true, hasPeer: true, heeds: true}
	if l, ok := s.(*lineScanner); ok {
		p.ranked, p.hasPeer, p.heeds = false, l.stores(fieldClient, fieldPeer), l.stores(fieldForwarded)
	}
	p.activate()
	return p
}
