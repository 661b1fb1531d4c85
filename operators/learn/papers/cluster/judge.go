package cluster

import (
	"cmp"
	"iter"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
)

// Learned is a rule that a learner found in a clustering, with the figures that
// [Site.JudgeAll] counts.
type Learned struct {
	Rule    rule.Rule
	Support int // pairs of URLs that the rule gives the same form
	Applied int // URLs that the rule changes
	False   int // pairs of Support whose URLs are of different clusters
}

// FPR returns the rate of false positives, False / Support, and 0 without support.
func (l Learned) FPR() float64 {
	if l.Support == 0 {
		return 0
	}
	return float64(l.False) / float64(l.Support)
}

// Compare orders rules by support. Of equal support the rule that changes more URLs comes
// first.
func (l Learned) Compare(other Learned) int {
	return cmp.Or(cmp.Compare(other.Support, l.Support), cmp.Compare(other.Applied, l.Applied))
}

// MinSupport is the least support of a rule that learners return.
const MinSupport = 3

// Site is a clustering, indexed for the judgement of rules. A Site is for one goroutine.
type Site struct {
	URLs   []string
	owners []int32 // by number: the URL's cluster
	number map[string]int32
	index  *search.Index // nil until it is needed
}

// NewSite indexes a clustering. O(URLs).
func NewSite(clusters [][]string) *Site {
	s := &Site{number: make(map[string]int32, URLs(clusters))}
	for number, c := range clusters {
		for _, url := range c {
			s.number[url] = int32(len(s.URLs))
			s.URLs = append(s.URLs, url)
			s.owners = append(s.owners, int32(number))
		}
	}
	return s
}

// Owner returns the number of a URL's cluster. ok is false if the URL is in none.
func (s *Site) Owner(url string) (cluster int32, ok bool) {
	n, ok := s.number[url]
	if !ok {
		return 0, false
	}
	return s.owners[n], true
}

// JudgeAll applies each rule once to each URL of the clustering, alone, and counts the pairs.
// The rules must be valid. If stop returns true, JudgeAll soon returns false. O(URLs that may
// fit the rules).
func (s *Site) JudgeAll(rules []rule.Rule, stop func() bool) ([]Learned, bool) {
	if s.index == nil {
		s.index = search.New(len(s.URLs), func(number int) string { return s.URLs[number] })
	}
	all := make([]Learned, len(rules))
	var buf []byte
	for i := range rules {
		if stop() {
			return nil, false
		}
		r := &rules[i]
		urls, _ := s.index.MayChange(r)
		all[i] = s.Judge(urls, func(url string) (string, bool) {
			form, changed := r.Apply(buf[:0], []byte(url))
			if !changed {
				return url, false
			}
			buf = form
			return string(form), true
		})
		all[i].Rule = *r
	}
	return all, true
}

// Judge counts the pairs of an edit. It may change the URLs of the given numbers alone.
func (s *Site) Judge(among iter.Seq[int32], edit func(url string) (form string, changed bool)) (l Learned) {
	groups := map[string][]int32{} // clusters of the URLs that get a form
	for n := range among {
		if form, changed := edit(s.URLs[n]); changed {
			l.Applied++
			groups[form] = append(groups[form], s.owners[n])
		}
	}
	for form, owners := range groups {
		if owner, listed := s.Owner(form); listed {
			if _, changed := edit(form); !changed {
				owners = append(owners, owner)
			}
		}
		l.count(owners)
	}
	return l
}

// count counts the pairs of the URLs of one form, by their clusters.
func (l *Learned) count(clusters []int32) {
	sizes := map[int32]int{}
	for _, c := range clusters {
		l.False -= sizes[c] // the pairs of one cluster
		sizes[c]++
	}
	pairs := len(clusters) * (len(clusters) - 1) / 2
	l.Support += pairs
	l.False += pairs
}
