package fanout

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule"

	"github.com/dchest/siphash"
)

// MaxURLs is the number of URLs of a cluster that are paired.
const MaxURLs = 40

// maxContexts returns the greatest number of contexts of a number of URLs, which bounds the
// memory for hostile URLs. The contexts that most pairs show are kept. The crawls of two real sites
// have fewer contexts than URLs.
func maxContexts(urls int) int { return 4096 + 4*urls }

type transformation struct {
	edit  rule.KeyEdit // SetKey, DropKey or CopyKey
	key   int32        // set, dropped, or the source of a copy
	value int32        // of SetKey
	to    int32        // of CopyKey: the new key
}

func (a transformation) compare(b transformation) int {
	return cmp.Or(cmp.Compare(a.edit, b.edit), cmp.Compare(a.key, b.key), cmp.Compare(a.value, b.value), cmp.Compare(a.to, b.to))
}

// context is the keys of a URL, some of them with any value.
type context struct {
	hash  uint64 // of the keys and values
	row   int32  // the URL
	pairs int32  // that show the transformation in this context
	any   uint64 // places of the keys with any value
}

type group struct {
	transformation
	contexts []context
}

// pairsOf returns the contexts of the pairs of all clusters, in the order of the
// transformations. ok is false if it is stopped.
func pairsOf(t *cluster.Table, o *Options) (groups []group, ok bool) {
	place := map[transformation]int{}
	all, most := map[known]int{}, maxContexts(len(t.Rows))
	for from := 0; from < len(t.Rows); {
		to := from + 1
		for to < len(t.Rows) && t.Rows[to].Cluster == t.Rows[from].Cluster {
			to++
		}
		if o.Stop() {
			return nil, false
		}
		rows := paired(t, from, to)
		for i, u := range rows {
			for _, v := range rows[:i] {
				for _, how := range differences(t, &t.Rows[u], &t.Rows[v]) {
					at, has := place[how]
					if !has {
						at = len(groups)
						place[how] = at
						groups = append(groups, group{transformation: how})
					}
					groups[at].add(all, int32(at), contextOf(t, u, how))
				}
			}
		}
		if from = to; len(all) > 2*most || from == len(t.Rows) && len(all) > most {
			all = best(groups, most)
		}
	}
	slices.SortFunc(groups, func(a, b group) int { return a.compare(b.transformation) })
	return groups, true
}

// known identifies a context of a group.
type known struct {
	group int32
	hash  uint64
}

// add adds a pair with a context to the group with a number. all has the places of the contexts in
// their groups.
func (g *group) add(all map[known]int, number int32, c context) {
	k := known{number, c.hash}
	at, is := all[k]
	if !is {
		at = len(g.contexts)
		all[k] = at
		g.contexts = append(g.contexts, c)
	}
	g.contexts[at].pairs++
}

// best leaves at most so many contexts, those that most pairs show. Of equal ones the first stay.
func best(groups []group, most int) map[known]int {
	var pairs []int32
	for i := range groups {
		for _, c := range groups[i].contexts {
			pairs = append(pairs, c.pairs)
		}
	}
	slices.Sort(pairs)
	least := pairs[len(pairs)-most]
	at, _ := slices.BinarySearch(pairs, least+1)
	equal := most - (len(pairs) - at) // contexts with the least number that stay
	all := make(map[known]int, most)
	for i := range groups {
		g := &groups[i]
		kept := g.contexts[:0]
		for _, c := range g.contexts {
			if c.pairs == least {
				equal--
			}
			if c.pairs > least || c.pairs == least && equal >= 0 {
				all[known{int32(i), c.hash}] = len(kept)
				kept = append(kept, c)
			}
		}
		g.contexts = kept
	}
	return all
}

// paired returns the rows of a cluster that are paired, smaller URLs first.
func paired(t *cluster.Table, from, to int) []int32 {
	rows := make([]int32, 0, to-from)
	for row := from; row < to; row++ {
		rows = append(rows, int32(row))
	}
	if len(rows) > MaxURLs {
		hash := func(row int32) uint64 { return siphash.Hash(hashKey[0], hashKey[1], []byte(t.Rows[row].URL)) }
		slices.SortFunc(rows, func(a, b int32) int { return cmp.Or(cmp.Compare(hash(a), hash(b)), cmp.Compare(a, b)) })
		rows = rows[:MaxURLs]
	}
	slices.SortFunc(rows, func(a, b int32) int {
		u, v := t.Rows[a].URL, t.Rows[b].URL
		return cmp.Or(cmp.Compare(len(u), len(v)), strings.Compare(u, v))
	})
	return rows
}

// hashKey is the key of the hash that selects the URLs of a large cluster. It is fixed, so that
// rules are a function of the clusters.
var hashKey = [2]uint64{0x66616e6f, 0x75740000}

// differences returns the transformations that make the keys and values of v of those of u. A value
// that differs is set, or does not matter: then its key is dropped.
func differences(t *cluster.Table, u, v *cluster.Row) []transformation {
	lost, added, changed := 0, 0, 0 // keys
	var old, came, from, to cluster.Cell
	for i, k := 0, 0; i < len(u.Cells) || k < len(v.Cells); {
		switch {
		case k == len(v.Cells) || i < len(u.Cells) && u.Cells[i].Key < v.Cells[k].Key:
			old = u.Cells[i]
			lost++
			i++
		case i == len(u.Cells) || u.Cells[i].Key > v.Cells[k].Key:
			came = v.Cells[k]
			added++
			k++
		default:
			if u.Cells[i].Value != v.Cells[k].Value {
				from, to = u.Cells[i], v.Cells[k]
				changed++
			}
			i++
			k++
		}
		if lost > 1 || added > 1 || changed > 1 {
			return nil
		}
	}
	switch {
	case lost+added == 0 && changed == 1 && !t.IsBare(from.Key):
		return []transformation{{edit: rule.SetKey, key: from.Key, value: to.Value}, {edit: rule.DropKey, key: from.Key}}
	case lost == 1 && added+changed == 0:
		return []transformation{{edit: rule.DropKey, key: old.Key}}
	case lost == 1 && added == 1 && changed == 0 && old.Value == came.Value && !t.IsSegment(came.Key) && !t.IsBare(old.Key) && !t.IsBare(came.Key):
		return []transformation{{edit: rule.CopyKey, key: old.Key, to: came.Key}}
	}
	return nil
}
