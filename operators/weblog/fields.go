package weblog

import (
	"math/bits"
	"strings"
)

// Fields is the set of a Hit's fields that a format can fill.
type Fields uint16

// The fields, in the order in which String names them.
const (
	HasHost Fields = 1 << iota
	HasRequest
	HasStatus
	HasSize
	HasAgent
	HasClient
	HasTime
	HasEncoding
	HasDigest
)

var fieldNames = [...]string{
	"host", "request", "status", "size", "agent", "client", "time", "encoding", "digest",
}

// Names lists the fields of the set.
func (f Fields) Names() []string {
	names := []string{}
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// count is how many fields the set has.
func (f Fields) count() int { return bits.OnesCount16(uint16(f)) }

// String is the names with commas between.
func (f Fields) String() string { return strings.Join(f.Names(), ", ") }

var hasOf = [...]Fields{
	slotHost: HasHost, slotRequest: HasRequest, slotTarget: HasRequest, slotPath: HasRequest,
	slotStatus: HasStatus, slotSize: HasSize, slotAgent: HasAgent, slotClient: HasClient,
	slotClass: HasEncoding, slotTime: HasTime, slotDigest: HasDigest, slotMethod: 0, slotQuery: 0, slotNone: 0,
}

// filled is the set of the fields that a hit has.
func filled(h *Hit) Fields {
	f := Fields(0)
	for i, has := range [...]bool{len(h.Host) > 0, len(h.Target) > 0, h.Status > 0, h.Size > 0, len(h.Agent) > 0,
		len(h.Client) > 0, h.Time != 0, h.Class != ClassUnknown, h.Digest != 0} {
		if has {
			f |= 1 << i
		}
	}
	return f
}
