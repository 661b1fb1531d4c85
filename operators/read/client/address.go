package client

import (
	"bytes"
	"net/netip"

	"dustbuster/operators/read/octets"
)

// Clean returns the client that a field of a log names: without quotes, port, brackets and zone, and
// an IPv4 address in IPv6 as IPv4. The result is nil if the field names nobody. A name of a host, or
// any other text, is itself. The result aliases b, or *buf, to which Clean may append. O(bytes).
func Clean(b []byte, buf *[]byte) []byte {
	if Plain(b) {
		return b
	}
	b = trim(b)
	if none(b) {
		return nil
	}
	if b[0] == '/' && len(b) > 1 && (b[1] == '[' || '0' <= b[1] && b[1] <= '9') {
		b = b[1:] // as Java writes an address without a name
	}
	if b[0] == '[' {
		b = unbracket(b)
	}
	switch n := bytes.Count(b, colon); n {
	case 0:
		return b
	case 1:
		return withoutPort(b)
	default:
		return cleanIPv6(b, n, buf)
	}
}

// Plain reports whether nothing but an IPv4 address without a port can be in b, as in nearly all lines.
func Plain(b []byte) bool {
	n := len(b)
	return n >= 8 && n <= len("255.255.255.255") && b[0] != '/' &&
		octets.Outside(octets.Load(b), '.', '9') == 8 && octets.Outside(octets.Load(b[n-8:]), '.', '9') == 8
}

var colon, local = []byte(":"), []byte("unix:")

// trim removes quotes and blanks around b. Nearly always there are none.
func trim(b []byte) []byte {
	for len(b) > 0 && isAround[b[0]] {
		b = b[1:]
	}
	for len(b) > 0 && isAround[b[len(b)-1]] {
		b = b[:len(b)-1]
	}
	return b
}

var isAround = [256]bool{'"': true, '\'': true, ' ': true, '\t': true}

// none reports whether a field names nobody: it is missing, the peer is a socket of the same machine,
// or a proxy does not tell.
func none(b []byte) bool {
	switch string(b) {
	case "", "-", "@", "unknown", "(null)", "null":
		return true
	}
	return Socket(b)
}

// Socket reports whether a field names a socket of the server's own machine.
func Socket(b []byte) bool {
	b = trim(b)
	return bytes.HasPrefix(b, local) || string(b) == "@" || string(b) == "unix"
}

// unbracket removes brackets, and what follows them if it is a port.
func unbracket(b []byte) []byte {
	end := bytes.IndexByte(b, ']')
	if end < 2 || end+1 < len(b) && (b[end+1] != ':' || !isPort(b[end+2:])) {
		return b
	}
	return b[1:end]
}

func withoutPort(b []byte) []byte {
	host, port, _ := bytes.Cut(b, colon)
	switch {
	case !isPort(port):
		return b
	case none(host):
		return nil
	}
	return host
}

// isPort reports whether b may stand for a port: digits, nothing, or the dash of a missing one.
func isPort(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return len(b) == 1 && c == '-'
		}
	}
	return true
}

// cleanIPv6 reads a text with several colons.
func cleanIPv6(b []byte, colons int, buf *[]byte) []byte {
	if zone := bytes.IndexByte(b, '%'); zone > 0 {
		b = b[:zone]
	}
	if b[0] != ':' && b[0] != '0' && colons < 8 && bytes.IndexByte(b, '.') < 0 {
		return b // nearly all: neither IPv4 nor a port can be in it
	}
	a, ok := parseIPv6(b)
	if !ok {
		last := max(0, bytes.LastIndexByte(b, ':'))
		if a, ok = parseIPv6(b[:last]); !ok || !isPort(b[last+1:]) {
			return b
		}
		b = b[:last]
	}
	if a.Is4In6() {
		start := len(*buf)
		*buf = a.Unmap().AppendTo(*buf)
		return (*buf)[start:len(*buf):len(*buf)]
	}
	return b
}

// Parse parses an address as Clean returns it. An IPv4 address in IPv6 is IPv4, and a zone is
// ignored. Parse does not allocate. O(bytes).
func Parse(text []byte) (netip.Addr, bool) {
	if quad, ok := parseQuad(text); ok {
		return netip.AddrFrom4(quad), true
	}
	if bytes.IndexByte(text, ':') < 0 {
		return netip.Addr{}, false
	}
	a, ok := parseIPv6(text)
	return a.Unmap(), ok
}

// Private reports whether an address is one of a private network, of the host itself or of a link
// (RFC 1918, 3927, 4193, 4291), or of a carrier's translation of addresses (RFC 6598).
func Private(a netip.Addr) bool {
	if a.Is4() {
		return isPrivateIPv4(a.As4())
	}
	return isPrivate(a)
}

// isPrivateIPv4 is isPrivate of an IPv4 address, which nearly all are.
func isPrivateIPv4(q [4]byte) bool {
	switch q[0] {
	case 10, 127:
		return true
	case 0:
		return q == [4]byte{}
	case 100:
		return q[1]&0xc0 == 64
	case 169:
		return q[1] == 254
	case 172:
		return q[1]&0xf0 == 16
	case 192:
		return q[1] == 168
	}
	return false
}

func isPrivate(a netip.Addr) bool {
	return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsUnspecified() || carrier.Contains(a)
}

var carrier = netip.MustParsePrefix("100.64.0.0/10")

// documentation are the networks of examples (RFC 5737, 3849). They belong to nobody.
var documentation = [...]netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("2001:db8::/32")}

// Bytes of a public address that one machine does not choose. It may have all addresses with the
// same beginning.
const (
	networkIPv4 = 3
	networkIPv6 = 6
)

// AppendNetwork appends the part of a client, as Clean returns it, by which clients are counted: the
// first 24 bits of a public IPv4 address and the first 48 of a public IPv6 address, since one machine
// may have many neighboring addresses. Private addresses and those of documentation count whole, and
// so does any other text. It does not allocate if b has room. O(bytes).
func AppendNetwork(b, text []byte) []byte {
	a, ok := Parse(text)
	switch {
	case !ok:
		return append(append(b, 'n'), text...)
	case a.Is4():
		all := a.As4()
		return append(append(b, '4'), all[:part(a, networkIPv4, len(all))]...)
	}
	all := a.As16()
	return append(append(b, '6'), all[:part(a, networkIPv6, len(all))]...)
}

// part returns how many bytes of an address count.
func part(a netip.Addr, network, all int) int {
	if Private(a) {
		return all
	}
	for i := range documentation {
		if documentation[i].Contains(a) {
			return all
		}
	}
	return network
}
