package madeup

import (
	"fmt"
	"strings"
)

// WrongIn makes two sections, with a parameter and a mirror whose rules are wrong in a share of the pairs.
func WrongIn(share float64) []func(*Maker) {
	parameter := func(m *Maker) {
		names, param := m.words(100+m.IntN(200)), m.word()
		first, spoil := m.falseSection(share, func(rest string) (page, of string) {
			p, _, v := query(rest)
			if !has(names, p[1:]) {
				return "", ""
			}
			return p[1:], v[param]
		})
		for i, n := range names {
			m.list("/%s/%s", first, n)
			for k := range 1 + m.IntN(2) {
				m.list("/%s/%s?%s=%d", first, n, param, 10*i+k)
				spoil(n, fmt.Sprint(10*i+k))
			}
		}
	}
	mirror := func(m *Maker) {
		names, trees := m.words(100+m.IntN(200)), m.words(2)
		first, spoil := m.falseSection(share, func(rest string) (page, of string) {
			p := strings.Split(rest, "/")
			if len(p) != 3 || !has(trees, p[1]) || !has(names, p[2]) {
				return "", ""
			}
			return p[2], p[1]
		})
		for _, n := range names {
			m.list("/%s/%s/%s", first, trees[0], n)
			m.list("/%s/%s/%s", first, trees[1], n)
			spoil(n, trees[1])
		}
	}
	return []func(*Maker){parameter, mirror}
}

// falseSection makes a section whose pages are shown under several texts. spoil, called for each pair of texts of
// a page, makes the pages of a share of the pairs differ: with 2 %, those of one pair in each fifty. All texts
// SectionOf a page have one size, so the log does not tell which pairs differ.
func (m *Maker) falseSection(share float64, split func(rest string) (page, of string)) (first string, spoil func(page, of string)) {
	wrong, pairs, next := map[string]bool{}, 0, 0
	s, first := m.section(WrongKind(share), func(rest string) string {
		page, of := split(rest)
		if wrong[page+" "+of] {
			return page + " " + of
		}
		return page
	})
	s.size = func(c, _ string) int64 { return sizeOf(strings.Fields(c)[1]) }
	each := int(1 / share)
	return first, func(page, of string) {
		if pairs%each == 0 {
			next = m.IntN(each)
		}
		if pairs%each == next {
			wrong[page+" "+of] = true
		}
		pairs++
	}
}

// WrongPrefix begins the kinds of such sections.
const WrongPrefix = "false in "

// WrongKind returns the kind of the sections whose rules are wrong in a share of the pairs.
func WrongKind(share float64) string { return fmt.Sprintf("%s%g %%", WrongPrefix, 100*share) }
