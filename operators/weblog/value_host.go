package weblog

import "bytes"

// virtualHost tells a virtual host before the client from what else may stand
// before it: times, words of other programs, the first of a list of addresses.
func virtualHost(h *Hit, _ []byte) bool {
	if len(h.Client) == 0 || len(h.Host) == 0 {
		return len(h.Client) > 0
	}
	return hostShaped(h.Host) && (hostName(h.Host) || address(h.Client))
}

// hostShaped tells a host, with or without a port, from other words: an address,
// or a name that does not consist of digits.
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

// isAddress tells an IP address, bare as servers log a client's: the address in a
// Host header may have a port, and brackets where it is one of IPv6.
func isAddress(b []byte) bool {
	if bytes.IndexByte(b, ':') >= 0 {
		return bytes.Count(b, []byte(":")) > 1 && len(bytes.Trim(b, ":.0123456789abcdefABCDEF")) == 0
	}
	return bytes.Count(b, []byte(".")) == 3 && len(bytes.Trim(b, ".0123456789")) == 0
}

// address tells an address or a name with a domain, with or without a port, from
// words, programs' tags and times of day.
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
