package madeup

import (
	"slices"
	"strings"
)

// query splits what follows a section into path and parameters.
func query(rest string) (path string, names []string, values map[string]string) {
	path, q, _ := strings.Cut(rest, "?")
	values = map[string]string{}
	for _, piece := range strings.FieldsFunc(q, func(c rune) bool { return c == '&' || c == ';' }) {
		name, value, _ := strings.Cut(piece, "=")
		if _, twice := values[name]; !twice {
			names = append(names, name)
		}
		values[name] = value
	}
	return path, names, values
}

func has(all []string, s string) bool { return slices.Contains(all, s) }

// trueSections make one section each, with a true rule.
var trueSections = []func(*Maker){
	func(m *Maker) { // the same tree under two or three names
		names, trees := m.words(m.some()), m.words(2+m.IntN(2))
		_, first := m.section("mirror", func(rest string) string {
			p := strings.Split(rest, "/")
			if len(p) != 4 || !has(trees, p[1]) || p[2] != "html" || !has(names, strings.TrimSuffix(p[3], ".html")) {
				return ""
			}
			return p[3]
		})
		for _, n := range names {
			for _, t := range trees {
				if m.often(0.8) {
					m.list("/%s/%s/html/%s.html", first, t, n)
				}
			}
		}
	},
	func(m *Maker) { // index.html
		names := m.words(m.some())
		_, first := m.section("index", func(rest string) string {
			p := strings.Split(rest, "/")
			if len(p) != 3 || !has(names, p[1]) || p[2] != "" && p[2] != "index.html" {
				return ""
			}
			return p[1]
		})
		for _, n := range names {
			m.list("/%s/%s/", first, n)
			if m.often(0.7) {
				m.list("/%s/%s/index.html", first, n)
			}
		}
	},
	func(m *Maker) { // a parameter without meaning, with many values
		names, param := m.words(m.some()), m.word()
		_, first := m.section("drop", func(rest string) string {
			p, _, _ := query(rest)
			if !has(names, p[1:]) {
				return ""
			}
			return p
		})
		for i, n := range names {
			for k := range 1 + m.IntN(3) {
				m.list("/%s/%s?%s=%d", first, n, param, 1000*i+k)
			}
			if m.often(0.5) {
				m.list("/%s/%s", first, n)
			}
		}
	},
	func(m *Maker) { // a parameter that means nothing where another has one value
		names, param, other := m.words(m.some()), m.word(), m.word()
		values := m.words(4)
		_, first := m.section("drop where", func(rest string) string {
			p, _, v := query(rest)
			if p != "/show" || !has(names, v["name"]) {
				return ""
			}
			if v[other] == values[0] {
				return "plain " + v["name"]
			}
			return v["name"] + v[other] + v[param]
		})
		for _, n := range names {
			for _, o := range values[:1+m.IntN(4)] {
				for _, p := range []string{"1", "2", "3"} {
					if m.often(0.6) {
						m.list("/%s/show?name=%s&%s=%s&%s=%s", first, n, other, o, param, p)
					}
				}
				m.list("/%s/show?name=%s&%s=%s", first, n, other, o)
			}
		}
	},
	func(m *Maker) { // two parameters that mean nothing together
		names, a, b := m.words(m.some()), m.word(), m.word()
		_, first := m.section("drop two", func(rest string) string {
			p, _, v := query(rest)
			_, hasA := v[a]
			_, hasB := v[b]
			if !has(names, p[1:]) || hasA != hasB {
				return ""
			}
			return p
		})
		for i, n := range names {
			m.list("/%s/%s", first, n)
			for k := range 2 {
				m.list("/%s/%s?%s=%d&%s=%d", first, n, a, i*10+k, b, i*7+k)
			}
		}
	},
	func(m *Maker) { // a parameter of which one value means nothing
		names, param := m.words(m.some()), m.word()
		_, first := m.section("drop value", func(rest string) string {
			p, _, v := query(rest)
			if !has(names, p[1:]) {
				return ""
			}
			if v[param] == "" || v[param] == "1" {
				return p
			}
			return p + v[param]
		})
		for _, n := range names {
			m.list("/%s/%s", first, n)
			for k := range 1 + m.IntN(5) {
				m.list("/%s/%s?%s=%d", first, n, param, k+1)
			}
		}
	},
	func(m *Maker) { // a parameter that must be there, with any value
		names, param, values := m.words(m.some()), m.word(), m.words(6)
		_, first := m.section("set", func(rest string) string {
			p, _, v := query(rest)
			if !has(names, p[1:]) || v[param] == "" {
				return ""
			}
			return p
		})
		for _, n := range names {
			for _, v := range values[:1+m.IntN(6)] {
				m.list("/%s/%s?%s=%s", first, n, param, v)
			}
		}
	},
	func(m *Maker) { // parameters in any order
		names, a, b := m.words(m.some()), m.word(), m.word()
		_, first := m.section("order", func(rest string) string {
			p, _, v := query(rest)
			if !has(names, p[1:]) {
				return ""
			}
			return p + v[a] + v[b]
		})
		for i, n := range names {
			m.list("/%s/%s?%s=%d&%s=x%d", first, n, a, i, b, i)
			if m.often(0.6) {
				m.list("/%s/%s?%s=x%d&%s=%d", first, n, b, i, a, i)
			}
		}
	},
	func(m *Maker) { // forms of syntax
		names := m.words(m.some())
		_, first := m.section("form", func(rest string) string {
			p, _, _ := strings.Cut(rest, "?")
			p = "/" + strings.Trim(p, "/")
			if !has(names, p[1:]) {
				return ""
			}
			return p
		})
		for _, n := range names {
			m.list("/%s/%s", first, n)
			switch m.IntN(4) {
			case 0:
				m.list("/%s//%s", first, n)
			case 1:
				m.list("/%s/%s?", first, n)
			}
		}
	},
	func(m *Maker) { // a session in the path
		names := m.words(m.some())
		_, first := m.section("path parameter", func(rest string) string {
			p, _, _ := strings.Cut(rest, ";")
			if !has(names, p[1:]) {
				return ""
			}
			return p
		})
		for i, n := range names {
			if m.often(0.7) {
				m.list("/%s/%s", first, n)
			}
			for k := range 1 + m.IntN(2) {
				m.list("/%s/%s;sess=%d", first, n, 100*i+k)
			}
		}
	},
	func(m *Maker) { // names of parameters that are values
		names := m.words(m.some())
		_, first := m.section("pattern", func(rest string) string {
			p, _, _ := strings.Cut(rest, "?")
			if !has(names, strings.TrimSuffix(p[1:], ".css")) {
				return ""
			}
			return p
		})
		for i, n := range names {
			if m.often(0.6) {
				m.list("/%s/%s.css", first, n)
			}
			for k := range 1 + m.IntN(3) {
				m.list("/%s/%s.css?v%d", first, n, 83000+10*i+k)
			}
		}
	},
	func(m *Maker) { // a parameter without meaning but on the main page
		names, param := m.words(m.some()), m.word()
		names[0] = "Main_Page"
		_, first := m.section("exception", func(rest string) string {
			p, _, v := query(rest)
			if p != "/w" || !has(names, v["title"]) {
				return ""
			}
			if v["title"] == "Main_Page" {
				return v["title"] + v[param]
			}
			return v["title"]
		})
		for i, n := range names {
			m.list("/%s/w?title=%s", first, n)
			for k := range 1 + m.IntN(3) {
				m.list("/%s/w?title=%s&%s=%d", first, n, param, 10*i+k)
			}
			if i == 0 {
				for k := range 5 {
					m.list("/%s/w?title=%s&%s=%d", first, n, param, 5000+k)
				}
			}
		}
	},
	func(m *Maker) { // a mirror whose pages show the time, of sizes that change
		names, trees := m.words(m.some()), m.words(2)
		s, first := m.section("noise", func(rest string) string {
			p := strings.Split(rest, "/")
			if len(p) != 3 || !has(trees, p[1]) || !has(names, p[2]) {
				return ""
			}
			return p[2]
		})
		s.varies = true
		s.size = func(c, u string) int64 { return int64(float64(sizeOf(c)) * (1 + 0.012*(chance(u, "noise")-0.5))) }
		for _, n := range names {
			for _, t := range trees {
				if m.often(0.9) {
					m.list("/%s/%s/%s", first, t, n)
				}
			}
		}
	},
}
