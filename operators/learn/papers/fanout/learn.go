package fanout

import (
	"cmp"
	"slices"

	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule"
)

// Name is the name of the learner.
const Name = "fanout"

// About is what the learner finds, for people.
const About = "edits of one key, of pairs of URLs (KDD 2008)"

// Options of the learner.
type Options struct {
	Fanout int // F, the contexts that make a key's value vary, at least 2; 0: DefaultFanout

	Set Kept // what the context of a set keeps of the key that is set; the papers leave this open

	// Stop is called now and then. If Stop returns true, the learner soon ends without
	// result. May be nil.
	Stop func() bool
}

// Kept is what the context of a set keeps of the key that is set.
type Kept uint8

// The contexts of a set.
const (
	KeepValue Kept = iota // the value in u
	VaryValue             // the value in u, unless the fan-out generalizes the value as those of other keys
	AnyValue              // no value
)

// DefaultFanout is the smaller of the two values of F that Lei et al. compare.
const DefaultFanout = 5

// Learn returns the rules to deploy: the rules of [Candidates] of support 3 and more
// without false positives, best first. Learn returns none if it is stopped.
func Learn(clusters [][]string, o Options) (rules []rule.Rule) {
	for _, l := range deployed(clusters, o) {
		rules = append(rules, l.Rule)
	}
	return rules
}

func deployed(clusters [][]string, o Options) []cluster.Learned {
	return slices.DeleteFunc(Candidates(clusters, o), func(l cluster.Learned) bool {
		return l.Support < cluster.MinSupport || l.False > 0
	})
}

// Candidates returns all rules, judged on the clustering, in the order of support. Of equal
// support the rule that changes more URLs comes first. Clusters of one URL only serve the
// judgement. Candidates returns none if it is stopped.
func Candidates(clusters [][]string, o Options) []cluster.Learned {
	if o.Fanout < 2 {
		o.Fanout = DefaultFanout
	}
	if o.Stop == nil {
		o.Stop = func() bool { return false }
	}
	t := cluster.NewTable(clusters, 2)
	groups, ok := pairsOf(t, &o)
	if !ok {
		return nil
	}
	var rules []rule.Rule
	for i := range groups {
		if o.Stop() {
			return nil
		}
		g := &groups[i]
		g.generalize(t, &o)
		rules = append(rules, g.rules(t)...)
	}
	all, _ := cluster.NewSite(clusters).JudgeAll(rules, o.Stop)
	slices.SortStableFunc(all, func(a, b cluster.Learned) int {
		return cmp.Or(cmp.Compare(b.Support, a.Support), cmp.Compare(b.Applied, a.Applied))
	})
	return all
}
