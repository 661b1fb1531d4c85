package urllist

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// Sort sorts numbers of the list in the byte order of the texts. O(bytes + URLs log URLs).
//
// Comparing the texts alone takes three times as long for a million URLs: most comparisons wait for two
// texts and pass over a long common beginning. Sort compares pieces of the texts beside the numbers, and
// numbers with the same piece by what follows.
func (l *List) Sort(ids []uint32) {
	keys := make([]sortKey, len(ids))
	for i, id := range ids {
		keys[i].id = id
	}
	l.sort(keys, 0)
	for i := range keys {
		ids[i] = keys[i].id
	}
}

// sortKey is a URL with a piece of its text: some bytes, and in the last byte their number, or more than
// pieceSize if the text goes on.
type sortKey struct {
	piece uint64
	id    uint32
}

const pieceSize = 7

func pieceOf(text []byte) uint64 {
	var b [8]byte
	copy(b[:pieceSize], text)
	b[pieceSize] = byte(min(len(text), pieceSize+1))
	return binary.BigEndian.Uint64(b[:])
}

// Texts are compared as wholes if they are few, or if they have very much in common: those of a hostile site may
// have a few bytes more in common at each step.
const (
	fewKeys    = 40
	muchCommon = 1 << 10
)

// sort sorts keys of texts that have the first bytes in common.
func (l *List) sort(keys []sortKey, first int) {
	if len(keys) <= fewKeys || first > muchCommon {
		slices.SortFunc(keys, func(a, b sortKey) int { return bytes.Compare(l.Text(a.id)[first:], l.Text(b.id)[first:]) })
		return
	}
	first += l.common(keys, first)
	for i := range keys {
		keys[i].piece = pieceOf(l.Text(keys[i].id)[first:])
	}
	slices.SortFunc(keys, func(a, b sortKey) int { return cmp.Compare(a.piece, b.piece) })
	for len(keys) > 0 {
		n := 1
		for n < len(keys) && keys[n].piece == keys[0].piece {
			n++
		}
		if n > 1 && byte(keys[0].piece) > pieceSize {
			l.sort(keys[:n], first+pieceSize)
		}
		keys = keys[n:]
	}
}

// mostCommon bounds the bytes that a call of common looks at, since in the end few may be common.
const mostCommon = 64

// common returns a number of bytes that all texts have in common after the first ones.
func (l *List) common(keys []sortKey, first int) int {
	common := l.Text(keys[0].id)[first:]
	common = common[:min(len(common), mostCommon)]
	for _, k := range keys {
		text := l.Text(k.id)[first:]
		if bytes.HasPrefix(text, common) {
			continue
		}
		n := 0
		for n < min(len(common), len(text)) && common[n] == text[n] {
			n++
		}
		common = common[:n]
	}
	return len(common)
}
