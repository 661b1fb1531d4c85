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
const About = "edits of the URLs of a pattern tree's node (WWW 2010)"

// MaxFPR is the greatest rate of false positives of a rule that is selected (Lei et al.,
// section 6.2.2).
const MaxFPR = .05

// maxCandidates returns the greatest number of candidates of a number of URLs, which bounds
// the memory for hostile URLs. Further candidates are left out.
func maxCandidates(urls int) int { return 4096 + 2*urls }

// candidate is a rule with the pairs of nodes that made it.
type candidate struct {
	cluster.Learned
	pairs []pair
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
	place := map[rule.Rule]int{}
	w := newWriter(b)
	for _, p := range pairs {
		if stop() {
			return b, nil, false
		}
		for _, r := range w.rules(p) {
			at, known := place[r]
			if !known && len(candidates) >= maxCandidates(len(b.t.Rows)) {
				continue
			}
			if !known {
				at = len(candidates)
				place[r] = at
				candidates = append(candidates, candidate{Learned: cluster.Learned{Rule: r}})
			}
			candidates[at].pairs = append(candidates[at].pairs, p)
		}
	}
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
