package compare

import (
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/learn/papers/duster"
	"dustbuster/operators/learn/papers/fanout"
	"dustbuster/operators/learn/papers/tree"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
)

// DustBuster is the name of the two online learners together: substrings of package
// envelope, after phase 2, and parameters of package params.
const DustBuster = "dustbuster"

// Union is the name of all learners together.
const Union = "union"

type learner struct {
	name  string
	about string // what it finds, for people

	// learn returns the candidates in the learner's own order, or ErrStopped.
	learn func(l *lesson) ([]Candidate, error)

	deploy deployment
}

// deployment is the way in which the rules of a learner are chosen.
type deployment uint8

const (
	exact    deployment = iota // the rules without a false pair, in the order of support
	selected                   // the rules that the learner itself has selected, if few of their pairs are false
	greedy                     // one rule at a time, on the canonical forms of the rules before
)

// lesson is what the learners learn from.
type lesson struct {
	clusters [][]string
	pages    []evidence.Page // the URLs, with the number of the cluster as the digest, in byte order
	share    float64
	stop     func() bool
	stopped  bool // stop has returned true
}

func newLesson(clusters [][]string, share float64, stop func() bool) *lesson {
	l := &lesson{clusters: clusters, share: share}
	l.stop = func() bool {
		l.stopped = l.stopped || stop()
		return l.stopped
	}
	for number, urls := range clusters {
		for _, url := range urls {
			l.pages = append(l.pages, pageOf(url, int32(number)))
		}
	}
	slices.SortFunc(l.pages, func(a, b evidence.Page) int { return strings.Compare(a.URL, b.URL) })
	return l
}

func pageOf(url string, cluster int32) evidence.Page {
	digest := int64(cluster) + 1
	return evidence.Page{URL: url, Evidence: evidence.Spans{{Class: evidence.Digest, Min: digest, Max: digest}}}
}

// learners are the learners that can be compared, in the order of the table.
var learners = slices.Concat([]learner{{DustBuster, "pairs of substrings and parameters (WWW 2007)", learnDustBuster, greedy}}, ofWindows(), papers)

// papers are the learners of papers. They show more of their rules here than they list of a
// window.
var papers = []learner{
	{fanout.Name, fanout.About, func(l *lesson) ([]Candidate, error) { return learnFanout(l, fanout.DefaultFanout) }, exact},
	{tree.Name, tree.About, learnTree, selected},
	{duster.Name, duster.About, learnDUSTER, exact},
}

// ofWindows returns the learners that look at windows, with their options by default, but for
// those of papers.
func ofWindows() (all []learner) {
	o := &miner.Options{Envelope: envelope.Defaults()}
	for _, w := range miner.WindowLearners() {
		if slices.ContainsFunc(papers, func(p learner) bool { return p.name == w.Name }) {
			continue
		}
		all = append(all, learner{w.Name, w.About, func(l *lesson) ([]Candidate, error) {
			likely, ok := w.Learn(o, l.pages, l.stop)
			return unlessStopped(ofLikely(likely), ok)
		}, greedy})
	}
	return all
}

func unlessStopped(all []Candidate, done bool) ([]Candidate, error) {
	if !done {
		return nil, ErrStopped
	}
	return all, nil
}

// more are the learners that are compared if they are named, and that are not in the union.
var more = []learner{
	{"fanout-10", "fanout with the larger value of F", func(l *lesson) ([]Candidate, error) { return learnFanout(l, 10) }, exact},
}

// learnFanout learns all rules of pairs of URLs.
func learnFanout(l *lesson, f int) ([]Candidate, error) {
	var all []Candidate
	found, _ := fanout.Learn(l.clusters, fanout.Options{Fanout: f, Stop: l.stop})
	for _, r := range found {
		all = append(all, Candidate{Learned: r})
	}
	return unlessStopped(append(all, l.order()...), !l.stopped)
}

// order returns the rule that sorts parameters, if URLs of one cluster differ in their order alone.
// To the learners of templates such URLs are one, since they are sets of keys (Lei et al., figure 2).
// But a template leaves the order as it is.
func (l *lesson) order() []Candidate {
	r := rule.Rule{Edit: rule.Order{}}
	var buf []byte
	for _, urls := range l.clusters {
		known := map[string]bool{}
		for _, url := range urls {
			form := []byte(url)
			if sorted, changed := r.Apply(buf[:0], form); changed {
				form, buf = sorted, sorted
			}
			if known[string(form)] {
				return []Candidate{{Learned: cluster.Learned{Rule: r}, rank: 1}}
			}
			known[string(form)] = true
		}
	}
	return nil
}

// learnTree learns all rules of pairs of nodes.
func learnTree(l *lesson) ([]Candidate, error) {
	found, deployed := tree.Learn(l.clusters, l.stop)
	rank := make(map[rule.Rule]int, len(deployed))
	for i := range deployed {
		rank[deployed[i].Rule] = i + 2 // after the order
	}
	var all []Candidate
	for _, r := range found {
		all = append(all, Candidate{Learned: r, rank: rank[r.Rule]})
	}
	return unlessStopped(append(all, l.order()...), !l.stopped)
}

func learnDustBuster(l *lesson) ([]Candidate, error) {
	m := miner.New("", miner.Options{Table: table.Options{MaxURLs: len(l.pages)}, Envelope: envelope.Defaults()})
	for i, p := range l.pages {
		if i%1024 == 0 {
			if l.stop() {
				return nil, ErrStopped
			}
			m.Stats() // so that the learners take in a few URLs at a time
		}
		digest := p.Evidence[0]
		o := evidence.Observation{URL: []byte(p.URL)}
		o.Set(evidence.Part{Class: digest.Class, Extent: evidence.Extent{Min: digest.Min, Max: digest.Max}})
		m.Fold(&o)
	}
	return ofLikely(m.Rules()), nil
}

// fewLabels is the share of the clusters below which two alignments are enough for a rule
// of DUSTER.
const fewLabels = .25

// learnDUSTER learns all rules of alignments. The rules of too few clusters count as raw.
func learnDUSTER(l *lesson) ([]Candidate, error) {
	least := 3
	if l.share < fewLabels {
		least = 2
	}
	rules := duster.Learn(l.clusters, duster.Options{MinClusters: 1, MinApplied: least})
	all := make([]Candidate, len(rules))
	for i := range rules {
		all[i] = Candidate{Expression: &rules[i], unproved: rules[i].Clusters < least}
	}
	return all, nil
}

// Learners returns the names of the learners, and what they find.
func Learners() (names, about []string) {
	for i := range learners {
		names, about = append(names, learners[i].name), append(about, learners[i].about)
	}
	return names, about
}

// team is one learner, or several that learn together.
type team struct {
	name    string
	members []*learner
}

// deployment is the way of the only member, and greedy for several.
func (t *team) deployment() deployment {
	if len(t.members) == 1 {
		return t.members[0].deploy
	}
	return greedy
}

// teamsOf returns for each name the learners whose names it joins by +, or all for Union.
func teamsOf(names []string) (teams []*team, err error) {
	all, _ := Learners()
	known := slices.Concat(learners, more)
	for _, name := range names {
		t := &team{name: name}
		if name == Union {
			name = strings.Join(all, "+")
		}
		for one := range strings.SplitSeq(name, "+") {
			at := slices.IndexFunc(known, func(l learner) bool { return l.name == one })
			if at < 0 {
				return nil, fmt.Errorf("find learner: %q is none of %s, %s", one, strings.Join(all, ", "), Union)
			}
			t.members = append(t.members, &known[at])
		}
		teams = append(teams, t)
	}
	return teams, nil
}

// learn returns the candidates of all members, without the rules that an earlier member
// has found.
func (t *team) learn(l *lesson) ([]Candidate, error) {
	var all []Candidate
	known := map[rule.Rule]bool{}
	for _, m := range t.members {
		found, err := m.learn(l)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			if c.Expression == nil {
				if known[c.Rule] || c.Rule.Validate() != nil {
					continue
				}
				known[c.Rule] = true
			}
			all = append(all, c)
		}
	}
	return all, nil
}
