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
}

func newPlain(pages []evidence.Page, o Options) *plain {
	p := &plain{o: o, pages: map[string]evidence.Spans{}}
	for _, page := range pages {
		p.pages[page.URL] = page.Evidence
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

// dropPairs returns the pairs of a drop: members of each group against the base.
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
		if e, listed := l.pages[rest]; r.HasValue && (!listed || !isKnown(e)) || r.Other != "" && !slices.ContainsFunc(members, hasBoth(r)) {
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

// split cuts a URL into its path and the pieces of its query, each with the separator
// before it.
func split(u string) (path string, pieces []string) {
	path, query, ok := strings.Cut(u, "?")
	if !ok {
		return path, nil
	}
	query = "?" + query
	for query != "" {
		end := 1 + strings.IndexAny(query[1:]+"&", "&;")
		pieces = append(pieces, query[:end])
		query = query[end:]
	}
	return path, pieces
}

func nameOf(piece string) string {
	name, _, _ := strings.Cut(piece[1:], "=")
	return name
}

// withoutAll removes the pieces that a drop removes: one value, or one name, or two names one
// after the other.
func withoutAll(u string, r rule.Rule) (rest string, has bool) {
	if r.HasValue {
		return withoutPieces(u, func(piece string) bool { return piece[1:] == r.Param+"="+r.Value })
	}
	rest, has = without(u, r.Param)
	if r.Other != "" {
		other, too := without(rest, r.Other)
		return other, has || too
	}
	return rest, has
}

// hasBoth reports whether a URL of at most 8 names has both names of a drop.
func hasBoth(r rule.Rule) func(u string) bool {
	return func(u string) bool {
		_, one := without(u, r.Param)
		_, two := without(u, r.Other)
		names := map[string]bool{}
		_, pieces := split(u)
		for _, p := range pieces {
			names[nameOf(p)] = true
		}
		delete(names, "")
		return one && two && len(names) <= 8
	}
}

// without removes a parameter: each piece with the separator after it, the last piece with
// the separator before it.
func without(u, param string) (rest string, has bool) {
	return withoutPieces(u, func(p string) bool { return nameOf(p) == param })
}

func withoutPieces(u string, removed func(piece string) bool) (rest string, has bool) {
	path, pieces := split(u)
	for {
		at := slices.IndexFunc(pieces, removed)
		if at < 0 {
			break
		}
		has = true
		if at+1 < len(pieces) {
			pieces[at+1] = pieces[at][:1] + pieces[at+1][1:]
		}
		pieces = slices.Delete(pieces, at, at+1)
	}
	if len(pieces) == 1 && pieces[0] == "?" && has {
		return path, true
	}
	return path + strings.Join(pieces, ""), has
}

func inScope(rest string, s rule.Scope) bool {
	path, pieces := split(rest)
	if s.HasPath && path != s.Path {
		return false
	}
	c := s.Where[0]
	return c.Param == "" || slices.ContainsFunc(pieces, func(p string) bool {
		if c.HasValue {
			return p[1:] == c.Param+"="+c.Value
		}
		return nameOf(p) == c.Param
	})
}

// oneDigest reports whether a page has exactly one digest.
func oneDigest(e evidence.Spans) (int64, bool) {
	for _, s := range e {
		if s.Class == evidence.Digest && s.Min == s.Max {
			return s.Min, true
		}
	}
	return 0, false
}

func sizeIn(e evidence.Spans, class int) (evidence.Span, bool) {
	for _, s := range e {
		if int(s.Class) == class && class != evidence.Digest {
			return s, true
		}
	}
	return evidence.Span{}, false
}

func isKnown(e evidence.Spans) bool { return canCompare(e, e) }

// canCompare reports whether both pages have one digest, or sizes in one class.
func canCompare(e, f evidence.Spans) bool {
	c1, _, _, ok := compared(e, f)
	return ok && c1 >= 0
}

// compared returns the class in which two pages vote, and the cells of both.
func compared(e, f evidence.Spans) (class int, c1, c2 int64, ok bool) {
	d, one := oneDigest(e)
	if d2, two := oneDigest(f); one && two {
		return evidence.Digest, d, d2, true
	}
	for class := range evidence.Digest {
		s, one := sizeIn(e, class)
		s2, two := sizeIn(f, class)
		if one && two {
			return class, floorLog(s.Min), floorLog(s2.Min), true
		}
	}
	return 0, 0, 0, false
}

func floorLog(size int64) int64 { return int64(math.Floor(math.Log(float64(size)) / math.Log(1.05))) }

// figures returns the figures of a rule with these pairs.
func (l *plain) figures(r rule.Rule, all map[joined]bool) rule.Likely {
	pairs := l.sampled(all)
	f := rule.Likely{Rule: r, Pairs: len(pairs)}
	var votes []joined
	voted := map[[2]int64]bool{}
	for _, p := range pairs {
		if l.alike(p) {
			f.Alike++
		}
		_, c1, c2, _ := compared(l.pages[p[0]], l.pages[p[1]])
		if !voted[[2]int64{c1, c2}] && len(votes) < 300 {
			voted[[2]int64{c1, c2}] = true
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
	q := l.chance(votes)
	f.Expected = q * float64(f.Pairs)
	switch {
	case k <= q*n:
	case k == n:
		f.Weight = k * math.Log(k/(q*n))
	default:
		f.Weight = k*math.Log(k/(q*n)) + (n-k)*math.Log((n-k)/(n*(1-q)))
	}
	return f
}

func (l *plain) alike(p joined) bool {
	return l.o.Similarity.Similar(l.pages[p[0]], l.pages[p[1]])
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

func (l *plain) hash(p joined) uint64 {
	var both []byte
	for _, u := range p {
		h := siphash.Hash(l.o.Key[0], l.o.Key[1], []byte(u))
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
