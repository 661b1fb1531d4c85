package weblog

import (
	"math/bits"
	"strings"
)

// Fields is a set of fields of a Hit.
type Fields uint16

// The fields, in the order of String.
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

// Names returns the names of the fields in the set.
func (f Fields) Names() []string {
	names := []string{}
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

func (f Fields) count() int { return bits.OnesCount16(uint16(f)) }

// String returns the names, separated by commas.
func (f Fields) String() string { return strings.Join(f.Names(), ", ") }

// hasOf has the set of each place, see slotOf.
var hasOf = [fields]Fields{
	fieldHost: HasHost, fieldRequest: HasRequest, fieldTarget: HasRequest, fieldPath: HasRequest,
	fieldStatus: HasStatus, fieldSize: HasSize, fieldAgent: HasAgent, fieldClient: HasClient, fieldForwarded: HasClient,
	fieldEncoding: HasEncoding, fieldTime: HasTime, fieldDigest: HasDigest,
}

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
