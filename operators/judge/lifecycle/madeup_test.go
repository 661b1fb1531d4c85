package lifecycle

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/window/evidence"

	"github.com/dchest/siphash"
)

// madeUp is a made-up site. A site consists of sections. The first path segment of a URL names its
// section, and each section has rules of one kind, or pages that suggest rules that are false. A
// section knows the content of every URL, listed or not.
type madeUp struct {
	urls     []string
	sections map[string]*section // by first segment
}

type section struct {
	kind    string
	content func(rest string) string  // by the URL without the first segment; "": 404
	alike   func(a, b string) float64 // resemblance of two contents; nil: not alike
	size    func(content, url string) int64
	varies  bool // a page shows the time, so two copies never have one text
	many    bool // pages that differ do so in many words
}

func (s *madeUp) of(u string) (sec *section, rest string) {
	first, rest, _ := strings.Cut(strings.TrimLeft(u, "/"), "/")
	return s.sections[first], "/" + rest
}

// content returns the content of a URL, or "" for 404.
func (s *madeUp) content(u string) string {
	sec, rest := s.of(u)
	if sec == nil {
		return ""
	}
	return sec.content(rest)
}

func (s *madeUp) fetch(u string) trial.Document {
	if s.content(u) == "" {
		return trial.Document{Status: 404}
	}
	return trial.Document{Status: 200}
}

func (s *madeUp) compare(u, v string) trial.Compared {
	a, b := s.content(u), s.content(v)
	sec, _ := s.of(u)
	other, _ := s.of(v)
	c := trial.Compared{U: shown(a, sec.size(a, u)), V: shown(b, other.size(b, v))}
	switch {
	case a == b && sec.varies:
		c.Alike = 0.97
		c.U.Text = siphash.Hash(1, 2, []byte(u))
		c.V.Text = siphash.Hash(1, 2, []byte(v))
	case a == b:
		c.Alike, c.SameText, c.SameBytes = 1, true, false
	case sec.kind == other.kind && sec.alike != nil:
		c.Alike, c.ManyWords = sec.alike(a, b), sec.many
	default:
		c.Alike = 0.1 + 0.1*chance(a, b)
	}
	return c
}

// pages returns the log of the site.
func (s *madeUp) pages() (all []evidence.Page) {
	for _, u := range s.urls {
		sec, _ := s.of(u)
		n := sec.size(s.content(u), u)
		all = append(all, evidence.Page{URL: u, Evidence: evidence.Spans{{Min: n, Max: n}}})
	}
	return all
}

// chance is a number from 0 to 1 that depends on two texts, in any order.
func chance(a, b string) float64 {
	if b < a {
		a, b = b, a
	}
	h := fnv.New64a()
	h.Write([]byte(a + "\n" + b))
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}

// maker makes a site.
type maker struct {
	*rand.Rand
	site *madeUp
	used map[string]bool
}

// newMadeUp makes a site with one section of each kind and some more, in random sizes. seed 0, 1, ... name
// the sites.
func newMadeUp(seed uint64, more ...func(*maker)) *madeUp {
	return madeUpOf(seed, slices.Concat(trueSections, partSections, falseSections, []func(*maker){ownValue}, more))
}

// madeUpOf makes a site of sections.
func madeUpOf(seed uint64, sections []func(*maker)) *madeUp {
	m := &maker{rand.New(rand.NewPCG(seed, 7)), &madeUp{sections: map[string]*section{}}, map[string]bool{}}
	for _, plant := range sections {
		plant(m)
	}
	slices.Sort(m.site.urls)
	m.site.urls = slices.Compact(m.site.urls)
	m.site.urls = slices.DeleteFunc(m.site.urls, func(u string) bool { return m.site.content(u) == "" })
	return m.site
}

// word returns a new word.
func (m *maker) word() string {
	for {
		var b strings.Builder
		for range 2 + m.IntN(2) {
			b.WriteByte("bcdfghklmnprstvz"[m.IntN(16)])
			b.WriteByte("aeiou"[m.IntN(5)])
		}
		if w := b.String(); !m.used[w] {
			m.used[w] = true
			return w
		}
	}
}

func (m *maker) words(n int) (all []string) {
	for range n {
		all = append(all, m.word())
	}
	return all
}

// some returns a number of pages: most sections are small.
func (m *maker) some() int { return 30 + int(300*math.Pow(m.Float64(), 3)) }

// often reports true with a probability.
func (m *maker) often(p float64) bool { return m.Float64() < p }

func (m *maker) list(format string, args ...any) {
	m.site.urls = append(m.site.urls, fmt.Sprintf(format, args...))
}

// section adds a section and returns its first path segment. The size of a page depends on its content, and a little on its URL.
func (m *maker) section(kind string, content func(string) string) (*section, string) {
	first := m.word()
	per := int64(m.IntN(3)) // times that a page repeats its URL
	s := &section{kind: kind}
	s.content = func(rest string) string {
		if c := content(rest); c != "" {
			return first + " " + c
		}
		return ""
	}
	s.size = func(c, u string) int64 { return sizeOf(c) + per*int64(len(u)) }
	m.site.sections[first] = s
	return s, first
}

func sizeOf(c string) int64 { return 3000 + int64(60000*math.Pow(chance(c, ""), 2)) }
