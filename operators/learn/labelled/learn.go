package labelled

import (
	"slices"

	"dustbuster/operators/learn/drops"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/equal"
	"dustbuster/operators/learn/kinds"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Name is the name of the learner in lists of rules.
const Name = "labels"

// Options are the options of the learners.
type Options struct {
	Envelope envelope.Options // of equal; its Similarity plays no part
	NoRefine bool             // phase 2 is left out
	NoParams bool             // no rules that edit parameters
}

// Learn returns the rules that the learners find among the labelled pages, each once. The pages are in byte order of their URLs. If stop returns true, Learn soon returns false.
func Learn(o Options, pairs []Pair, pages []evidence.Page, stop func() bool) (rules []rule.Likely, done bool) {
	some := Pages(pairs, pages)
	if len(some) < 2 {
		return nil, true
	}
	o.Envelope.Similarity = evidence.Similarity{}
	found, done := equal.Learn(equal.Options{Envelope: o.Envelope, NoRefine: o.NoRefine}, some, stop)
	var more []rule.Likely
	if done && !o.NoParams {
		more, done = drops.Learn(drops.Options{MinSupport: o.Envelope.MinSupport}, some, stop)
		found = append(found, more...)
	}
	if done {
		more, done = kinds.Learn(kinds.Options{MinSupport: o.Envelope.MinSupport, NoParams: o.NoParams}, some, stop)
		found = append(found, more...)
	}
	if !done {
		return nil, false
	}
	known := map[rule.Rule]bool{}
	for _, r := range found {
		if !known[r.Rule] {
			known[r.Rule] = true
			r.Learner = Name
			rules = append(rules, r)
		}
	}
	return rules, true
}

// Pages returns the pages that have labels, in their order, with these for their only digests. O(pairs + pages).
func Pages(pairs []Pair, pages []evidence.Page) (some []evidence.Page) {
	sets := newSets(len(pairs))
	for _, p := range pairs {
		sets.join(sets.number(p.URL), sets.number(p.Canonical))
	}
	for i := range pages {
		n, has := sets.numbers[pages[i].URL]
		if !has {
			continue
		}
		label := int64(sets.root(n)) + 1
		some = append(some, evidence.Page{URL: pages[i].URL, Evidence: evidence.Spans{{Min: label, Max: label, Class: evidence.Digest}}, Number: pages[i].Number})
	}
	return slices.Clip(some)
}

// sets are disjoint sets of URLs.
type sets struct {
	numbers map[string]int32
	parent  []int32
}

func newSets(size int) *sets { return &sets{numbers: make(map[string]int32, size)} }

func (s *sets) number(url string) int32 {
	n, has := s.numbers[url]
	if !has {
		n = int32(len(s.parent))
		s.numbers[url], s.parent = n, append(s.parent, n)
	}
	return n
}

func (s *sets) root(n int32) int32 {
	for s.parent[n] != n {
		s.parent[n] = s.parent[s.parent[n]]
		n = s.parent[n]
	}
	return n
}

func (s *sets) join(a, b int32) {
	if a, b = s.root(a), s.root(b); a != b {
		s.parent[max(a, b)] = min(a, b)
	}
}
