package apply

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"text/tabwriter"

	"dustbuster/operators/rule/canon"
	"dustbuster/stream/rules"
)

// canonStats counts what canon did. URLs and forms are counted by 64-bit hashes: of a hundred
// million URLs, two have one hash with a probability of 0.0003.
type canonStats struct {
	seed        maphash.Seed
	lines       int
	urls, forms map[uint64]struct{}
	changed     int
	rules       map[string][]int // by site and rank: lines that the rule took part in changing
}

func newCanonStats() *canonStats {
	return &canonStats{seed: maphash.MakeSeed(), urls: map[uint64]struct{}{}, forms: map[uint64]struct{}{}, rules: map[string][]int{}}
}

// add counts a line and its form. url is the line as an absolute URL.
func (s *canonStats) add(sites *canon.Sites, line, form, url string) {
	s.lines++
	s.urls[maphash.String(s.seed, line)] = struct{}{}
	s.forms[maphash.String(s.seed, form)] = struct{}{}
	if line == form {
		return
	}
	s.changed++
	site, ranks := sites.Ranks(nil, url)
	for _, rank := range ranks {
		for len(s.rules[site]) <= rank {
			s.rules[site] = append(s.rules[site], 0)
		}
		s.rules[site][rank]++
	}
}

// write prints the counts, and the rules that changed most URLs first.
func (s *canonStats) write(w io.Writer, list *rules.List) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "%d\t lines\n%d\t of them changed\n%d\t different URLs\n%d\t different forms\n%d\t URLs merged with others\n",
		s.lines, s.changed, len(s.urls), len(s.forms), len(s.urls)-len(s.forms))
	type used struct {
		n    int
		site string
		rank int
		id   string
		edit string
	}
	var all []used
	for i := range list.Sites {
		site := &list.Sites[i]
		for rank, n := range s.rules[site.Name] {
			if n > 0 {
				all = append(all, used{n, site.Name, rank, site.Records[rank].ID, site.Rules[rank].Words()})
			}
		}
	}
	slices.SortFunc(all, func(a, b used) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.site, b.site), cmp.Compare(a.rank, b.rank))
	})
	for _, u := range all {
		fmt.Fprintf(out, "%d\t by %s %s %s\n", u.n, u.site, u.id, u.edit)
	}
	return out.Flush()
}
