package tree

import (
	"slices"

	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Name is the name of the learner.
const Name = "tree"

// About is what the learner finds, for people.
const About = "edits for the URLs of a pattern tree's node (WWW 2010)"

// MaxFPR is the greatest rate of false positives of a rule that is selected (Lei et al.,
// section 6.2.2).
const MaxFPR = .05

// maxCandidates returns the greatest number of candidates of a number of URLs, which bounds
// the memory for hostile URLs. The candidates of greatest gain are kept.
func maxCandidates(urls int) int { return 4096 + 2*urls }

// candidate is a rule with the pairs of nodes that made it.
type candidate struct {
	cluster.Learned
	pairs []pair
	gain  int // URLs of a source, of one set of keys: the most of its pairs
}

// LearnWindow returns the likely rules of the pages of a window, best first: see
// [cluster.LearnWindow].
func LearnWindow(similar evidence.Similarity, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
	return cluster.LearnWindow(Name, func(clusters [][]string, stop func() bool) []cluster.Learned {
		_, deployed := Learn(clusters, stop)
		return deployed
	}, similar, pages, stop)
}

// Learn returns all rules of pairs of nodes, judged on the clustering, in the order of support.
// Of equal support the rule that changes more URLs comes first. Learn also returns the rules
// to deploy: those of support 3 and more and a rate of false positives of at most [MaxFPR]
// that the graph selects. Clusters of one URL only serve the judgement. Stop is called now and then.
// If stop returns true, Learn soon returns none.
func Learn(clusters [][]string, stop func() bool) (all, deployed []cluster.Learned) {
	b, candidates, ok := learn(clusters, stop)
	if !ok {
		return nil, nil
	}
	for i := range candidates {
		all = append(all, candidates[i].Learned)
	}
	candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return c.Support < cluster.MinSupport || c.FPR() > MaxFPR })
	for _, c := range b.selected(candidates) {
		deployed = append(deployed, c.Learned)
	}
	return all, deployed
}

func learn(clusters [][]string, stop func() bool) (b *tree, candidates []candidate, ok bool) {
	if b, ok = build(cluster.NewTable(clusters, 2), stop); !ok {
		return b, nil, false
	}
	pairs, ok := b.pairs()
	if !ok {
		return b, nil, false
	}
	place, most := map[rule.Rule]int{}, maxCandidates(len(b.t.Rows))
	w := newWriter(b)
	for _, p := range pairs {
		if stop() {
			return b, nil, false
		}
		for _, r := range w.rules(p) {
			at, known := place[r.Rule]
			if !known {
				at = len(candidates)
				place[r.Rule] = at
				candidates = append(candidates, candidate{Learned: cluster.Learned{Rule: r.Rule}})
			}
			c := &candidates[at]
			c.pairs, c.gain = append(c.pairs, p), max(c.gain, r.gain)
		}
		if len(candidates) > 2*most {
			candidates = best(candidates, place, most)
		}
	}
	candidates = best(candidates, place, most)
	rules := make([]rule.Rule, len(candidates))
	for i := range candidates {
		rules[i] = candidates[i].Rule
	}
	judged, ok := cluster.NewSite(clusters).JudgeAll(rules, stop)
	if !ok {
		return b, nil, false
	}
	for i := range judged {
		candidates[i].Learned = judged[i]
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return a.Compare(b.Learned) })
	return b, candidates, true
}

// best returns at most so many candidates, those of greatest gain, in their order. Of equal gain the
// first stay. place gets the places of those that stay.
func best(all []candidate, place map[rule.Rule]int, most int) []candidate {
	if len(all) <= most {
		return all
	}
	gains := make([]int, len(all))
	for i := range all {
		gains[i] = all[i].gain
	}
	slices.Sort(gains)
	least := gains[len(gains)-most]
	above, _ := slices.BinarySearch(gains, least+1)
	equal := most - (len(gains) - above) // candidates of the least gain that stay
	clear(place)
	kept := all[:0]
	for _, c := range all {
		if c.gain == least {
			equal--
		}
		if c.gain > least || c.gain == least && equal >= 0 {
			place[c.Rule] = len(kept)
			kept = append(kept, c)
		}
	}
	return kept
}
