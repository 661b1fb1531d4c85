package weight

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// This file is the definition of doubles, written plainly.

// groupsOf returns the groups of the sizes of a page, by the span of a class.
func (l *plain) groupsOf(url string) func(s evidence.Span) []evidence.Span {
	return func(s evidence.Span) []evidence.Span {
		var sizes []int64
		for _, d := range l.days[url] {
			if d.Class == s.Class {
				sizes = append(append(sizes, d.Sizes()...), d.Min, d.Max)
			}
		}
		return oracle.Groups(l.o.Similarity.Tolerance, s, sizes)
	}
}

// isDouble reports whether a page is double in some class.
func (l *plain) isDouble(url string) bool {
	return !l.o.Similarity.Off && slices.ContainsFunc(l.pages[url], func(s evidence.Span) bool {
		return s.Class != evidence.Digest && len(l.groupsOf(url)(s)) == 2
	})
}

// alike reports whether two pages are similar: two doubles in both groups, a double and another page in one.
func (l *plain) alike(p joined) bool {
	return oracle.AlikeDoubles(l.o.Similarity, l.pages[p[0]], l.pages[p[1]], l.groupsOf(p[0]), l.groupsOf(p[1]))
}

// spread makes pages whose answers are packed for some clients.
func spread(rng *rand.Rand, pages []evidence.Page) calendar {
	all := calendar{}
	for i := range pages {
		p := &pages[i]
		p.Evidence = nil
		for class := range uint8(1 + rng.IntN(2)) {
			base := []int64{1000, 1004, 1300, 3000, 4000}[rng.IntN(5)]
			sizes := []int64{base}
			for range rng.IntN(5) {
				sizes = append(sizes, []int64{base, base + 3, 3 * base, 3*base + 9, 3 * base / 2, 2 * base}[rng.IntN(6)])
			}
			for _, size := range sizes {
				one := evidence.Span{Class: class, Min: size, Max: size}
				p.Evidence = p.Evidence.Join(one)
				d := evidence.DayOf(rng.Int64N(3), one)
				at := slices.IndexFunc(all[p.URL], func(other evidence.Day) bool { return other.Class == class && other.Number == d.Number })
				if at >= 0 {
					all[p.URL][at].Join(&d)
				} else if rng.IntN(9) > 0 {
					all[p.URL] = append(all[p.URL], d)
				}
			}
		}
		slices.SortFunc(all[p.URL], evidence.Day.Compare)
	}
	return all
}

// Random worlds in which many pages are double.
func TestDoublesRandom(t *testing.T) {
	weighty, doubles := 0, 0
	for seed := range worlds.Rounds(20, 300) {
		rng := rand.New(rand.NewPCG(seed, 9))
		var pages []evidence.Page
		for i := range 4 + rng.IntN(8) {
			u := fmt.Sprintf("/p%d", i)
			pages = append(pages, evidence.Page{URL: u}, evidence.Page{URL: u + "?s=1"})
			if rng.IntN(2) == 0 {
				pages = append(pages, evidence.Page{URL: u + "?s=2"})
			}
		}
		days := spread(rng, pages)
		o := Options{Key: [2]uint64{rng.Uint64(), 7}, Similarity: evidence.Similarity{Tolerance: 0.01}, Days: days.of}
		for l, i := newPlain(pages, o), 0; i < len(pages); i++ {
			if l.isDouble(pages[i].URL) {
				doubles++
			}
		}
		some := substringRules(pages) // in no order
		weighty += verify(t, pages, o, append(some[:min(len(some), 9)], rule.Rule{Edit: rule.Drop{Param: "s"}}))
	}
	if weighty < 5 || doubles < 100 {
		t.Errorf("%d rules have a weight, %d pages are double", weighty, doubles)
	}
}

// Clients with and without gzip see two sizes of each page. The rule that leaves out a session has nearly the weight that
// it has by one kind of client. A rule between other pages has none.
func TestDoubles(t *testing.T) {
	of := func(packed bool, other string) rule.Likely {
		var pages []evidence.Page
		days := calendar{}
		add := func(u string, size int64) {
			sizes := []int64{size}
			if packed {
				sizes = append(sizes, size/4)
			}
			p := evidence.Page{URL: u}
			for day, size := range sizes {
				one := evidence.Span{Min: size, Max: size}
				p.Evidence = p.Evidence.Join(one)
				days[u] = append([]evidence.Day{evidence.DayOf(int64(day), one)}, days[u]...)
			}
			pages = append(pages, p)
		}
		for i := range int64(60) {
			size := 10_000 + 397*i
			add(fmt.Sprintf("/p%d", i), size)
			add(fmt.Sprintf("/p%d?s=1", i), size+30)
			add(fmt.Sprintf("/p%d?t=1", i), 10_000+397*(i*7%60))
		}
		o := Options{Key: [2]uint64{1, 2}, Similarity: evidence.Similarity{Tolerance: 0.01}, Days: days.of}
		return weighed(pages, o, rule.Rule{Edit: rule.Drop{Param: other}})[0]
	}
	for _, param := range []string{"s", "t"} {
		one, two := of(false, param), of(true, param)
		if two.Weight < 0.8*one.Weight || two.Alike != one.Alike || Contradicted(two.Meetings, two.Met) || one.Weight > 50 != (param == "s") {
			t.Errorf("%s: of one kind of clients %+v, of two %+v", param, one, two)
		}
	}
}
