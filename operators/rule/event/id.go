package event

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"dustbuster/operators/rule"
)

// idBytes is the number of bytes of a SHA-256 used as an id. A faster hash is not enough:
// the hashed texts come from clients, who could construct two rules with one id.
const idBytes = 16

// ID returns 32 hexadecimal digits. Equal events have equal ids: the id covers kind, site,
// pane, and the content and support of each rule. O(rules).
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

// appendRule appends the content and the support of a rule. Different rules of the online
// learners append different bytes: pairs without a scope, and drops of one name on a
// path, under one condition.
func appendRule(b []byte, l *rule.Likely) []byte {
	r := &l.Rule
	if e, is := r.Edit.(rule.Substring); is {
		b = append(b, 's', bit(e.AtStart), bit(e.AtEnd))
		b = appendText(b, e.From, e.To)
	} else {
		s, c := &r.Scope, &r.Scope.Where[0]
		b = append(b, 'd', bit(s.HasPath), bit(c.HasValue))
		b = appendText(b, r.Params().Param, s.Path, c.Param, c.Value)
	}
	return binary.AppendVarint(b, int64(l.Support))
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
