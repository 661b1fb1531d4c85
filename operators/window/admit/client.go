package admit

import (
	"encoding/binary"

	"dustbuster/operators/read/client"
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
	denied bool           // the client is not the crawler that the agent names
}

const seenBits = 8

// who returns a client's bit, and the family of its agent. Clients made up for one place cost what new clients cost.
func (g *Gate) who(client, agent []byte) (bit uint16, family uint32) {
	if len(client) > len(seen{}.client) {
		known := g.agents.Find(agent)
		return g.clientBit(client), familyOf(known, g.denies(client, known))
	}
	s := &g.seen[seenAt(client)]
	other := string(s.client[:s.size]) != string(client)
	if other {
		s.size, s.bit = uint8(copy(s.client[:], client)), g.clientBit(client)
	}
	if other || s.agent == nil || !s.agent.Is(agent) {
		s.agent = g.agents.Find(agent)
		s.denied = g.denies(client, s.agent)
	}
	return s.bit, familyOf(s.agent, s.denied)
}

// denies reports whether a client is not the crawler that its agent names.
func (g *Gate) denies(client []byte, agent *crawler.Known) bool {
	return g.o.Denies != nil && agent.Family&crawler.Named != 0 && g.o.Denies(client, agent.Family)
}

func familyOf(agent *crawler.Known, denied bool) uint32 {
	if denied {
		return crawler.Fake
	}
	return agent.Family
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
func (g *Gate) clientBit(text []byte) uint16 {
	if len(text) == 0 {
		return 0
	}
	g.client = client.AppendNetwork(g.client[:0], text)
	return 1 << (siphash.Hash(g.o.Key[0], g.o.Key[1], g.client) % 16)
}
