package tail

import (
	"bytes"
	"hash/maphash"
	"maps"
)

// heads finds generations by how their text begins. What it finds for a candidate includes
// every generation that compare does not call different, so a candidate need not be compared
// with all.
type heads struct {
	seed    maphash.Seed
	at      map[headKey]map[*generation]bool
	lengths map[int]int // of the heads known by their hash alone, how many there are of each length
}

// headKey is the hash of the first line, if the first bytes are known, and else the hash and
// length of the head. The zero value stands for first bytes without a whole line.
type headKey struct {
	length int
	hash   uint64
}

func newHeads() *heads {
	return &heads{maphash.MakeSeed(), make(map[headKey]map[*generation]bool), make(map[int]int)}
}

// put notes the present head of a generation.
func (h *heads) put(g *generation) {
	key := headKey{g.headLen, g.hash}
	if len(g.head) > 0 {
		key = h.ofLine(g.head)
	}
	if g.listed && g.key == key || g.headLen == 0 {
		return
	}
	h.drop(g)
	g.listed, g.key = true, key
	if h.at[key] == nil {
		h.at[key] = make(map[*generation]bool)
	}
	h.at[key][g] = true
	if key.length > 0 {
		h.lengths[key.length]++
	}
}

func (h *heads) drop(g *generation) {
	if !g.listed {
		return
	}
	g.listed = false
	delete(h.at[g.key], g)
	if len(h.at[g.key]) == 0 {
		delete(h.at, g.key)
	}
	if n := g.key.length; n > 0 {
		if h.lengths[n]--; h.lengths[n] == 0 {
			delete(h.lengths, n)
		}
	}
}

// ofLine returns the key of first bytes.
func (h *heads) ofLine(head []byte) headKey {
	line := head[:bytes.IndexByte(head, '\n')+1]
	if len(line) == 0 && len(head) < headSize {
		return headKey{}
	}
	if len(line) == 0 {
		line = head
	}
	return headKey{hash: maphash.Bytes(h.seed, line)}
}

// like yields the generations whose text may begin as a candidate does.
func (h *heads) like(c *candidate) func(yield func(*generation) bool) {
	var keys []headKey
	switch key := h.ofLine(c.head); {
	case len(c.head) == 0:
	case key == headKey{}: // less than a line, which may begin any text
		for one := range h.at {
			if one.length == 0 {
				keys = append(keys, one)
			}
		}
	default:
		keys = append(keys, key, headKey{})
	}
	for n := range h.lengths {
		if n <= len(c.head) {
			keys = append(keys, headKey{n, c.hash(n)})
		}
	}
	return func(yield func(*generation) bool) {
		for _, key := range keys {
			for g := range maps.Keys(h.at[key]) {
				if !yield(g) {
					return
				}
			}
		}
	}
}
