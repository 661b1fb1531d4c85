package weight

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"dustbuster/internal/oracle"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"

	"github.com/dchest/siphash"
)

// This file is the definition of the weight, written plainly.

// plain is a list of URLs.
type plain struct {
	o     Options
	pages map[string]evidence.Spans
	days  calendar
}

func newPlain(pages []evidence.Page, o Options) *plain {
	p := &plain{o: o, pages: map[string]evidence.Spans{}}
	for _, page := range pages {
		p.pages[page.URL] = page.Evidence
		if o.Days != nil {
			if p.days == nil {
				p.days = calendar{}
			}
			p.days[page.URL] = o.Days(nil, &page)
		}
	}
	return p
}

// joined is a pair of URLs.
type joined = [2]string

// substringPairs returns the instances of all pairs of substrings.
func substringPairs(pages []evidence.Page) map[oracle.Pair]map[joined]bool {
	o := oracle.DefaultOptions()
	o.MaxTokens = 1000
	return oracle.Group(o, pages).Instances()
}

// dropPairs returns the pairs of a drop or of a segment: members of each group against the base.
func (l *plain) dropPairs(r rule.Rule) map[joined]bool {
	groups := map[string][]string{}
	for u, e := range l.pages {
		if rest, ok := withoutAll(u, r); ok && isKnown(e) && strings.Count(strings.ReplaceAll(u, ";", "&"), "&") < 32 && inScope(rest, r.Scope) {
			groups[rest] = append(groups[rest], u)
		}
	}
	pairs := map[joined]bool{}
	for rest, members := range groups {
		base := rest
		if e, listed := l.pages[rest]; r.Params().HasValue && (!listed || !isKnown(e)) || r.Params().Other != "" && !slices.ContainsFunc(members, hasAll(r)) {
			continue
		}
		if e, listed := l.pages[rest]; !listed || !isKnown(e) {
			base = slices.Min(members)
		}
		for _, u := range members {
			if u != base {
				pairs[joined{u, base}] = true
			}
		}
	}
	return pairs
}

// editPairs returns the listed pairs u, R(u).
func (l *plain) editPairs(r rule.Rule) map[joined]bool {
	pairs := map[joined]bool{}
	for u := range l.pages {
		v, changed := r.Apply(nil, []byte(u))
		if _, listed := l.pages[string(v)]; changed && listed && string(v) != u {
			pairs[joined{u, string(v)}] = true
		}
	}
	return pairs
}

// withoutAll removes the pieces that a drop removes: one value, or one name, or several names.
func withoutAll(u string, r rule.Rule) (rest string, has bool) {
	if k := r.Kind(); k == rule.KindSegment || k == rule.KindOrder {
		made, cut := r.Apply(nil, []byte(u))
		return string(made), cut
	}
	rest = oracle.Without(u, func(p oracle.Param) bool {
		if r.Params().HasValue {
			return p.Name == r.Params().Param && !p.Bare && p.Value == r.Params().Value
		}
		return slices.Contains(namesOfDrop(r), p.Name)
	})
	return rest, rest != u
}

// namesOfDrop returns the names of a drop, or of a set.
func namesOfDrop(r rule.Rule) []string {
	if r.Params().Other == "" {
		return []string{r.Params().Param}
	}
	return append(strings.Split(r.Params().Other, ";"), r.Params().Param)
}

// hasAll reports whether a URL of at most 8 names has all names of a drop.
func hasAll(r rule.Rule) func(u string) bool {
	return func(u string) bool {
		names := map[string]bool{}
		for _, p := range oracle.Params(u) {
			names[p.Name] = true
		}
		for _, name := range namesOfDrop(r) {
			if !names[name] {
				return false
			}
		}
		return len(names) <= 8
	}
}

func inScope(rest string, s rule.Scope) bool {
	path, _, _ := oracle.Pieces(rest)
	if s.HasPath && path != s.Path {
		return false
	}
	c := s.Where[0]
	return c.Param == "" || slices.ContainsFunc(oracle.Params(rest), func(p oracle.Param) bool {
		return p.Name == c.Param && (!c.HasValue || !p.Bare && p.Value == c.Value)
	})
}

func isKnown(e evidence.Spans) bool { return oracle.Known(evidence.Similarity{}, e) }

// canCompare reports whether both pages have one digest, or sizes in one class.
func canCompare(e, f evidence.Spans) bool { return oracle.Comparable(evidence.Similarity{}, e, f) }

// compared returns the cells of two pages that can be compared, in the first class in which
// they can.
func compared(e, f evidence.Spans) (cells [2]int64) {
	d, one := oracle.OneDigest(e)
	if d2, two := oracle.OneDigest(f); one && two {
		return [2]int64{d, d2}
	}
	both := slices.MinFunc(oracle.Common(e, f), func(a, b [2]evidence.Span) int { return cmp.Compare(a[0].Class, b[0].Class) })
	return [2]int64{floorLog(both[0].Min), floorLog(both[1].Min)}
}

func floorLog(size int64) int64 { return int64(math.Floor(math.Log(float64(size)) / math.Log(1.05))) }

// figures returns the figures of a rule with these pairs.
func (l *plain) figures(r rule.Rule, all map[joined]bool) rule.Likely {
	pairs := l.sampled(all)
	f := rule.Likely{Rule: r, Pairs: len(pairs), OneContent: r.Kind() == rule.KindSubstring}
	f.Meetings, f.Met = l.meetings(l.days, pairs)
	var votes []joined
	voted := map[[2]int64]bool{}
	for _, p := range pairs {
		if l.alike(p) {
			f.Alike++
		}
		cells := compared(l.pages[p[0]], l.pages[p[1]])
		if !voted[cells] && len(votes) < 300 {
			voted[cells] = true
			votes = append(votes, p)
		}
	}
	if len(votes) == 0 {
		return f
	}
	n, k := float64(len(votes)), 0.0
	for _, v := range votes {
		if l.alike(v) {
			k++
		}
	}
	f.OneContent = r.Kind() == rule.KindSubstring && k < 2
	q := l.chance(votes)
	f.Expected = q * float64(f.Pairs)
	switch {
	case k <= q*n:
	case k == n:
		f.Weight = k * math.Log(k/(q*n))
	default:
		f.Weight = k*math.Log(k/(q*n)) + (n-k)*math.Log((n-k)/(n*(1-q)))
	}
	f.Own = f.Weight
	if r.Kind() == rule.KindSubstring {
		f.Own = l.own(votes, k, q)
	}
	return f
}

// sampled returns the pairs that can be compared in the order of their hashes, at most
// 2,000.
func (l *plain) sampled(all map[joined]bool) (pairs []joined) {
	for p := range all {
		if canCompare(l.pages[p[0]], l.pages[p[1]]) {
			pairs = append(pairs, p)
		}
	}
	slices.SortFunc(pairs, func(a, b joined) int { return cmp.Compare(l.hash(a), l.hash(b)) })
	return pairs[:min(len(pairs), 2000)]
}

func (l *plain) hashOf(u string) uint64 { return siphash.Hash(l.o.Key[0], l.o.Key[1], []byte(u)) }

func (l *plain) hash(p joined) uint64 {
	var both []byte
	for _, u := range p {
		h := l.hashOf(u)
		for i := range 8 {
			both = append(both, byte(h>>(8*i)))
		}
	}
	return siphash.Hash(l.o.Key[0], l.o.Key[1], both)
}

// chance returns q.
func (l *plain) chance(votes []joined) float64 {
	d, m := 0.0, 0.0
	for _, i := range votes {
		for _, j := range votes {
			if i[1] != j[1] && canCompare(l.pages[i[0]], l.pages[j[1]]) {
				d++
				if l.alike(joined{i[0], j[1]}) {
					m++
				}
			}
		}
	}
	p := 0.0
	for _, v := range votes {
		comparable, similar := 0.0, 0.0
		for u, e := range l.pages {
			if canCompare(l.pages[v[0]], e) {
				comparable++
				if l.alike(joined{v[0], u}) {
					similar++
				}
			}
		}
		p += similar / comparable
	}
	p /= float64(len(votes))
	return min((m+2*p)/(d+2), 0.999)
}
