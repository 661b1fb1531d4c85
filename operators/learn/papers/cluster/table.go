package cluster

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// Table holds the URLs of a clustering as keys with values (Lei et al., figure 2): the keys
// are those of rule templates. Keys and values are numbers. A Table does not change.
type Table struct {
	Names  []string // of the keys, in their order: segments by number, then parameters by name
	Values []string // different values; a value's number is the same under all keys
	Rows   []Row    // of the URLs that some template fits, in the order of the clustering
}

// Row is a URL.
type Row struct {
	URL     string
	Cluster int32
	Cells   []Cell // in the order of the keys
}

// Cell is a key of a URL with its value.
type Cell struct{ Key, Value int32 }

// Bare is the number that stands for the value of a parameter that has none.
const Bare = 0

// NewTable returns the table of the clusters of at least a number of URLs. URLs that no
// template fits are left out. O(bytes + keys · log keys).
func NewTable(clusters [][]string, least int) *Table {
	t := &Table{Values: []string{""}}
	keys, values := map[string]int32{}, map[string]int32{}
	var buf []rule.Key
	for number, c := range clusters {
		if len(c) < least {
			continue
		}
		for _, url := range c {
			var ok bool
			if buf, ok = rule.KeysOf(buf[:0], url); !ok {
				continue
			}
			row := Row{url, int32(number), make([]Cell, len(buf))}
			for i, k := range buf {
				row.Cells[i] = Cell{Key: intern(keys, &t.Names, k.Name)}
				if !k.Any {
					row.Cells[i].Value = intern(values, &t.Values, k.Value)
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.sortKeys()
	return t
}

func intern(numbers map[string]int32, texts *[]string, text string) int32 {
	n, known := numbers[text]
	if !known {
		n = int32(len(*texts))
		numbers[text] = n
		*texts = append(*texts, text)
	}
	return n
}

// sortKeys gives the keys numbers in their order.
func (t *Table) sortKeys() {
	order := make([]int32, len(t.Names))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return compareKeys(t.Names[a], t.Names[b]) })
	names, number := make([]string, len(order)), make([]int32, len(order))
	for n, old := range order {
		names[n], number[old] = t.Names[old], int32(n)
	}
	t.Names = names
	for i := range t.Rows {
		cells := t.Rows[i].Cells
		for k := range cells {
			cells[k].Key = number[cells[k].Key]
		}
	}
}

// compareKeys is the order of keys. The name of a segment is a slash and a number, and no
// parameter's begins so.
func compareKeys(a, b string) int {
	segment := func(name string) bool { return strings.HasPrefix(name, "/") }
	if segment(a) && segment(b) {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	}
	if segment(a) != segment(b) {
		if segment(a) {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}

// Key returns a cell as the key of a template, without an edit.
func (t *Table) Key(c Cell) rule.Key {
	return rule.Key{Name: t.Names[c.Key], Value: t.Values[c.Value], Any: c.Value == Bare}
}

// Value returns the value of a key in a row. ok is false if the row lacks the key. O(log
// keys).
func (r *Row) Value(key int32) (value int32, ok bool) {
	at, ok := slices.BinarySearchFunc(r.Cells, key, func(c Cell, key int32) int { return cmp.Compare(c.Key, key) })
	if !ok {
		return 0, false
	}
	return r.Cells[at].Value, true
}
