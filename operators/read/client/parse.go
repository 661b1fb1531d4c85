package client

import (
	"bytes"
	"net/netip"
)

// parseIPv6 parses an IPv6 address. A zone is ignored. (netip.ParseAddr allocates for bytes.)
func parseIPv6(text []byte) (a netip.Addr, ok bool) {
	text, zone, zoned := bytes.Cut(text, []byte("%"))
	if zoned && len(zone) == 0 {
		return a, false
	}
	var address [16]byte
	before, after, gap := bytes.Cut(text, []byte("::"))
	head, ok := appendGroups(address[:0], before, !gap)
	if !ok || !gap || len(head) > 14 {
		return netip.AddrFrom16(address), ok && !gap && len(head) == 16
	}
	var end [16]byte
	tail, ok := appendGroups(end[:0], after, true)
	if !ok || len(head)+len(tail) > 14 {
		return a, false
	}
	copy(address[16-len(tail):], tail)
	return netip.AddrFrom16(address), true
}

// appendGroups appends the bytes of groups of hexadecimal digits with colons between. The
// last group of an address may be an IPv4 address. At most 16 bytes are appended.
func appendGroups(b, text []byte, last bool) (groups []byte, ok bool) {
	for more := len(text) > 0; more; {
		var group []byte
		if group, text, more = bytes.Cut(text, colon); bytes.IndexByte(group, '.') >= 0 {
			if b, ok = appendQuad(b, group); more || !last || !ok {
				return b, false
			}
			continue
		}
		n, ok := number(group)
		if !ok || len(b) > 14 {
			return b, false
		}
		b = append(b, byte(n>>8), byte(n))
	}
	return b, true
}

// appendQuad appends the four bytes of an IPv4 address.
func appendQuad(b, text []byte) (quad []byte, ok bool) {
	q, ok := parseQuad(text)
	if len(b) > 12 || !ok {
		return b, false
	}
	return append(b, q[:]...), true
}

// parseQuad parses an IPv4 address.
func parseQuad(text []byte) (quad [4]byte, ok bool) {
	part, n, digits := 0, 0, 0
	for _, c := range text {
		switch {
		case '0' <= c && c <= '9' && (digits == 0 || n > 0):
			if n, digits = 10*n+int(c-'0'), digits+1; n > 255 {
				return quad, false
			}
		case c == '.' && digits > 0 && part < 3:
			quad[part] = byte(n)
			part, n, digits = part+1, 0, 0
		default:
			return quad, false
		}
	}
	quad[3] = byte(n)
	return quad, part == 3 && digits > 0
}

// number parses 1 to 4 hexadecimal digits.
func number(text []byte) (n int, ok bool) {
	for _, c := range text {
		digit := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		if c < '0' || c > '9' && c < 'A' || digit < 0 {
			return 0, false
		}
		n = n<<4 + digit
	}
	return n, 0 < len(text) && len(text) <= 4
}
