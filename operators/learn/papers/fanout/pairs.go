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
// memory for hostile URLs. Further contexts are left out. The crawls of two real sites have
// fewer contexts than URLs.
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
	hash uint64 // of the keys and values
	row  int32  // the URL
	any  uint64 // places of the keys with any value
}

type group struct {
	transformation
	contexts []context
}

// pairsOf returns the contexts of the pairs of all clusters, in the order of the
// transformations. ok is false if it is stopped.
func pairsOf(t *cluster.Table, o *Options) (groups []group, ok bool) {
	place := map[transformation]int{}
	known, most := map[known]bool{}, maxContexts(len(t.Rows))
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
				how, ok := difference(t, &t.Rows[u], &t.Rows[v])
				if !ok || len(known) >= most {
					continue
				}
				at, has := place[how]
				if !has {
					at = len(groups)
					place[how] = at
					groups = append(groups, group{transformation: how})
				}
				groups[at].add(known, int32(at), contextOf(t, u, how))
			}
		}
		from = to
	}
	slices.SortFunc(groups, func(a, b group) int { return a.compare(b.transformation) })
	return groups, true
}

// known identifies a context of a group.
type known struct {
	group int32
	hash  uint64
}

func (g *group) add(all map[known]bool, number int32, c context) {
	if k := (known{number, c.hash}); !all[k] {
		all[k] = true
		g.contexts = append(g.contexts, c)
	}
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

// difference returns the transformation that makes the keys and values of v of those of u.
// ok is false if there is none.
func difference(t *cluster.Table, u, v *cluster.Row) (how transformation, ok bool) {
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
			return how, false
		}
	}
	switch {
	case lost+added == 0 && changed == 1:
		return transformation{edit: rule.SetKey, key: from.Key, value: to.Value}, from.Value != cluster.Bare && to.Value != cluster.Bare
	case lost == 1 && added+changed == 0:
		return transformation{edit: rule.DropKey, key: old.Key}, true
	case lost == 1 && added == 1 && changed == 0:
		segment := strings.HasPrefix(t.Names[came.Key], "/")
		return transformation{edit: rule.CopyKey, key: old.Key, to: came.Key}, old.Value == came.Value && old.Value != cluster.Bare && !segment
	}
	return how, false
}
