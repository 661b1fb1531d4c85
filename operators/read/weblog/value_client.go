package weblog

import (
	"bytes"

	"dustbuster/operators/read/client"
)

// peerAddress removes the port of an address:port, and words before, such as a log's tag
// ("haproxy[12]: "). An IPv6 address may have no brackets.
func peerAddress(b []byte) []byte {
	if bytes.IndexByte(b, ' ') >= 0 {
		b = b[bytes.LastIndexByte(b, ' ')+1:]
	}
	port := len(b)
	for port > 0 && digit(b[port-1]) {
		port--
	}
	if port > 0 && b[port-1] == ':' && !client.Socket(b) {
		b = b[:port-1]
	}
	return b
}

// oneUser reports whether b can be the name of a user. It may contain blanks, but not a
// separate dash, which stands for a missing field. With one, b holds the client, after a host,
// a time or another program's words that were read as such. (Old releases of ingress-nginx log
// the client again, in brackets, and a dash.)
func oneUser(b []byte) bool {
	if len(b) < 2 || b[0] == '[' {
		return true
	}
	b = bytes.TrimSpace(b)
	return !bytes.HasPrefix(b, dashBefore) && !bytes.Contains(b, dashWithin)
}

// dashMore reports whether a line has one dash more than its format between an address and the
// time. In a line with a host in front, the client stands in the place of the first dash.
func (p *Parser) dashMore(h *Hit) bool {
	n := len(h.Client)
	return isAddress(h.Client) && len(p.line) > n && bytes.HasPrefix(p.line[n:], threeDashes)
}

var threeDashes = []byte(" - - - [")

var dashBefore, dashWithin = []byte("- "), []byte(" - ")

// words reports whether a client is several words and not a list.
func words(client []byte) bool {
	return bytes.IndexByte(client, ' ') >= 0 && bytes.IndexByte(client, ',') < 0
}
