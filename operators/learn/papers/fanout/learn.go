package fanout

import (
	"slices"

	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Name is the name of the learner.
const Name = "fanout"

// About is what the learner finds, for people.
const About = "edits of one key, from pairs of URLs (KDD 2008)"

// Options of the learner.
type Options struct {
	Fanout int // F, the contexts that make a key's value vary, at least 2; 0: DefaultFanout

	// Stop is called now and then. If Stop returns true, the learner soon ends without
	// result. May be nil.
	Stop func() bool
}

// DefaultFanout is the smaller of the two values of F that Lei et al. compare.
const DefaultFanout = 5

// LearnWindow returns the likely rules of the pages of a window, best first: see
// [cluster.LearnWindow].
func LearnWindow(similar evidence.Similarity, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
	return cluster.LearnWindow(Name, func(clusters [][]string, stop func() bool) []cluster.Learned {
		_, deployed := Learn(clusters, Options{Stop: stop})
		return deployed
	}, similar, pages, stop)
}

// Learn returns all rules, judged on the clustering, in the order of support. Of equal support
// the rule that changes more URLs comes first. Learn also returns the rules to deploy: those
// of support 3 and more without false positives. Clusters of one URL only serve the judgement.
// Learn returns none if it is stopped.
func Learn(clusters [][]string, o Options) (all, deployed []cluster.Learned) {
	if o.Fanout < 2 {
		o.Fanout = DefaultFanout
	}
	if o.Stop == nil {
		o.Stop = func() bool { return false }
	}
	t := cluster.NewTable(clusters, 2)
	groups, ok := pairsOf(t, &o)
	if !ok {
		return nil, nil
	}
	var rules []rule.Rule
	known := map[rule.Rule]bool{} // bare pieces of one text at two places make one rule
	for i := range groups {
		if o.Stop() {
			return nil, nil
		}
		g := &groups[i]
		for _, r := range g.rules(t, &o) {
			if !known[r] {
				known[r] = true
				rules = append(rules, r)
			}
		}
	}
	all, _ = cluster.NewSite(clusters).JudgeAll(rules, o.Stop)
	slices.SortStableFunc(all, cluster.Learned.Compare)
	for _, l := range all {
		if l.Support >= cluster.MinSupport && l.False == 0 {
			deployed = append(deployed, l)
		}
	}
	return all, deployed
}
