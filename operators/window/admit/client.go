package admit

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"dustbuster/operators/read/crawler"

	"github.com/dchest/siphash"
)

// seen is a place for what a gate has seen last of a client. In bplogs 92 % of the lines have client and agent in one of
// 256 places, and 93 % in one of 1,024. Neither is then hashed.
type seen struct {
	client [40]byte // as logged; the longest address of IPv6 has 39 bytes
	size   uint8
	bit    uint16
	agent  *crawler.Known // nil: none yet
}

const seenBits = 8

// who returns a client's bit, and the family of its agent. Clients made up for one place cost what new clients cost.
func (g *Gate) who(client, agent []byte) (bit uint16, family uint32) {
	if len(client) > len(seen{}.client) {
		return g.clientBit(client), g.agents.Find(agent).Family
	}
	s := &g.seen[seenAt(client)]
	if string(s.client[:s.size]) != string(client) {
		s.size, s.bit = uint8(copy(s.client[:], client)), g.clientBit(client)
	}
	if s.agent == nil || !s.agent.Is(agent) {
		s.agent = g.agents.Find(agent)
	}
	return s.bit, s.agent.Family
}

// seenAt returns the number of a client's place, by the client's first and last bytes.
func seenAt(client []byte) uint64 {
	var short [8]byte
	if len(client) < len(short) {
		copy(short[:], client)
		client = short[:]
	}
	head, tail := binary.LittleEndian.Uint64(client), binary.LittleEndian.Uint64(client[len(client)-len(short):])
	return (head*0x9e3779b97f4a7c15 ^ tail*0xd1b54a32d192ed03) >> (64 - seenBits)
}

// clientBit returns a client's bit in the mask of an observation: one of 16, by a keyed hash
// of the client's network. A line without a client has no bit.
func (g *Gate) clientBit(client []byte) uint16 {
	if len(client) == 0 {
		return 0
	}
	if bytes.IndexByte(client, ':') >= 0 {
		g.client = appendNetwork(g.client[:0], client)
		client = g.client
	}
	return 1 << (siphash.Hash(g.o.Key[0], g.o.Key[1], client) % 16)
}

// appendNetwork appends the first 64 bits of an IPv6 address, since one household or machine
// has all addresses with these bits. Of an IPv4 address in IPv6, it appends that address as
// text, and any other text as it is.
func appendNetwork(b, client []byte) []byte {
	address, ok := parseIPv6(client)
	switch {
	case !ok:
		return append(b, client...)
	case [12]byte(address[:12]) != [12]byte{10: 0xff, 11: 0xff}:
		return append(b, address[:8]...)
	}
	for i, part := range address[12:] {
		if i > 0 {
			b = append(b, '.')
		}
		b = strconv.AppendUint(b, uint64(part), 10)
	}
	return b
}

// parseIPv6 parses an IPv6 address. A zone is ignored.
func parseIPv6(text []byte) (address [16]byte, ok bool) {
	text, zone, zoned := bytes.Cut(text, []byte("%"))
	if zoned && len(zone) == 0 {
		return address, false
	}
	before, after, gap := bytes.Cut(text, []byte("::"))
	head, ok := appendGroups(address[:0], before, !gap)
	if !ok || !gap || len(head) > 14 {
		return address, ok && !gap && len(head) == 16
	}
	var end [16]byte
	tail, ok := appendGroups(end[:0], after, true)
	if !ok || len(head)+len(tail) > 14 {
		return address, false
	}
	copy(address[16-len(tail):], tail)
	return address, true
}

// appendGroups appends the bytes of groups of hexadecimal digits with colons between. The
// last group of an address may be an IPv4 address. At most 16 bytes are appended.
func appendGroups(b, text []byte, last bool) (groups []byte, ok bool) {
	for more := len(text) > 0; more; {
		var group []byte
		if group, text, more = bytes.Cut(text, []byte(":")); bytes.IndexByte(group, '.') >= 0 {
			if b, ok = appendQuad(b, group); more || !last || !ok {
				return b, false
			}
			continue
		}
		n, ok := number(group, 16, 4)
		if !ok || len(b) > 14 {
			return b, false
		}
		b = append(b, byte(n>>8), byte(n))
	}
	return b, true
}

// appendQuad appends the four bytes of an IPv4 address.
func appendQuad(b, text []byte) (quad []byte, ok bool) {
	if len(b) > 12 || bytes.Count(text, []byte(".")) != 3 {
		return b, false
	}
	for more := true; more; {
		var part []byte
		part, text, more = bytes.Cut(text, []byte("."))
		n, ok := number(part, 10, 3)
		if !ok || n > 255 || len(part) > 1 && part[0] == '0' {
			return b, false
		}
		b = append(b, byte(n))
	}
	return b, true
}

// number parses 1 to most digits of a base of at most 16.
func number(text []byte, base, most int) (n int, ok bool) {
	for _, c := range text {
		digit := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		if c < '0' || c > '9' && c < 'A' || digit < 0 || digit >= base {
			return 0, false
		}
		n = n*base + digit
	}
	return n, 0 < len(text) && len(text) <= most
}
