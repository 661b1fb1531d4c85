package compare

import (
	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule"
)

// site is a clustering on which rules of both sorts are judged.
type site struct {
	clusters [][]string
	rules    *cluster.Site
	owner    map[string]int32 // by URL: the number of the cluster
	urls     []string
	shapes   *shapes // of the URLs; nil until an expression is judged
}

func newSite(clusters [][]string) *site {
	s := &site{clusters: clusters, rules: cluster.NewSite(clusters), owner: make(map[string]int32, cluster.URLs(clusters))}
	for number, urls := range clusters {
		for _, url := range urls {
			s.owner[url] = int32(number)
			s.urls = append(s.urls, url)
		}
	}
	return s
}

// judge counts the pairs of each candidate.
func (s *site) judge(all []Candidate, stop func() bool) error {
	var rules []rule.Rule
	var places []int
	for i := range all {
		if stop() {
			return ErrStopped
		}
		switch c := &all[i]; {
		case c.unproved: // as good as without support
		case c.Expression != nil:
			s.judgeExpression(c)
		default:
			rules, places = append(rules, c.Rule), append(places, i)
		}
	}
	judged, ok := s.rules.JudgeAll(rules, stop)
	if !ok {
		return ErrStopped
	}
	for i, l := range judged {
		all[places[i]].Learned = l
	}
	return nil
}

// direct gives each candidate the direction that is better: a learner finds pairs of
// substrings without direction. The other direction of a rule with false pairs is better if
// it is supported and its rate of false pairs is smaller.
func (s *site) direct(all []Candidate, stop func() bool) error {
	var others []Candidate
	var places []int
	for i := range all {
		if other, ok := all[i].reverse(); ok && !all[i].valid(0) {
			others, places = append(others, other), append(places, i)
		}
	}
	if err := s.judge(others, stop); err != nil {
		return err
	}
	for k, i := range places {
		if o := &others[k]; o.supported() && (!all[i].supported() || o.FPR() < all[i].FPR()) {
			all[i] = *o
		}
	}
	return nil
}

// judgeExpression counts as [cluster.Site.Judge] does. O(URLs whose delimiters fit).
func (s *site) judgeExpression(c *Candidate) {
	c.Support, c.Applied, c.False = 0, 0, 0
	groups := map[string][]int32{} // clusters of the URLs that get a form
	if s.shapes == nil {
		s.shapes = newShapes(len(s.urls), func(n int32) string { return s.urls[n] })
	}
	s.shapes.mayChange(c.Expression, func(n int32) {
		url := s.urls[n]
		if form, changed := c.rewrite(url); changed {
			c.Applied++
			groups[form] = append(groups[form], s.owner[url])
		}
	})
	for form, owners := range groups {
		if owner, listed := s.owner[form]; listed {
			if _, changed := c.rewrite(form); !changed {
				owners = append(owners, owner)
			}
		}
		all, same := pairsOf(owners)
		c.Support += all
		c.False += all - same
	}
}

// pairsOf returns the number of pairs of URLs, and of those within one cluster.
func pairsOf(owners []int32) (all, same int) {
	sizes := map[int32]int{}
	for _, owner := range owners {
		same += sizes[owner]
		sizes[owner]++
	}
	return len(owners) * (len(owners) - 1) / 2, same
}
