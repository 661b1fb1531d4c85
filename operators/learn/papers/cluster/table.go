package cluster

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"dustbuster/operators/rule"
)

// Table holds the URLs of a clustering as keys with values (Lei et al., figure 2): the segments of
// the path by number, the bare pieces of the query by their place among the bare pieces, and the
// parameters with values by name. So a number that stands alone is a value, and not a key of its
// own. Keys and values are numbers. A Table does not change.
type Table struct {
	Names  []string // of the keys, in their order: segments and bare pieces by number, then parameters by name
	Values []string // different values; a value's number is the same under all keys
	Rows   []Row    // of the URLs that some template fits, in the order of the clustering
}

// Row is a URL.
type Row struct {
	URL     string
	Cluster int32
	Cells   []Cell // in the order of the keys
}

// Cell is a key of a URL with its value. The value of a bare piece is its text.
type Cell struct{ Key, Value int32 }

// bare begins the names of the keys of bare pieces. No URL has the byte.
const bare = "\x00"

// NewTable returns the table of the clusters of at least a number of URLs. URLs that no
// template fits are left out. O(bytes + keys · log keys).
func NewTable(clusters [][]string, least int) *Table {
	t := &Table{}
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
			row := Row{url, int32(number), make([]Cell, 0, len(buf))}
			add := func(name, value string) {
				row.Cells = append(row.Cells, Cell{intern(keys, &t.Names, name), intern(values, &t.Values, value)})
			}
			for _, k := range buf {
				if !k.Any {
					add(k.Name, k.Value)
				}
			}
			for place, text := range barePieces(url) {
				add(bare+strconv.Itoa(place), text)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.sortKeys()
	return t
}

// barePieces returns the pieces of a query without a value, in their order.
func barePieces(url string) []string {
	_, query, _ := strings.Cut(url, "?")
	return slices.DeleteFunc(strings.FieldsFunc(query, func(c rune) bool { return c == '&' || c == ';' }),
		func(piece string) bool { return strings.Contains(piece, "=") })
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
		slices.SortFunc(cells, func(a, b Cell) int { return cmp.Compare(a.Key, b.Key) })
	}
}

// compareKeys is the order of keys. The names of segments and bare pieces end with a number, and no
// parameter's begins like them.
func compareKeys(a, b string) int {
	kind := func(name string) int { return 2 - strings.Index(bare+"/", name[:1]) }
	if k := kind(a); k < 3 && k == kind(b) {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	}
	return cmp.Or(cmp.Compare(kind(a), kind(b)), strings.Compare(a, b))
}

// Key returns a cell as the key of a template, without an edit. A bare piece is a parameter with any
// value, since templates cannot ask that it has none.
func (t *Table) Key(c Cell) rule.Key {
	if t.IsBare(c.Key) {
		return rule.Key{Name: t.Values[c.Value], Any: true}
	}
	return rule.Key{Name: t.Names[c.Key], Value: t.Values[c.Value]}
}

// IsBare reports whether a key is that of a bare piece.
func (t *Table) IsBare(key int32) bool { return strings.HasPrefix(t.Names[key], bare) }

// IsSegment reports whether a key is that of a segment.
func (t *Table) IsSegment(key int32) bool { return strings.HasPrefix(t.Names[key], "/") }

// Value returns the value of a key in a row. ok is false if the row lacks the key. O(log
// keys).
func (r *Row) Value(key int32) (value int32, ok bool) {
	at, ok := slices.BinarySearchFunc(r.Cells, key, func(c Cell, key int32) int { return cmp.Compare(c.Key, key) })
	if !ok {
		return 0, false
	}
	return r.Cells[at].Value, true
}
