package weight

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/window/evidence"
)

// This file is the definition of meetings and of the own weight, written plainly.

// calendar is the days of pages, by URL.
type calendar map[string][]evidence.Day

// randomDays returns days whose sizes lie within the evidence of each page.
func randomDays(rng *rand.Rand, pages []evidence.Page) calendar {
	all := calendar{}
	for _, p := range pages {
		for _, s := range p.Evidence {
			if s.Class == evidence.Digest {
				continue
			}
			for number := range int64(6) {
				if rng.IntN(2) == 0 {
					continue
				}
				d := evidence.DayOf(number, evidence.Span{Class: s.Class, Min: s.Min, Max: s.Min})
				for range 1 + rng.IntN(6) {
					size := s.Min + rng.Int64N(s.Max-s.Min+1)
					one := evidence.DayOf(number, evidence.Span{Class: s.Class, Min: size, Max: size})
					d.Join(&one)
				}
				all[p.URL] = append(all[p.URL], d)
			}
		}
		slices.SortFunc(all[p.URL], evidence.Day.Compare)
	}
	return all
}

func (c calendar) of(to []evidence.Day, p *evidence.Page) []evidence.Day {
	return append(to, c[p.URL]...)
}

// meetings returns the number of meetings of pairs, and what was met.
func (l *plain) meetings(c calendar, pairs []joined) (n int, met float64) {
	if l.o.Similarity.Off {
		return 0, 0
	}
	for _, p := range pairs {
		if l.isDouble(p[0]) || l.isDouble(p[1]) {
			continue
		}
		e, f := l.pages[p[0]], l.pages[p[1]]
		_, one := oracle.OneDigest(e)
		_, two := oracle.OneDigest(f)
		if one && two {
			continue
		}
		both := oracle.Common(e, f)
		least := slices.MinFunc(both, func(a, b [2]evidence.Span) int { return int(a[0].Class) - int(b[0].Class) })
		if !l.apart(least[0]) && !l.apart(least[1]) {
			continue
		}
		ours, theirs := l.daysIn(c[p[0]], least[0]), l.daysIn(c[p[1]], least[1])
		for day, a := range ours {
			b, shared := theirs[day]
			if !shared {
				continue
			}
			if match, ok := l.matched(a, b); ok {
				n++
				met += match
			}
		}
	}
	return n, met
}

func (l *plain) apart(s evidence.Span) bool {
	return float64(s.Max-s.Min) > l.o.Similarity.Tolerance*float64(s.Max)
}

// daysIn returns the days of a page in the class of a span, by number.
func (l *plain) daysIn(days []evidence.Day, s evidence.Span) map[int64]evidence.Day {
	all := map[int64]evidence.Day{}
	for _, d := range days {
		if d.Class != s.Class {
			continue
		}
		if !l.apart(s) {
			d = evidence.DayOf(d.Number, evidence.Span{Class: s.Class, Min: s.Min, Max: s.Min})
		}
		all[d.Number] = d
	}
	return all
}

func (l *plain) matched(a, b evidence.Day) (match float64, ok bool) {
	t := l.o.Similarity.Tolerance
	if len(b.Sizes()) < len(a.Sizes()) {
		a, b = b, a
	}
	found, open := 0.0, 0.0
	for _, x := range a.Sizes() {
		has := false
		for _, y := range b.Sizes() {
			has = has || math.Abs(float64(x)-float64(y)) <= t*math.Max(float64(x), float64(y))
		}
		switch {
		case has:
			found++
		case b.Full && (1-t)*float64(b.Min) <= float64(x) && float64(x) <= float64(b.Max)/(1-t):
			open++
		}
	}
	rest := float64(len(a.Sizes())) - open
	return found / rest, rest > 0
}

// own returns the own weight of a substring rule from its votes.
func (l *plain) own(votes []joined, k, q float64) float64 {
	if len(votes) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range votes {
		share, enough := l.siblings(v)
		if enough {
			sum += max(q, share)
		} else {
			sum += q
		}
	}
	n := float64(len(votes))
	all := min(sum/n, 0.999)
	switch {
	case k <= all*n:
		return 0
	case k == n:
		return k * math.Log(k/(all*n))
	}
	return k*math.Log(k/(all*n)) + (n-k)*math.Log((n-k)/(n*(1-all)))
}

// siblings returns the share of a vote's siblings that are similar to one of its pages, and
// reports whether they are at least three.
func (l *plain) siblings(v joined) (share float64, enough bool) {
	a, b := plainKeys(v[0]), plainKeys(v[1])
	place := differing(a, b)
	if place == "" {
		return 0, false
	}
	var all []string
	for u, e := range l.pages {
		keys := plainKeys(u)
		same := u != v[0] && u != v[1] && keys != nil && len(keys) == len(a)
		for name, value := range a {
			got, has := keys[name]
			same = same && has && (name == place || got == value)
		}
		if same && canOrOff(l, e, l.pages[v[0]]) && canOrOff(l, e, l.pages[v[1]]) {
			all = append(all, u)
		}
	}
	slices.SortFunc(all, func(u, v string) int { return compareHashes(l.hashOf(u), l.hashOf(v)) })
	all = all[:min(len(all), 20)]
	n := 0.0
	for _, u := range all {
		if l.alike(joined{u, v[0]}) || l.alike(joined{u, v[1]}) {
			n++
		}
	}
	return n / float64(len(all)), len(all) >= 3
}

func canOrOff(l *plain, e, f evidence.Spans) bool { return l.o.Similarity.Off || canCompare(e, f) }

func compareHashes(a, b uint64) int {
	if a < b {
		return -1
	}
	return 1
}

// plainKeys returns the keys of a URL with their values, or nil if no template fits. A bare
// parameter has a value that no other has.
func plainKeys(url string) map[string]string {
	path, query, has := strings.Cut(url, "?")
	_, segments, found := strings.Cut(path, "/")
	if !found || strings.Contains(query, "&") && strings.Contains(query, ";") {
		return nil
	}
	keys := map[string]string{}
	for i, s := range strings.Split(segments, "/") {
		keys[fmt.Sprint("/", i)] = s
	}
	for _, piece := range strings.Split(strings.ReplaceAll(query, ";", "&"), "&") {
		name, value, valued := strings.Cut(piece, "=")
		if !valued {
			value = "bare "
		}
		if _, twice := keys[name]; has && (twice || name == "" || name[0] == '/') {
			return nil
		}
		if has {
			keys[name] = value
		}
	}
	if len(keys) > 64 {
		return nil
	}
	return keys
}

// differing returns the only key whose values differ, or "".
func differing(a, b map[string]string) (place string) {
	if a == nil || b == nil || len(a) > 24 || !maps.EqualFunc(a, b, func(string, string) bool { return true }) {
		return ""
	}
	for name := range a {
		if a[name] == b[name] {
			continue
		}
		if place != "" {
			return ""
		}
		place = name
	}
	return place
}

// Random worlds of few keys, so that votes have siblings, with days.
func TestMeetingsAndSiblings(t *testing.T) {
	met, lighter, contradicted := 0, 0, 0
	for seed := range worlds.Rounds(25, 300) {
		rng := rand.New(rand.NewPCG(seed, 8))
		seen := map[string]bool{}
		var pages []evidence.Page
		for range 5 + rng.IntN(60) {
			u := fmt.Sprintf("/%s/%s", []string{"a", "b", "c.html"}[rng.IntN(3)], strings.Repeat("x.", rng.IntN(6)))
			if rng.IntN(2) == 0 {
				u += fmt.Sprintf("?p=%d", rng.IntN(9))
			}
			if rng.IntN(4) == 0 {
				u = randomQuery(rng)
			}
			if !seen[u] {
				seen[u] = true
				pages = append(pages, evidence.Page{URL: u, Evidence: oracle.RandomEvidence(rng)})
			}
		}
		days := randomDays(rng, pages)
		o := Options{Key: [2]uint64{rng.Uint64(), 7}, Similarity: oracle.RandomOptions(rng).Similarity, Days: days.of}
		verify(t, pages, o, append(substringRules(pages), paramRules()...))
		for _, r := range weighed(pages, o, substringRules(pages)...) {
			met += r.Meetings
			if r.Own < r.Weight {
				lighter++
			}
			if Contradicted(r.Meetings, r.Met) {
				contradicted++
			}
		}
	}
	if met < 1000 || lighter < 50 || contradicted < 10 {
		t.Errorf("%d meetings, %d rules of less own weight, %d contradicted", met, lighter, contradicted)
	}
}
