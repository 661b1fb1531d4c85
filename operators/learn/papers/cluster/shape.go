package cluster

import (
	"cmp"
	"slices"
)

// shape is a set of rows with the same keys.
type shape struct {
	rows    []int32
	holders map[Cell][]int32 // rows by cell; nil until it is needed

	// The rows by the values of the cells of the last mask asked for by join, sorted.
	mask   uint64
	joined []joined
}

type joined struct {
	values uint64 // hash
	row    int32
}

// fitting returns the rows that may fit a template of the shape: a superset. many says that
// templates of the same mask follow.
func (s *Site) fitting(t *template, many bool) []int32 {
	sh := t.shape
	if t.mask == 0 {
		return sh.rows
	}
	if many {
		return s.join(t)
	}
	if sh.holders == nil {
		sh.holders = map[Cell][]int32{}
		for _, row := range sh.rows {
			for _, c := range s.table.Rows[row].Cells {
				sh.holders[c] = append(sh.holders[c], row)
			}
		}
	}
	least := sh.rows
	for i, c := range t.cells {
		if t.mask&(1<<i) != 0 && len(sh.holders[c]) < len(least) {
			least = sh.holders[c]
		}
	}
	return least
}

// join returns the rows with the values of a template's constant cells, found by a sort of
// the rows by the cells of the mask.
func (s *Site) join(t *template) []int32 {
	sh := t.shape
	if sh.joined == nil || sh.mask != t.mask {
		sh.mask, sh.joined = t.mask, sh.joined[:0]
		for _, row := range sh.rows {
			sh.joined = append(sh.joined, joined{valuesOf(s.table.Rows[row].Cells, t.mask), row})
		}
		slices.SortFunc(sh.joined, func(a, b joined) int { return cmp.Or(cmp.Compare(a.values, b.values), cmp.Compare(a.row, b.row)) })
	}
	want := valuesOf(t.cells, t.mask)
	at, _ := slices.BinarySearchFunc(sh.joined, want, func(j joined, want uint64) int { return cmp.Compare(j.values, want) })
	var rows []int32
	for ; at < len(sh.joined) && sh.joined[at].values == want; at++ {
		rows = append(rows, sh.joined[at].row)
	}
	return rows
}

// valuesOf hashes the values of the cells of a mask.
func valuesOf(cells []Cell, mask uint64) (h uint64) {
	for i, c := range cells {
		if mask&(1<<i) != 0 {
			h = mix(h, uint64(c.Value)+1)
		}
	}
	return h
}
