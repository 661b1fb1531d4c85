package miner

import (
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// Example returns two URLs of the window that are an instance of a rule and likely similar, the least
// in byte order. The result depends on the pages alone. O(URLs that hold the rarest token of the rule).
func (a *Reach) Example(r *rule.Rule) (u, v string, ok bool) {
	var at, to int
	if r.Kind() == rule.KindSubstring {
		at, to, ok = a.pairExample(r.Pair())
	} else {
		at, to, ok = a.dropExample(r)
	}
	if !ok {
		return "", "", false
	}
	return a.pages[at].URL, a.pages[to].URL, true
}

// places is the number of occurrences of Alpha in one URL that are tried for an example.
const places = 32

// pairExample returns the least page with Alpha whose counterpart with Beta is in the window.
func (a *Reach) pairExample(p dust.Pair) (u, v int, ok bool) {
	among, _ := a.search().MayChange(&rule.Rule{Edit: rule.Substring{From: p.Alpha, To: p.Beta, AtStart: p.AtStart, AtEnd: p.AtEnd}})
	var url, buf []byte
	for n := range among {
		url = append(url[:0], a.pages[n].URL...)
		tried := 0
		for other := range p.Replacements(&buf, url) {
			if tried++; tried > places {
				break
			}
			if v, ok = a.numbers.Of(other); ok && v != int(n) && a.Alike(int(n), v) {
				return int(n), v, true
			}
		}
	}
	return 0, 0, false
}

// members is the number of members of a group that are compared pairwise for an example.
const members = 8

// dropExample returns the least two pages with the same edited URL, of which the
// first is edited. The search covers the least members of each group.
func (a *Reach) dropExample(r *rule.Rule) (u, v int, ok bool) {
	groups := map[string][]int{}
	for n, rest := range a.changed(r) {
		if len(groups[string(rest)]) < members {
			groups[string(rest)] = append(groups[string(rest)], n)
		}
	}
	for rest, holders := range groups {
		others := holders
		if n, in := a.numbers.Of([]byte(rest)); in {
			others = append(slices.Clone(holders), n)
		}
		for _, x := range holders {
			for _, y := range others {
				if x != y && (!ok || x < u || x == u && y < v) && a.Alike(x, y) {
					u, v, ok = x, y, true
				}
			}
		}
	}
	return u, v, ok
}
