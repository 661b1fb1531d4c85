package duster

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Name is the name of the learner.
const Name = "duster"

// About is what the learner finds, for people.
const About = "expressions of aligned URLs (TKDE 2015)"

// MaxBytes is the greatest length of a URL before and after an edit, as in package rule.
const MaxBytes = 2048

const (
	maxTokens  = 400  // of a URL; longer URLs are left out of their clusters
	maxColumns = 1000 // of a consensus; beyond, a cluster gives no rule
	maxContext = 2048 // bytes of a context; beyond, a cluster gives no rule
)

// Options are the options of the learner. The zero value is completed by the defaults.
type Options struct {
	MaxURLs     int // K, the URLs of a cluster that are aligned; default and maximum 10
	MaxSet      int // Cardset, the tokens of a set that is written as a list; default 5
	MinClusters int // minfreq, the clusters that must give a candidate; default 3
	MinApplied  int // the clusters that must give a candidate that is applied; [Rule.Rewrite] of other candidates changes nothing; default 0
}

func (o Options) completed() Options {
	o.MaxURLs = min(cmp.Or(o.MaxURLs, 10), 10)
	o.MaxSet = cmp.Or(o.MaxSet, 5)
	o.MinClusters = cmp.Or(o.MinClusters, 3)
	return o
}

// Learn returns the candidates of clusters of URLs with equal pages: the rules that the
// alignments of at least MinClusters clusters give, the rules of most clusters first, then
// in the byte order of their contexts and transformations. The URLs of a cluster must
// differ. The result does not depend on the order of clusters and URLs.
//
// A candidate may be false. A caller applies the candidates to the clusters, and keeps those
// that merge no two clusters.
func Learn(clusters [][]string, o Options) []Rule {
	o = o.completed()
	type key struct{ context, transformation string }
	type found struct {
		clusters int
		marks    marks
	}
	candidates := map[key]found{}
	var a aligner
	for _, urls := range clusters {
		names, row := a.align(urls, o)
		if row == nil {
			continue
		}
		context, transformation := express(names, row, o.MaxSet)
		if len(context) > maxContext {
			continue
		}
		k := key{context, transformation}
		candidates[k] = found{candidates[k].clusters + 1, marksOf(names, row)}
	}
	var rules []Rule
	for k, f := range candidates {
		if f.clusters >= o.MinClusters {
			r := Rule{Context: k.context, Transformation: k.transformation, Clusters: f.clusters, marks: f.marks}
			if f.clusters >= o.MinApplied { // a compiled expression of 2 kB takes 132 kB
				r.context = regexp.MustCompile(k.context)
			}
			rules = append(rules, r)
		}
	}
	slices.SortFunc(rules, func(a, b Rule) int {
		return cmp.Or(cmp.Compare(b.Clusters, a.Clusters), strings.Compare(a.Context, b.Context), strings.Compare(a.Transformation, b.Transformation))
	})
	return rules
}

// align returns the consensus of the sampled URLs of a cluster and the names of the tokens.
// The consensus is nil if less than two URLs can be aligned.
func (a *aligner) align(urls []string, o Options) (*alphabet, []column) {
	names := newAlphabet()
	var rows [][]column
	for _, url := range sample(urls, o.MaxURLs) {
		if row := names.sequence(url); row != nil {
			rows = append(rows, row)
		}
	}
	if len(rows) < 2 {
		return nil, nil
	}
	return names, a.merge(rows)
}

// sample returns at most k URLs, those with the smallest hashes, in byte order.
func sample(urls []string, k int) []string {
	urls = slices.Clone(urls)
	if len(urls) > k {
		slices.SortFunc(urls, func(a, b string) int {
			return cmp.Or(cmp.Compare(xxhash.Sum64String(a), xxhash.Sum64String(b)), strings.Compare(a, b))
		})
		urls = urls[:k]
	}
	slices.Sort(urls)
	return urls
}
