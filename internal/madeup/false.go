package madeup

import (
	"fmt"
	"slices"
	"strings"
)

// partSections make one section each, with rules that hold for a part of the pages.
var partSections = []func(*Maker){
	func(m *Maker) { // translations: a share of the pages is not translated
		names, languages, share := m.words(m.some()), m.words(4), 0.1+0.6*m.Float64()
		s, first := m.section("translations", func(rest string) string {
			p := strings.Split(rest, "/")
			if len(p) != 4 || !has(languages, p[1]) || !has(names, p[3]) {
				return ""
			}
			if p[2] == "ref" || chance(p[3], p[1]) < share {
				return p[3]
			}
			return p[3] + p[1]
		})
		s.size = func(c, u string) int64 { return sizeOf(c) }
		for i, n := range names {
			for _, l := range languages {
				m.list("/%s/%s/%s/%s", first, l, []string{"ref", "guide"}[i%2], n)
			}
		}
	},
	versions("versions", 0.15, 0.2, 0.8), // a file changes now and then
	versions("seldom", 0.02, 0.2, 0.8),   // most versions change no file or one
	Revised,
	func(m *Maker) { // trees of which each has a few pages of its own, and shows those of one tree elsewhere
		names, trees, share := m.words(m.some()), m.words(3+m.IntN(4)), 0.01+0.05*m.Float64()
		s, first := m.section("few own", func(rest string) string {
			p := strings.Split(rest, "/")
			if len(p) != 3 || !has(trees, p[1]) || !has(names, p[2]) {
				return ""
			}
			if chance(p[2], p[1]) < share {
				return p[2] + p[1]
			}
			return p[2]
		})
		s.size = func(c, u string) int64 { return sizeOf(c) }
		for _, n := range names {
			for _, t := range trees {
				if m.often(0.9) {
					m.list("/%s/%s/%s", first, t, n)
				}
			}
		}
	},
}

// Revised makes a section of files that change seldom, and little.
func Revised(m *Maker) { versions("revised", 0.03, 0.9, 0.99)(m) }

// ownValue makes a section with a parameter of which one value shows a picture instead of the page.
func ownValue(m *Maker) {
	names, param := m.words(m.some()), m.word()
	_, first := m.section("own value", func(rest string) string {
		p, _, v := query(rest)
		if !has(names, p[1:]) {
			return ""
		}
		if strings.HasPrefix(v[param], "wiki") {
			return p + " " + v[param]
		}
		return p
	})
	for i, n := range names {
		m.list("/%s/%s", first, n)
		for k := range 1 + m.IntN(3) {
			m.list("/%s/%s?%s=%d", first, n, param, 10*i+k)
		}
		if m.often(0.1) {
			m.list("/%s/%s?%s=wiki.png", first, n, param)
		}
	}
}

// versions makes a section of files, of which a share changes with each version. The versions of
// a file are alike between least and most, and of sizes that are the nearer the more alike they are.
func versions(kind string, share, least, most float64) func(*Maker) {
	return func(m *Maker) {
		names, ids := m.words(m.some()), []string{}
		for range 8 {
			ids = append(ids, fmt.Sprintf("%s%d", m.word(), m.IntN(1000)))
		}
		s, first := m.section(kind, func(rest string) string {
			p, _, v := query(rest)
			at := slices.Index(ids, v["id"])
			if v["id"] == "HEAD" || v["id"] == "" {
				at = len(ids) - 1
			}
			if p != "/blob" || !has(names, v["f"]) || at < 0 {
				return ""
			}
			changed := 0
			for k := 1; k <= at; k++ {
				if chance(v["f"], ids[k]) < share {
					changed = k
				}
			}
			return fmt.Sprint(v["f"], " ", changed)
		})
		s.many = true
		s.alike = func(a, b string) float64 {
			if file(a) != file(b) {
				return 0.2 + 0.6*chance(a, b)
			}
			return least + (most-least)*chance(a, b)
		}
		s.size = func(c, u string) int64 {
			return int64(least*float64(sizeOf(file(c))) + (1-least)*float64(sizeOf(c)))
		}
		for _, n := range names {
			m.list("/%s/blob?f=%s;id=HEAD", first, n)
			for _, id := range ids {
				if m.often(0.4) {
					m.list("/%s/blob?f=%s;id=%s", first, n, id)
				}
			}
			if m.often(0.5) {
				m.list("/%s/blob?f=%s", first, n)
			}
		}
	}
}

// file returns the file of a content of the sections of versions.
func file(content string) string {
	return content[:strings.LastIndexByte(content, ' ')]
}

// falseSections make one section each, whose sizes suggest rules that are false.
var falseSections = []func(*Maker){
	func(m *Maker) { // false: sort orders of one size
		names := m.words(m.some())
		s, first := m.section("false: sorted", func(rest string) string {
			p, _, v := query(rest)
			p = strings.TrimSuffix(p, "/")
			if !has(names, p[1:]) {
				return ""
			}
			if v["C"] == "" || v["C"] == "N" && v["O"] == "A" {
				return p
			}
			return p + " " + v["C"] + v["O"]
		})
		s.alike = func(a, b string) float64 { return 0.3 + 0.5*chance(a, b) }
		s.size = func(c, u string) int64 { name, _, _ := strings.Cut(c, "  "); return sizeOf(strings.Fields(name)[1]) }
		for _, n := range names {
			m.list("/%s/%s/", first, n)
			for _, c := range []string{"N", "M", "S"} {
				for _, o := range []string{"A", "D"} {
					if m.often(0.5) {
						m.list("/%s/%s/?C=%s;O=%s", first, n, c, o)
					}
				}
			}
		}
	},
	func(m *Maker) { // false: pages that differ in a few words
		names := m.words(m.some())
		s, first := m.section("false: near copies", func(rest string) string {
			p, _, v := query(rest)
			if p != "/post" || !has(names, v["topic"]) {
				return ""
			}
			return v["topic"] + " " + v["reply"]
		})
		mean := 0.86 + 0.08*m.Float64()
		s.alike = func(a, b string) float64 {
			if strings.Fields(a)[1] != strings.Fields(b)[1] {
				return mean - 0.06 + 0.05*chance(a, b)
			}
			return mean - 0.03 + 0.06*chance(a, b)
		}
		s.size = func(c, u string) int64 { return sizeOf(strings.Fields(c)[1]) + int64(20*chance(c, "reply")) }
		for i, n := range names {
			m.list("/%s/post?topic=%s", first, n)
			for k := range 1 + m.IntN(3) {
				m.list("/%s/post?topic=%s&reply=%d", first, n, 10*i+k)
			}
		}
	},
	func(m *Maker) { // false: a server that answers everything
		names := m.words(m.some())
		_, first := m.section("false: shell", func(rest string) string {
			p, _, v := query(rest)
			if strings.HasPrefix(p, "/item/") && has(names, p[6:]) {
				return p + v["tab"]
			}
			return "nothing here"
		})
		for _, n := range names {
			m.list("/%s/item/%s", first, n)
			for k := range m.IntN(3) {
				m.list("/%s/item/%s?tab=%d", first, n, k)
			}
			if m.often(0.3) {
				m.list("/%s/items/%s", first, n)
			}
		}
	},
	func(m *Maker) { // false: many pages of one size
		names := m.words(m.some())
		s, first := m.section("false: one size", func(rest string) string {
			p := strings.Split(rest, "/")
			if len(p) != 3 || !has(names, p[2]) {
				return ""
			}
			return rest
		})
		s.size = func(c, u string) int64 { return 4321 + int64(4*chance(c, "one")) }
		for _, n := range names {
			for k := range 1 + m.IntN(4) {
				m.list("/%s/%d/%s", first, k, n)
			}
		}
	},
}
