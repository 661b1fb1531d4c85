package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Clusters returns the duplicate clusters of a made-up site of about n URLs, in order: 3.8
// URLs in each cluster on average, as at the sites of Lei et al. (WWW 2010, table 1). Each of
// 30 sections has a few formations for its pages, with mirrors, sessions, sort orders and
// views that do not matter. One cluster in five is a single URL.
func Clusters(seed uint64, n int) [][]string {
	r := rand.New(rand.NewPCG(seed, 0x636c))
	formations := []func(section, page int) string{
		func(s, p int) string { return fmt.Sprintf("/s%d/show?id=%d&session=%x", s, p, r.Uint32()) },
		func(s, p int) string { return fmt.Sprintf("/s%d/%d", s, p) },
		func(s, p int) string { return fmt.Sprintf("/s%d/%d/index.html", s, p) },
		func(s, p int) string { return fmt.Sprintf("/s%d/show?id=%d", s, p) },
		func(s, p int) string { return fmt.Sprintf("/s%d/show?id=%d&view=print", s, p) },
		func(s, p int) string { return fmt.Sprintf("/mirror%d/s%d/%d", r.IntN(8), s, p) },
		func(s, p int) string { return fmt.Sprintf("/s%d/show?id=%d&sort=%c", s, p, 'a'+r.IntN(5)) },
		func(s, p int) string { return fmt.Sprintf("/s%d/list?from=%d&id=%d", s, r.IntN(100), p) },
	}
	var clusters [][]string
	for left, page := n, 0; left > 0; page++ {
		section := r.IntN(30)
		var c []string
		for range 1 + r.IntN(5)*r.IntN(5)*3/4 {
			c = append(c, formations[(section+r.IntN(4))%len(formations)](section, page))
		}
		slices.Sort(c)
		c = slices.Compact(c)
		left -= len(c)
		clusters = append(clusters, c)
	}
	slices.SortFunc(clusters, slices.Compare)
	return clusters
}
