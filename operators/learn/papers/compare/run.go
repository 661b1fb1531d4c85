package compare

import (
	"cmp"
	"errors"
	"slices"

	"dustbuster/operators/learn/papers/cluster"
)

// Options of a comparison.
type Options struct {
	Learners []string // names; those joined by + learn together, as all do under Union
	Share    float64  // of the clusters, whose labels are given; 1: all of them are for the test too
	Choosing float64  // of the labelled clusters, set apart for the choice of rules; 0: rules are chosen by the clusters that they are learned from
	Seed     uint64   // of the split

	// Label returns a label of a URL's page that rules are learned and chosen by, "" if
	// there is none. The clusters of such labels are weak: see [cluster.Weak]. Nil: rules
	// are learned and chosen by the clusters themselves.
	Label func(url string) string

	// Measure calls a function and returns its cost; nil: no cost is known.
	Measure func(run func()) Cost

	// Stop is called now and then. If Stop returns true, Run soon ends without result. May
	// be nil.
	Stop func() bool
}

// loose is the rate of false pairs that Lei et al. allow (table 3).
const loose = 0.05

// Cost is what a computation costs.
type Cost struct {
	Seconds float64 `json:"seconds"`
	Bytes   int64   `json:"bytes"` // the most memory in use, less the memory before
}

// Depths are the numbers k of precision at k.
var Depths = [...]int{10, 50, 200}

// Result is what one learner does with one split. The package comment defines the figures.
type Result struct {
	Learner string `json:"-"`
	Seed    uint64 `json:"seed"`

	Labelled  int `json:"labelled"` // URLs of the clusters that rules are learned and chosen from
	Raw       int `json:"raw"`
	Supported int `json:"supported"`
	Strict    int `json:"strict"` // supported rules without a false pair
	Loose     int `json:"loose"`  // supported rules with a rate of false pairs of at most .05
	Deployed  int `json:"deployed"`

	cluster.Effect                      // of the deployed rules on the test
	Precision      [len(Depths)]float64 `json:"-"`
	Judged         [len(Depths)]int     `json:"-"` // rules that Precision is the share of; 0: none

	Cost Cost `json:"-"` // of learning, judging and choosing
}

// PerRule returns the compression by a deployed rule (Rodrigues et al., average reduction
// per rule), 0 without rules.
func (r *Result) PerRule() float64 {
	if r.Deployed == 0 {
		return 0
	}
	return r.Compression() / float64(r.Deployed)
}

// ErrStopped means that Options.Stop ended a run.
var ErrStopped = errors.New("compare learners: stopped")

// Check returns an error for a wrong name of a learner.
func Check(names []string) error {
	_, err := teamsOf(names)
	return err
}

// Run compares learners on one split of a clustering with single URLs ([cluster.Of] with 1).
// The results are in the order of the names. The error is of a wrong name, of a list of more
// rules than package canon takes, or ErrStopped.
func Run(clusters [][]string, o Options) ([]Result, error) {
	teams, err := teamsOf(o.Learners)
	if err != nil {
		return nil, err
	}
	if o.Stop == nil {
		o.Stop = func() bool { return false }
	}
	s := newSplit(clusters, o)
	var all []Result
	for _, t := range teams {
		r, err := s.run(t, o)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// split is a split of a clustering, ready for learning and judging.
type split struct {
	learning       [][]string
	choosing, test *site
	labelled       int // URLs of learning and choosing
}

func newSplit(clusters [][]string, o Options) *split {
	shares := cluster.Shares{Learning: o.Share}
	if o.Share < 1 {
		shares = cluster.Shares{Learning: o.Share * (1 - o.Choosing), Choosing: o.Share * o.Choosing}
	}
	p := cluster.Split(clusters, shares, o.Seed)
	s := &split{learning: relabelled(p.Learning, o.Label), test: newSite(p.Test)}
	choosing := s.learning
	s.labelled = cluster.URLs(s.learning)
	if shares.Choosing > 0 {
		choosing = relabelled(p.Choosing, o.Label)
		s.labelled += cluster.URLs(choosing)
	}
	s.choosing = newSite(choosing)
	return s
}

// relabelled returns the clusters of other labels of the URLs.
func relabelled(clusters [][]string, label func(url string) string) [][]string {
	if label == nil {
		return clusters
	}
	var all []cluster.Labelled
	for _, urls := range clusters {
		for _, url := range urls {
			all = append(all, cluster.Labelled{URL: url, Label: label(url)})
		}
	}
	return cluster.Weak(cluster.Of(all, 1))
}

func (s *split) run(t *team, o Options) (r Result, err error) {
	r = Result{Learner: t.name, Seed: o.Seed, Labelled: s.labelled}
	var all, deployed []Candidate
	work := func() { all, deployed, err = s.learn(t, o) }
	if o.Measure != nil {
		r.Cost = o.Measure(work)
	} else {
		work()
	}
	if err != nil {
		return r, err
	}
	r.Raw, r.Deployed = len(all), len(deployed)
	for i := range all {
		if all[i].supported() {
			r.Supported++
		}
		if all[i].valid(0) {
			r.Strict++
		}
		if all[i].valid(loose) {
			r.Loose++
		}
	}
	l, err := newList(deployed)
	if err != nil {
		return r, err
	}
	r.Effect = cluster.EffectOf(s.test.clusters, l.form)
	return r, s.precision(&r, all, o.Stop)
}

// learn returns all candidates, judged, and the deployed rules.
func (s *split) learn(t *team, o Options) (all, deployed []Candidate, err error) {
	if all, err = t.learn(newLesson(s.learning, o.Share, o.Stop)); err != nil {
		return nil, nil, err
	}
	if err := errors.Join(s.choosing.judge(all, o.Stop), s.choosing.direct(all, o.Stop)); err != nil {
		return nil, nil, err
	}
	switch t.deployment() {
	case greedy:
		supported := slices.DeleteFunc(slices.Clone(all), func(c Candidate) bool { return !c.supported() })
		deployed, err = choose(s.choosing, supported, o.Stop)
		return all, deployed, err
	case selected:
		deployed = slices.DeleteFunc(slices.Clone(all), func(c Candidate) bool { return c.rank == 0 || !c.valid(loose) })
		slices.SortFunc(deployed, func(a, b Candidate) int { return cmp.Compare(a.rank, b.rank) })
		return all, deployed, nil
	}
	deployed = slices.DeleteFunc(slices.Clone(all), func(c Candidate) bool { return !c.valid(0) })
	slices.SortStableFunc(deployed, func(a, b Candidate) int { return cmp.Compare(b.Support, a.Support) })
	return all, deployed, nil
}

// precision judges the first supported candidates on the test. A candidate that merges
// nothing there is left out.
func (s *split) precision(r *Result, all []Candidate, stop func() bool) error {
	judged, good := 0, 0
	supported := slices.DeleteFunc(slices.Clone(all), func(c Candidate) bool { return !c.supported() })
	for some := range slices.Chunk(supported, Depths[len(Depths)-1]) {
		if err := s.test.judge(some, stop); err != nil {
			return err
		}
		for i := range some {
			if some[i].Support == 0 {
				continue
			}
			judged++
			if some[i].FPR() <= loose {
				good++
			}
			for k, depth := range Depths {
				if judged <= depth {
					r.Judged[k], r.Precision[k] = judged, float64(good)/float64(judged)
				}
			}
		}
		if judged >= Depths[len(Depths)-1] {
			break
		}
	}
	return nil
}
