package label

import (
	"cmp"
	"maps"
	"slices"

	"dustbuster/operators/judge/near"
)

// Labels are the labels of digests. Any goroutine may use them.
type Labels struct {
	Counts
	of   map[uint64]uint64 // digest -> label, where they differ
	near map[uint64]bool   // the labels of several digests
}

// Of returns the label of a digest: the digest itself, unless its text is nearly that of another content.
func (l *Labels) Of(digest uint64) uint64 {
	if label, ok := l.of[digest]; ok {
		return label
	}
	return digest
}

// IsNear reports whether a label is that of several digests.
func (l *Labels) IsNear(label uint64) bool { return l.near[label] }

// Labels makes the labels of what was added. The package comment has the law. O(texts · Most · words).
func (t *Texts) Labels() *Labels {
	all := slices.SortedFunc(maps.Values(t.by), func(a, b *content) int { return cmp.Compare(a.digest, b.digest) })
	t.Texts = len(all)
	texts, same := distinct(all)
	m := &maker{o: &t.o, texts: texts, keys: t.o.NewKeys()}
	for _, c := range texts {
		m.keys.Count(&c.text.Sketch)
	}
	for i, leader := range m.leaders(m.alike) {
		texts[i].group = leader
	}
	m.phrases = phrasesOf(texts)
	m.crowded = 0
	leaders := m.leaders(func(leader, c *content) bool { return m.alike(leader, c) && !m.differ(leader, c) })
	t.Crowded = m.crowded
	l := &Labels{Counts: t.Counts, of: map[uint64]uint64{}, near: map[uint64]bool{}}
	for i, c := range all {
		if label := texts[leaders[same[i]]].digest; label != c.digest {
			l.of[c.digest], l.near[label] = label, true
		}
	}
	return l
}

// distinct returns the first content of each text, and the text of each content.
func distinct(all []*content) (texts []*content, of []int) {
	at := map[[2]uint64][]int{}
	for _, c := range all {
		name := [2]uint64{c.text.Text, uint64(c.text.Words)}
		i := slices.IndexFunc(at[name], func(i int) bool { return isEqual(texts[i], c) })
		if i < 0 {
			i = len(at[name])
			at[name] = append(at[name], len(texts))
			texts = append(texts, c)
		}
		of = append(of, at[name][i])
	}
	return texts, of
}

func isEqual(a, b *content) bool {
	return slices.Equal(a.text.Order, b.text.Order) && slices.Equal(a.text.Marks, b.text.Marks) && slices.Equal(a.text.Media, b.text.Media)
}

// maker makes labels.
type maker struct {
	o       *Options
	texts   []*content // distinct, by digest
	keys    *near.Keys
	phrases phrases
	crowded int

	other  *content // whose phrases are in shown
	shown  map[uint64]struct{}
	hashes []uint64
}

func (m *maker) alike(a, b *content) bool { return m.o.Alike(a.text.Page, b.text.Page) }

// mostInBucket bounds the leaders that are found by one key.
const mostInBucket = near.DefaultMost

// leaders returns the leader of each text: the first text that is the same, or else the text itself.
func (m *maker) leaders(isSame func(leader, c *content) bool) []int32 {
	of := make([]int32, len(m.texts))
	by := map[uint64][]int32{} // leaders, by key
	for i, c := range m.texts {
		m.hashes = m.keys.Of(m.hashes[:0], &c.text.Sketch)
		leader, crowded := m.leader(c, by, isSame)
		if leader < 0 {
			leader = int32(i)
			for _, key := range m.hashes {
				if len(by[key]) < max(mostInBucket, m.o.Most) {
					by[key] = append(by[key], leader)
				}
			}
			if crowded {
				m.crowded++
			}
		}
		of[i] = leader
	}
	return of
}

// leader returns the first leader that is the same as a text, or -1. It looks at those with which the text shares its
// rarest shingles, and crowded reports whether there may be more.
func (m *maker) leader(c *content, by map[uint64][]int32, isSame func(leader, c *content) bool) (first int32, crowded bool) {
	first = -1
	var tried []int32
	for _, key := range m.hashes {
		crowded = crowded || len(by[key]) >= max(mostInBucket, m.o.Most)
		for _, l := range by[key] {
			if slices.Contains(tried, l) {
				continue
			}
			if len(tried) == m.o.Most {
				return first, true
			}
			tried = append(tried, l)
			if (first < 0 || l < first) && isSame(m.texts[l], c) {
				first = l
			}
		}
	}
	return first, crowded
}
