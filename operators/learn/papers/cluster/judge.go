package cluster

import (
	"cmp"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
)

// Learned is a rule that a learner found in a clustering, with the figures that
// [Site.Judge] counts.
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

// Judge applies a rule once to each URL of the clustering, alone, and counts the pairs. The
// rule must be valid.
func (s *Site) Judge(r rule.Rule) Learned {
	all, _ := s.JudgeAll([]rule.Rule{r}, func() bool { return false })
	return all[0]
}

// JudgeAll applies each rule once to each URL of the clustering, alone, and counts the pairs.
// The rules must be valid. If stop returns true, JudgeAll soon returns false. O(URLs that may
// fit the rules, and for each set of constant keys the URLs of one shape).
func (s *Site) JudgeAll(rules []rule.Rule, stop func() bool) ([]Learned, bool) {
	all := make([]Learned, len(rules))
	order := make([]int, 0, len(rules))
	templates := make([]template, len(rules))
	for i := range rules {
		if i%stopEvery == 0 && stop() {
			return nil, false
		}
		all[i].Rule = rules[i]
		if rules[i].Kind != rule.Rewrite {
			s.judge(&all[i])
			continue
		}
		var ok bool
		if templates[i], ok = s.templateOf(&rules[i]); ok {
			order = append(order, i)
		}
	}
	class := func(i int) (int32, uint64) { return templates[i].shape.rows[0], templates[i].mask }
	slices.SortFunc(order, func(a, b int) int {
		shapeA, maskA := class(a)
		shapeB, maskB := class(b)
		return cmp.Or(cmp.Compare(shapeA, shapeB), cmp.Compare(maskA, maskB), cmp.Compare(a, b))
	})
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && templates[order[to]].shape == templates[order[from]].shape && templates[order[to]].mask == templates[order[from]].mask {
			to++
		}
		for ; from < to; from++ {
			if from%stopEvery == 0 && stop() {
				return nil, false
			}
			s.judgeTemplate(&all[order[from]], &templates[order[from]], to-from > few)
		}
	}
	return all, true
}

// few is the number of templates of one shape and one mask for which no join is made.
const few = 8

// stopEvery is the number of rules between two calls of stop.
const stopEvery = 64

// pairing is a URL of a form.
type pairing struct {
	form    uint64 // identity
	cluster int32
}

// judgeTemplate counts for a template.
func (s *Site) judgeTemplate(l *Learned, t *template, many bool) {
	var all []pairing
	for _, row := range s.fitting(t, many) {
		r := &s.table.Rows[row]
		if !t.fits(r) {
			continue
		}
		f := form{site: s, row: r, parts: &s.parts[row]}
		if id, ok := f.under(t); ok && id != f.identity() {
			l.Applied++
			all = append(all, pairing{id, r.Cluster})
		}
	}
	slices.SortFunc(all, func(a, b pairing) int { return cmp.Or(cmp.Compare(a.form, b.form), cmp.Compare(a.cluster, b.cluster)) })
	var clusters []int32
	for from := 0; from < len(all); {
		id := all[from].form
		clusters = clusters[:0]
		for ; from < len(all) && all[from].form == id; from++ {
			clusters = append(clusters, all[from].cluster)
		}
		if row, listed := s.rowOf[id]; listed {
			url := &s.table.Rows[row]
			if _, changed := l.Rule.Apply(nil, []byte(url.URL)); !changed {
				clusters = append(clusters, url.Cluster)
			}
		}
		l.count(clusters)
	}
}

// judge counts for a rule of any kind, by the texts of the URLs.
func (s *Site) judge(l *Learned) {
	s.readURLs()
	groups := map[string][]int32{} // clusters of the URLs that get a form
	var buf []byte
	urls, _ := s.index.MayChange(&l.Rule)
	for u := range urls {
		out, changed := l.Rule.Apply(buf[:0], []byte(s.urls[u]))
		if !changed {
			continue
		}
		buf = out
		l.Applied++
		groups[string(out)] = append(groups[string(out)], s.owner[u])
	}
	for form, owners := range groups {
		if u, listed := s.number[form]; listed {
			if _, changed := l.Rule.Apply(nil, []byte(form)); !changed {
				owners = append(owners, s.owner[u])
			}
		}
		l.count(owners)
	}
}

// readURLs makes the index for rules of all kinds.
func (s *Site) readURLs() {
	if s.index != nil {
		return
	}
	s.number = make(map[string]int32, URLs(s.clusters))
	for number, c := range s.clusters {
		for _, url := range c {
			s.number[url] = int32(len(s.urls))
			s.urls = append(s.urls, url)
			s.owner = append(s.owner, int32(number))
		}
	}
	s.index = search.New(len(s.urls), func(number int) string { return s.urls[number] })
}

// count counts the pairs of the URLs of one form, by their clusters. It reorders the
// clusters.
func (l *Learned) count(clusters []int32) {
	pairs := func(n int) int { return n * (n - 1) / 2 }
	all, same := pairs(len(clusters)), 0
	slices.Sort(clusters)
	for from := 0; from < len(clusters); {
		to := from + 1
		for to < len(clusters) && clusters[to] == clusters[from] {
			to++
		}
		same += pairs(to - from)
		from = to
	}
	l.Support += all
	l.False += all - same
}
