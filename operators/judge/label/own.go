package label

import (
	"slices"
)

// Phrase is the number of words in a phrase.
const Phrase = 4

// MostPhrases bounds the phrases that are known to pass by or not. They take some 40 bytes each.
const MostPhrases = 1 << 20

// leastElsewhere is the number of other groups that show what passes by.
const leastElsewhere = 2

// phrases has, for each phrase, mark and medium of some texts, the first groups that show it.
type phrases map[uint64]*[2 + leastElsewhere]int32

// phrasesOf returns the phrases of the texts of least rank.
func phrasesOf(texts []*content) phrases {
	all := phrases{}
	order := slices.SortedFunc(slices.Values(texts), func(a, b *content) int { return a.compare(b.rank) })
	for _, c := range order {
		if len(all) >= MostPhrases {
			break
		}
		for i := range len(c.text.Order) - Phrase + 1 {
			all.add(phraseAt(c.text.Order, i), c.group)
		}
		for _, list := range [][]uint32{c.text.Marks, c.text.Media} {
			for _, mark := range list {
				all.add(markHash(mark), c.group)
			}
		}
	}
	return all
}

// add notes that a group shows a phrase.
func (p phrases) add(phrase uint64, group int32) {
	in := p[phrase]
	if in == nil {
		in = &[2 + leastElsewhere]int32{}
		p[phrase] = in
	}
	for i, g := range in {
		switch g {
		case group + 1:
			return
		case 0:
			in[i] = group + 1
			return
		}
	}
}

// passes reports whether enough groups show a phrase, other than those of two texts.
func (p phrases) passes(phrase uint64, a, b *content) bool {
	in := p[phrase]
	if in == nil {
		return false
	}
	n := 0
	for _, g := range in {
		if g != 0 && g != a.group+1 && g != b.group+1 {
			n++
		}
	}
	return n >= leastElsewhere
}

// differ reports whether one of two texts has something of its own. O(words).
func (m *maker) differ(leader, c *content) bool {
	return m.hasOwn(leader, c) || m.hasOwn(c, leader)
}

// hasOwn reports whether a text has something that another lacks and that does not pass by.
func (m *maker) hasOwn(c, other *content) bool {
	for _, mark := range lacking(c.text.Marks, other.text.Marks) {
		if !m.phrases.passes(markHash(mark), c, other) {
			return true
		}
	}
	for _, medium := range lacking(c.text.Media, other.text.Media) {
		if !m.phrases.passes(markHash(medium), c, other) {
			return true
		}
	}
	return m.hasOwnWords(c, other)
}

// hasOwnWords looks for the runs of words that are in no phrase of another text.
func (m *maker) hasOwnWords(c, other *content) bool {
	m.show(other)
	words, run := c.text.Order, 0 // run: where the present run begins
	for i := range len(words) - Phrase + 1 {
		if _, common := m.shown[phraseAt(words, i)]; !common {
			continue
		}
		if m.ownRun(words[run:max(run, i)], c, other) {
			return true
		}
		run = i + Phrase
	}
	return m.ownRun(words[min(run, len(words)):], c, other)
}

// ownRun reports whether a run of words is a text's own.
func (m *maker) ownRun(run []uint32, c, other *content) bool {
	if len(run) == 0 {
		return false
	}
	for i := range len(run) - Phrase + 1 {
		if !m.phrases.passes(phraseAt(run, i), c, other) {
			return true
		}
	}
	return len(run) < Phrase
}

// show takes in the phrases of a text.
func (m *maker) show(other *content) {
	if m.other == other {
		return
	}
	m.other, m.shown = other, make(map[uint64]struct{}, len(other.text.Order))
	for i := range len(other.text.Order) - Phrase + 1 {
		m.shown[phraseAt(other.text.Order, i)] = struct{}{}
	}
}

// lacking returns the members that one ascending list has more often than another.
func lacking(a, b []uint32) (all []uint32) {
	k := 0
	for _, h := range a {
		for k < len(b) && b[k] < h {
			k++
		}
		if k < len(b) && b[k] == h {
			k++
		} else {
			all = append(all, h)
		}
	}
	return all
}

// phraseAt returns the hash of a phrase.
func phraseAt(words []uint32, i int) uint64 {
	h := uint64(14695981039346656037)
	for _, w := range words[i : i+Phrase] {
		h = mix(h ^ uint64(w))
	}
	return h
}

// markHash returns a hash of a mark that is that of no phrase, but for chance.
func markHash(mark uint32) uint64 { return mix(uint64(mark) + 1) }

// mix is a step of splitmix64, a permutation of 64 bits.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
