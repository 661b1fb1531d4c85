package tree

import (
	"cmp"
	"math"
	"slices"

	"dustbuster/operators/learn/papers/cluster"
)

// minFrequency is the least frequency of a salient value.
const minFrequency = 3

// maxDepth is the greatest number of splits above a node. The trees of Lei et al. (table 2)
// have a height of 6 on average and of 16 at most. The limit bounds the cost of hostile
// URLs.
const maxDepth = 32

// absent is the number of the value of a key that a row lacks.
const absent = -1

// node is a set of URLs, the pattern that its keys make, and its place in the tree.
type node struct {
	parent int32
	end    int32   // the nodes below are those between this node and end
	rows   []int32 // ascending
	keys   []nodeKey
}

// nodeKey is a key that some URLs of a node have.
type nodeKey struct {
	key   int32
	rows  int32 // that have the key
	value int32 // of all rows that have the key, if constant
	many  bool  // several values
}

// tree is a pattern tree. The nodes stand in the order of a walk from the root, so that each
// stands before those below.
type tree struct {
	t     *cluster.Table
	nodes []node

	cells  [][]int32 // by row: numbers of the cells
	cellOf []cluster.Cell
	counts []int32 // by number of a cell; 0 outside of count
	logs   []int64 // by frequency v: v log2 v, in units of 2^-32
	stop   func() bool
}

// build builds the tree of a table. ok is false if it is stopped.
func build(t *cluster.Table, stop func() bool) (b *tree, ok bool) {
	b = &tree{t: t, stop: stop, cells: make([][]int32, len(t.Rows)), logs: make([]int64, len(t.Rows)+1)}
	numbers := map[cluster.Cell]int32{}
	for i := range t.Rows {
		b.cells[i] = make([]int32, len(t.Rows[i].Cells))
		for k, c := range t.Rows[i].Cells {
			n, known := numbers[c]
			if !known {
				n = int32(len(b.cellOf))
				numbers[c] = n
				b.cellOf = append(b.cellOf, c)
			}
			b.cells[i][k] = n
		}
	}
	b.counts = make([]int32, len(b.cellOf))
	for v := range b.logs {
		if v > 0 {
			b.logs[v] = int64(math.Round(float64(v) * math.Log2(float64(v)) * (1 << 32)))
		}
	}
	rows := make([]int32, len(t.Rows))
	for i := range rows {
		rows[i] = int32(i)
	}
	if len(rows) == 0 {
		return b, true
	}
	return b, b.add(absent, rows, map[int32]bool{}, 0)
}

// add adds a node and the nodes below. The keys that are done do not split the node. add
// reports whether it has not been stopped.
func (b *tree) add(parent int32, rows []int32, done map[int32]bool, depth int) bool {
	if b.stop() {
		return false
	}
	number := int32(len(b.nodes))
	counted := b.count(rows)
	b.nodes = append(b.nodes, node{parent: parent, rows: rows, keys: keysOf(counted)})
	defer func() { b.nodes[number].end = int32(len(b.nodes)) }()
	if len(rows) < minFrequency || depth == maxDepth {
		return true
	}
	split, ok := b.chooseKey(counted, len(rows), done)
	if !ok {
		return true
	}
	salient := salientOf(split.values, len(rows))
	if len(salient) == 0 {
		return true
	}
	done[split.key] = true
	defer delete(done, split.key)
	for _, part := range b.parts(rows, split.key, salient) {
		if len(part) > 0 && !b.add(number, part, done, depth+1) {
			return false
		}
	}
	return true
}

// countedKey is the values of a key in a node.
type countedKey struct {
	key    int32
	rows   int32
	values []frequency // without absence; in the order of their first rows
}

// frequency is a value with the number of its rows.
type frequency struct{ value, rows int32 }

// count counts the values of all keys in rows. The keys are in order.
func (b *tree) count(rows []int32) []countedKey {
	var touched []int32
	for _, row := range rows {
		for _, cell := range b.cells[row] {
			if b.counts[cell] == 0 {
				touched = append(touched, cell)
			}
			b.counts[cell]++
		}
	}
	slices.SortStableFunc(touched, func(x, y int32) int { return cmp.Compare(b.cellOf[x].Key, b.cellOf[y].Key) })
	var keys []countedKey
	for _, cell := range touched {
		c := b.cellOf[cell]
		if len(keys) == 0 || keys[len(keys)-1].key != c.Key {
			keys = append(keys, countedKey{key: c.Key})
		}
		k := &keys[len(keys)-1]
		k.rows += b.counts[cell]
		k.values = append(k.values, frequency{c.Value, b.counts[cell]})
		b.counts[cell] = 0
	}
	return keys
}

func keysOf(counted []countedKey) []nodeKey {
	keys := make([]nodeKey, len(counted))
	for i, k := range counted {
		keys[i] = nodeKey{k.key, k.rows, k.values[0].value, len(k.values) > 1}
	}
	return keys
}

// chooseKey returns the key of least entropy among the keys that are not done and not
// constant, the first of equal keys. A constant key would give a single child that is the
// node itself. The absence of a key is a value.
func (b *tree) chooseKey(counted []countedKey, rows int, done map[int32]bool) (split countedKey, ok bool) {
	var most int64 // sum of v log v, which is greatest where the entropy is least
	for _, k := range counted {
		sum := b.logs[rows-int(k.rows)]
		for _, v := range k.values {
			sum += b.logs[v.rows]
		}
		constant := len(k.values) == 1 && int(k.rows) == rows
		if !done[k.key] && !constant && (!ok || sum > most) {
			split, most, ok = k, sum, true
		}
	}
	if ok && int(split.rows) < rows {
		split.values = append(split.values, frequency{absent, int32(rows) - split.rows})
	}
	return split, ok
}

// salientOf returns the salient values of a key: those before the greatest decline of the
// logarithm of the frequency, of equal declines the first, if their frequency is at least
// minFrequency. A frequency of 1 follows the last value. The frequencies decide, so that
// the order of equal values does not matter.
func salientOf(values []frequency, rows int) []int32 {
	slices.SortFunc(values, func(a, b frequency) int {
		return cmp.Or(cmp.Compare(b.rows, a.rows), cmp.Compare(a.value, b.value))
	})
	at := 0 // the last value before the decline
	next := func(i int) int64 {
		if i+1 < len(values) {
			return int64(values[i+1].rows)
		}
		return 1
	}
	for i := range values {
		// f(i) / f(i+1) > f(at) / f(at+1)
		if int64(values[i].rows)*next(at) > int64(values[at].rows)*next(i) {
			at = i
		}
	}
	var salient []int32
	for _, v := range values[:at+1] {
		if v.rows >= minFrequency {
			salient = append(salient, v.value)
		}
	}
	return salient
}

// parts splits rows by the salient values of a key, in their order. The last part is of the
// other values.
func (b *tree) parts(rows []int32, key int32, salient []int32) [][]int32 {
	place := make(map[int32]int, len(salient))
	for i, v := range salient {
		place[v] = i
	}
	parts := make([][]int32, len(salient)+1)
	for _, row := range rows {
		value, has := b.t.Rows[row].Value(key)
		if !has {
			value = absent
		}
		at, is := place[value]
		if !is {
			at = len(salient)
		}
		parts[at] = append(parts[at], row)
	}
	return parts
}

// leafOf returns for each row the node without nodes below.
func (b *tree) leafOf() []int32 {
	leaves := make([]int32, len(b.t.Rows))
	for n := range b.nodes {
		if b.nodes[n].end == int32(n)+1 {
			for _, row := range b.nodes[n].rows {
				leaves[row] = int32(n)
			}
		}
	}
	return leaves
}

func (n *node) key(key int32) (k nodeKey, ok bool) {
	at, ok := slices.BinarySearchFunc(n.keys, key, func(k nodeKey, key int32) int { return cmp.Compare(k.key, key) })
	if ok {
		k = n.keys[at]
	}
	return k, ok
}
