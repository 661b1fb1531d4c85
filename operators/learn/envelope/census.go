package envelope

// Stats holds the sizes of an index.
type Stats struct {
	URLs   int
	Cells  int // envelopes held: crowded envelopes and envelopes on the edge of the crowd
	Pairs  int // with a count above zero
	Likely int // with a support of at least MS
}

// Stats returns the sizes of the index. O(1).
func (x *Index) Stats() Stats {
	return Stats{x.count, x.cells.len(), x.pairs.len(), len(x.now)}
}

// Census counts the envelopes of figure 1. The index does not hold most of them.
type Census struct {
	Alone   int // of one URL
	Shared  int // of two to T
	Crowded int // of more than T
}

// All returns the number of envelopes.
func (c Census) All() int { return c.Alone + c.Shared + c.Crowded }

// Census counts all envelopes. An envelope outside the crowd is counted at the URL of the
// smallest number in the bucket. The cost is about that of building the index.
func (x *Index) Census() (c Census) {
	for _, cell := range x.cells.all {
		if x.crowded(cell) {
			c.count(int(cell.real), x.max)
		}
	}
	for id, m := range x.marks {
		if m.tokens > 0 {
			x.censusOf(&c, uint32(id))
		}
	}
	return c
}

func (c *Census) count(members, limit int) {
	switch {
	case members > limit:
		c.Crowded++
	case members > 1:
		c.Shared++
	case members == 1:
		c.Alone++
	}
}

// censusOf counts the envelopes outside the crowd in which a URL has the smallest number.
func (x *Index) censusOf(c *Census, id uint32) {
	x.u.read(&x.keys, id, x.urls.Text(id))
	x.begin()
	x.look()
	m := &x.meet
	x.compare(changes)
	x.gather()
	m.alike = m.empty(m.alike, 0) // from here on: partners of smaller number
	for k, p := range m.partners {
		if p.id < id {
			m.put(m.alike, 0, k)
		}
	}
	for i := 0; i <= x.u.n; i++ {
		x.censusOfRow(c, x.outside(i))
	}
	for _, row := range x.walk.open {
		x.censusOfRow(c, row)
	}
}

func (x *Index) censusOfRow(c *Census, row row) {
	m := &x.meet
	for j := row.from; j < row.to; j++ {
		if row.i > m.maxA || j > m.maxB {
			c.Alone++
			continue
		}
		if _, k := m.meets(row.i, j); !m.bucketHas(m.alike) {
			c.count(k+1, x.max)
		}
	}
}

func (m *meeting) bucketHas(set []uint64) bool {
	for w := range m.bucket {
		if m.bucket[w]&set[w] != 0 {
			return true
		}
	}
	return false
}
