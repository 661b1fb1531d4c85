package event

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"dustbuster/operators/miner"
)

// idBytes of a SHA-256 are an id. Not a quicker hash: what is hashed was asked
// for by strangers, who could make two rules of one id.
const idBytes = 16

// ID is 32 hexadecimal digits, the same whenever the same is told: kind, site,
// pane, and of each rule what it says and its support. O(rules).
func (e *Event) ID() string {
	var b []byte
	b = appendText(b, string(e.Kind), e.Site)
	b = binary.BigEndian.AppendUint64(b, uint64(e.Pane))
	if e.Kind == Snapshot {
		for i := range e.Rules {
			b = appendRule(b, &e.Rules[i])
		}
	} else {
		b = appendRule(b, &e.Rule)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:idBytes])
}

// appendRule appends what a rule says and its support, so that no two different
// rules append the same.
func appendRule(b []byte, r *miner.Rule) []byte {
	if r.Kind == miner.Substring {
		b = append(b, 's', bit(r.Pair.AtStart), bit(r.Pair.AtEnd))
		b = appendText(b, r.Pair.Alpha, r.Pair.Beta)
	} else {
		s := &r.Drop.Scope
		b = append(b, 'd', bit(s.HasPath), bit(s.HasValue))
		b = appendText(b, r.Drop.Param, s.Path, s.Param, s.Value)
	}
	return binary.AppendVarint(b, int64(r.Support()))
}

func appendText(b []byte, texts ...string) []byte {
	for _, text := range texts {
		b = binary.AppendUvarint(b, uint64(len(text)))
		b = append(b, text...)
	}
	return b
}

func bit(is bool) byte {
	if is {
		return 1
	}
	return 0
}
