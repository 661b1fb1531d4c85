// Package madeup has made-up sites for tests of the trials of rules: which URLs a log has, the page that
// each URL shows, listed or not, and how alike two pages are. Nothing here knows the machine that is tested.
package madeup

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

// Site is a made-up site. A site consists of sections. The first path segment of a URL names its
// section, and each section has rules of one kind, or pages that suggest rules that are false. A
// section knows the content of every URL, listed or not.
type Site struct {
	URLs     []string
	Sections map[string]*Section // by first segment
}

// Section is the part of a site below one first path segment.
type Section struct {
	Kind    string
	Content func(rest string) string  // by the URL without the first segment; "": 404
	alike   func(a, b string) float64 // resemblance of two contents; nil: not alike
	size    func(content, url string) int64
	varies  bool // a page shows the time, so two copies never have one text
	many    bool // pages that differ do so in many words
}

// SectionOf returns the section of a URL, and what follows its first segment. nil: the site has none.
func (s *Site) SectionOf(u string) (sec *Section, rest string) {
	first, rest, _ := strings.Cut(strings.TrimLeft(u, "/"), "/")
	return s.Sections[first], "/" + rest
}

// Content returns the content of a URL, or "" for 404.
func (s *Site) Content(u string) string {
	sec, rest := s.SectionOf(u)
	if sec == nil {
		return ""
	}
	return sec.Content(rest)
}

// Fetch returns the document of a URL.
func (s *Site) Fetch(u string) trial.Document {
	if s.Content(u) == "" {
		return trial.Document{Status: 404}
	}
	return trial.Document{Status: 200}
}

// Compare compares the pages of two URLs that have one each.
func (s *Site) Compare(u, v string) trial.Compared {
	a, b := s.Content(u), s.Content(v)
	sec, _ := s.SectionOf(u)
	other, _ := s.SectionOf(v)
	c := trial.Compared{U: Shown(a, sec.size(a, u)), V: Shown(b, other.size(b, v))}
	switch {
	case a == b && sec.varies:
		c.Alike = 0.97
		c.U.Text = siphash.Hash(1, 2, []byte(u))
		c.V.Text = siphash.Hash(1, 2, []byte(v))
	case a == b:
		c.Alike, c.SameText, c.SameBytes = 1, true, false
	case sec.Kind == other.Kind && sec.alike != nil:
		c.Alike, c.ManyWords = sec.alike(a, b), sec.many
	default:
		c.Alike = 0.1 + 0.1*chance(a, b)
	}
	return c
}

// Pages returns the log of the site.
func (s *Site) Pages() (all []evidence.Page) {
	for _, u := range s.URLs {
		sec, _ := s.SectionOf(u)
		n := sec.size(s.Content(u), u)
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

// Maker makes a site.
type Maker struct {
	*rand.Rand
	site *Site
	used map[string]bool
}

// New returns a site with one section of each kind and some more, in random sizes. seed 0, 1, ... name
// the sites.
func New(seed uint64, more ...func(*Maker)) *Site {
	return Of(seed, slices.Concat(trueSections, partSections, falseSections, []func(*Maker){ownValue}, more))
}

// Of returns a site of sections.
func Of(seed uint64, sections []func(*Maker)) *Site {
	m := &Maker{rand.New(rand.NewPCG(seed, 7)), &Site{Sections: map[string]*Section{}}, map[string]bool{}}
	for _, plant := range sections {
		plant(m)
	}
	slices.Sort(m.site.URLs)
	m.site.URLs = slices.Compact(m.site.URLs)
	m.site.URLs = slices.DeleteFunc(m.site.URLs, func(u string) bool { return m.site.Content(u) == "" })
	return m.site
}

// word returns a new word.
func (m *Maker) word() string {
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

func (m *Maker) words(n int) (all []string) {
	for range n {
		all = append(all, m.word())
	}
	return all
}

// some returns a number of pages: most sections are small.
func (m *Maker) some() int { return 30 + int(300*math.Pow(m.Float64(), 3)) }

// often reports true with a probability.
func (m *Maker) often(p float64) bool { return m.Float64() < p }

func (m *Maker) list(format string, args ...any) {
	m.site.URLs = append(m.site.URLs, fmt.Sprintf(format, args...))
}

// section adds a section and returns its first path segment. The size of a page depends on its content, and a little on its URL.
func (m *Maker) section(kind string, content func(string) string) (*Section, string) {
	first := m.word()
	per := int64(m.IntN(3)) // times that a page repeats its URL
	s := &Section{Kind: kind}
	s.Content = func(rest string) string {
		if c := content(rest); c != "" {
			return first + " " + c
		}
		return ""
	}
	s.size = func(c, u string) int64 { return sizeOf(c) + per*int64(len(u)) }
	m.site.Sections[first] = s
	return s, first
}

func sizeOf(c string) int64 { return 3000 + int64(60000*math.Pow(chance(c, ""), 2)) }
