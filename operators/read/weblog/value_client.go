package weblog

import (
	"bytes"

	"dustbuster/operators/read/client"
	"dustbuster/operators/read/octets"
)

// peerAddress removes the port of an address:port, and words before, such as a log's tag
// ("haproxy[12]: "). An IPv6 address may have no brackets.
func peerAddress(b []byte) []byte {
	if len(b) >= 16 {
		n := octets.Outside(octets.Load(b), '.', '9')
		if n == 8 {
			n += octets.Outside(octets.Load(b[8:]), '.', '9')
		}
		if n < 16 && b[n] == ':' && n+1 < len(b) && digits(b[n+1:]) == len(b)-n-1 {
			return b[:n] // nearly all
		}
	}
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

// virtualHost reports whether the word before the client is a virtual host. Other words
// in that place are times, words of other programs, and the first of several addresses
// (combined_forwarded).
func virtualHost(h *Hit, _ []byte) bool {
	if len(h.Client) == 0 || len(h.Host) == 0 {
		return len(h.Client) > 0
	}
	return hostShaped(h.Host) && (hostName(h.Host) || address(h.Client) && (!isAddress(h.Host) || !isAddress(h.Client)))
}

// hostShaped reports whether b has the shape of a host, with or without a port: an
// address, or a name that does not consist of digits.
func hostShaped(b []byte) bool {
	if b[0] == '[' {
		return len(bytes.Trim(b, "[]:.0123456789abcdefABCDEF")) == 0
	}
	name, port, _ := bytes.Cut(b, []byte(":"))
	if digits(port) < len(port) {
		return false
	}
	if len(bytes.Trim(name, ".-0123456789")) == 0 {
		return bytes.Count(name, []byte(".")) == 3
	}
	for _, c := range name {
		if !nameByte(c) && c != '.' && c != '-' && c != '*' && c < 0x80 {
			return false
		}
	}
	return true
}

// isAddress reports whether b is a bare IP address, as servers log a client's. The
// address in a Host header may have a port, and has brackets for IPv6.
func isAddress(b []byte) bool {
	if bytes.IndexByte(b, ':') >= 0 {
		return bytes.Count(b, []byte(":")) > 1 && len(bytes.Trim(b, ":.0123456789abcdefABCDEF")) == 0
	}
	return bytes.Count(b, []byte(".")) == 3 && len(bytes.Trim(b, ".0123456789")) == 0
}

// address reports whether b is an address or a name with a domain, with or without a
// port, and not a word, a program's tag or a time of day.
func address(b []byte) bool {
	switch bytes.Count(b, []byte(":")) {
	case 0, 1:
		name, port, _ := bytes.Cut(b, []byte(":"))
		return bytes.IndexByte(name, '.') > 0 && digits(port) == len(port)
	case 2:
		return bytes.Contains(b, []byte("::"))
	}
	return true
}

// hostName reports whether b is the name of a host, with or without a port. Other servers
// log users and addresses in that place.
func hostName(b []byte) bool {
	b, _, _ = bytes.Cut(b, []byte(":"))
	label := b[bytes.LastIndexByte(b, '.')+1:]
	return string(b) == "localhost" || len(label) < len(b) && len(label) > 1 && letter(label[0])
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
