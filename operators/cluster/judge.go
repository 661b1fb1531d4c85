package cluster

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/search"
)

// Learned is a rule that a learner found in a clustering, with the figures that [Judge]
// counts.
type Learned struct {
	Rule    rule.Rule
	Support int // pairs of URLs that the rule gives the same form
	Applied int // URLs that the rule changes
	False   int // pairs of Support whose URLs are of different clusters
}

// FPR returns the rate of false positives, False / Support, and 0 without support.
func (l *Learned) FPR() float64 {
	if l.Support == 0 {
		return 0
	}
	return float64(l.False) / float64(l.Support)
}

// MinSupport is the least support of a rule that learners return.
const MinSupport = 3

// Site is a clustering, indexed for the application of rules. A Site does not change, and
// any goroutine may use it.
type Site struct {
	urls  []string
	of    map[string]int32 // numbers of the URLs
	owner []int32          // by number: the URL's cluster
	index *search.Index
}

// NewSite indexes a clustering. O(bytes).
func NewSite(clusters [][]string) *Site {
	n := URLs(clusters)
	s := &Site{urls: make([]string, 0, n), of: make(map[string]int32, n), owner: make([]int32, 0, n)}
	for number, c := range clusters {
		for _, url := range c {
			s.of[url] = int32(len(s.urls))
			s.urls = append(s.urls, url)
			s.owner = append(s.owner, int32(number))
		}
	}
	s.index = search.New(n, func(number int) string { return s.urls[number] })
	return s
}

// Judge applies a rule once to each URL of the clustering, alone, and counts the pairs. The
// rule must be valid. O(URLs that may hold the rule's triggers).
func (s *Site) Judge(r rule.Rule) Learned {
	l := Learned{Rule: r}
	groups := map[string][]int32{} // clusters of the URLs that get a form
	var buf []byte
	urls, _ := s.index.MayChange(&r)
	for u := range urls {
		out, changed := r.Apply(buf[:0], []byte(s.urls[u]))
		if !changed {
			continue
		}
		buf = out
		l.Applied++
		groups[string(out)] = append(groups[string(out)], s.owner[u])
	}
	for form, owners := range groups {
		if u, listed := s.of[form]; listed && !s.changes(&r, form) {
			owners = append(owners, s.owner[u])
		}
		l.count(owners)
	}
	return l
}

func (s *Site) changes(r *rule.Rule, url string) bool {
	_, changed := r.Apply(nil, []byte(url))
	return changed
}

// count counts the pairs of the URLs of one form, by their clusters.
func (l *Learned) count(owners []int32) {
	pairs := func(n int) int { return n * (n - 1) / 2 }
	all, same := pairs(len(owners)), 0
	if all == 0 {
		return
	}
	sizes := map[int32]int{}
	for _, owner := range owners {
		sizes[owner]++
	}
	for _, n := range sizes {
		same += pairs(n)
	}
	l.Support += all
	l.False += all - same
}
