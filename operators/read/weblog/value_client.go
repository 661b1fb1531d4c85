package weblog

import "bytes"

// clientOf returns the client of a list of addresses, such as X-Forwarded-For, perhaps with the
// address of the connection behind. Each proxy appends the address that its request came from,
// so the client is the first address. Proxies that are logged in front of it mostly have
// private addresses, and clients seldom have, so the first address that is not private is
// taken, or else the first. A text that is no list of addresses is returned unchanged.
func clientOf(b []byte) []byte {
	var first []byte
	rest := b
	for {
		var next []byte
		if next, rest = cutAddress(rest); next == nil {
			break
		}
		next = withoutPort(next)
		switch {
		case absent(next) || string(next) == unknownClient:
		case !isAddress(next):
			return b
		case !private(next):
			return next
		case first == nil:
			first = next
		}
	}
	if first == nil {
		return b
	}
	return first
}

// unknownClient stands in X-Forwarded-For for an address that a proxy does not tell.
const unknownClient = "unknown"

// isList reports whether b may be a list of addresses.
func isList(b []byte) bool { return bytes.IndexByte(b, ',') >= 0 || bytes.IndexByte(b, ' ') >= 0 }

// cutAddress returns the first part of a list, and the rest. The part is nil at the end.
func cutAddress(b []byte) (part, rest []byte) {
	b = bytes.TrimLeft(b, between)
	end := bytes.IndexAny(b, between)
	if end < 0 {
		end = len(b)
	}
	if end == 0 {
		return nil, nil
	}
	return b[:end], b[end:]
}

// between stands between the addresses of a list, and around them.
const between = `, "()`

// withoutPort removes the port of an IPv4 address, and brackets and port of an IPv6 address.
func withoutPort(b []byte) []byte {
	if b[0] == '[' || bytes.Count(b, []byte(":")) == 1 {
		return peerAddress(b)
	}
	return b
}

// private reports whether an address is one of a private network, of the host itself or of a
// link (RFC 1918, 3927, 4193, 4291), or of a carrier's translation of addresses (RFC 6598).
func private(address []byte) bool {
	if bytes.IndexByte(address, ':') >= 0 {
		return string(address) == "::1" || hasFold(address, "fc") || hasFold(address, "fd") || hasFold(address, "fe80:")
	}
	first, rest, _ := bytes.Cut(address, []byte("."))
	second, _, _ := bytes.Cut(rest, []byte("."))
	n, _ := number(second)
	switch string(first) {
	case "10", "127":
		return true
	case "172":
		return n/16 == 1
	case "192":
		return n == 168
	case "169":
		return n == 254
	case "100":
		return n/64 == 1
	}
	return false
}

// hasFold reports whether b begins with the lower-case word, ignoring case.
func hasFold(b []byte, word string) bool { return len(b) >= len(word) && isFold(b[:len(word)], word) }

// peerAddress removes the port of an address:port, and words before, such as a log's tag
// ("haproxy[12]: "). An IPv6 address may have brackets.
func peerAddress(b []byte) []byte {
	b = b[bytes.LastIndexByte(b, ' ')+1:]
	if i := bytes.LastIndexByte(b, ':'); i >= 0 && digits(b[i+1:]) == len(b)-i-1 {
		b = b[:i]
	}
	if n := len(b); n > 1 && b[0] == '[' && b[n-1] == ']' {
		b = b[1 : n-1]
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

var dashBefore, dashWithin = []byte("- "), []byte(" - ")

// words reports whether a client is several words and not a list.
func words(client []byte) bool {
	return bytes.IndexByte(client, ' ') >= 0 && bytes.IndexByte(client, ',') < 0
}
