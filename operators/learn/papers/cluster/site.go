package cluster

import (
	"hash/maphash"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
)

// Site is a clustering, indexed for the judgement of rules. A Site is for one goroutine.
//
// Templates are judged by numbers. A URL that templates fit is identified by a hash of its
// parts in their order: what precedes the path, the segments, the parameters, and the
// separator of two parameters or more. The hash of a URL's form under a template follows
// from the parts. Two forms with one hash of 64 bits count as one form. The hash has a key
// drawn anew for each process, so the probability is n² / 2^65 for n forms.
type Site struct {
	table *Table
	parts []parts          // of the rows
	rowOf map[uint64]int32 // by identity
	names []uint64         // hashes of the keys' names
	texts []uint64         // hashes of the values
	key   map[string]int32 // numbers of the keys
	value map[string]int32 // numbers of the values

	shapes map[string]*shape

	// For rules of other kinds.
	clusters [][]string
	urls     []string
	owner    []int32 // by number: the URL's cluster
	number   map[string]int32
	index    *search.Index // nil until it is needed
}

// parts is the part of a row's identity that its cells lack.
type parts struct {
	head      uint64  // hash
	order     []uint8 // places of the parameters among the cells, in the order of the query
	separator byte    // 0: none
}

var seed = maphash.MakeSeed()

func hashOf(text string) uint64 { return maphash.String(seed, text) }

// mix adds a part to a hash.
func mix(h, part uint64) uint64 {
	h ^= part
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// bareHash stands for the value of a parameter without a value.
const bareHash = 0x5bd1e9955bd1e995

// NewSite indexes a clustering. O(bytes + keys · log keys).
func NewSite(clusters [][]string) *Site {
	t := NewTable(clusters, 1)
	s := &Site{
		table: t, clusters: clusters, parts: make([]parts, len(t.Rows)), rowOf: make(map[uint64]int32, len(t.Rows)),
		names: make([]uint64, len(t.Names)), texts: make([]uint64, len(t.Values)),
		key: make(map[string]int32, len(t.Names)), value: make(map[string]int32, len(t.Values)), shapes: map[string]*shape{},
	}
	for n, name := range t.Names {
		s.names[n], s.key[name] = hashOf(name), int32(n)
	}
	for n, text := range t.Values {
		s.texts[n] = hashOf(text)
		if n != Bare {
			s.value[text] = int32(n)
		}
	}
	s.texts[Bare] = bareHash
	for i := range t.Rows {
		s.add(int32(i))
	}
	return s
}

// add adds a row to the index.
func (s *Site) add(row int32) {
	r := &s.table.Rows[row]
	s.parts[row] = partsOf(r, s.table)
	id := s.shapeID(r)
	sh := s.shapes[id]
	if sh == nil {
		sh = &shape{}
		s.shapes[id] = sh
	}
	sh.rows = append(sh.rows, row)
	f := form{site: s, row: r, parts: &s.parts[row]}
	s.rowOf[f.identity()] = row
}

// shapeID identifies the keys of a row.
func (s *Site) shapeID(r *Row) string {
	id := make([]byte, 0, 4*len(r.Cells))
	for _, c := range r.Cells {
		id = appendNumber(id, c.Key)
	}
	return string(id)
}

func appendNumber(id []byte, n int32) []byte {
	return append(id, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
}

// partsOf reads the parts of a URL that its cells lack.
func partsOf(r *Row, t *Table) parts {
	path, query, has := strings.Cut(r.URL, "?")
	head, _, _ := strings.Cut(path, "/")
	p := parts{head: hashOf(head)}
	if !has {
		return p
	}
	if at := strings.IndexAny(query, "&;"); at >= 0 {
		p.separator = query[at]
	}
	first := 0
	for first < len(r.Cells) && strings.HasPrefix(t.Names[r.Cells[first].Key], "/") {
		first++
	}
	for from, to := range rule.Query([]byte(r.URL)) {
		name, _, _ := strings.Cut(r.URL[from:to], "=")
		for at := first; at < len(r.Cells); at++ {
			if t.Names[r.Cells[at].Key] == name {
				p.order = append(p.order, uint8(at))
				break
			}
		}
	}
	return p
}
