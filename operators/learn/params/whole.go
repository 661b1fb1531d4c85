package params

import "slices"

// together is the number of URLs whose groups are looked up at once.
const together = 32

// whole is the scratch of EnterAll.
type whole struct {
	rows   []row
	places []place
	tags   []uint32
}

// row is a URL, and the number of its groups.
type row struct {
	id uint32
	n  int
}

// place is the key of a group, and the hash of its rest.
type place struct{ key, rest uint64 }

// EnterAll is Enter for all URLs of the list, of which none has entered. A rest is then looked up once all groups
// are known, and some groups at once, since they are scattered over the memory.
func (x *Index) EnterAll(ids []uint32) {
	x.rows = append(x.rows, make([]uint32, x.urls.Cap()-len(x.rows))...)
	var w whole
	for some := range slices.Chunk(ids, together) {
		x.joinSome(&w, some)
	}
	for some := range slices.Chunk(ids, together) {
		w.tags = w.tags[:0]
		for _, id := range some {
			w.tags = append(w.tags, restTag(x.urls.Hash(x.urls.Text(id))))
		}
		for _, tag := range w.tags {
			x.touched ^= x.byRest.touch(tag)
		}
		for _, tag := range w.tags {
			x.touchTag(tag)
		}
	}
}

// joinSome makes URLs holders in the groups of their parameters.
func (x *Index) joinSome(w *whole, ids []uint32) {
	w.rows, w.places = w.rows[:0], w.places[:0]
	for _, id := range ids {
		x.q.Split(x.urls.Text(id), x.o.MaxParams)
		x.addValues()
		if n := x.q.Names(); n > 0 && x.joins(x.urls.Evidence(id)) {
			w.rows = append(w.rows, row{id, n})
			x.buf = x.buf[:0]
			for k := range n {
				key, rest := x.keyOf(k)
				w.places = append(w.places, place{key, rest})
			}
		}
	}
	for _, p := range w.places {
		x.touched ^= x.byKey.touch(keyTag(p.key)) ^ x.byRest.touch(restTag(p.rest))
	}
	places := w.places
	for _, r := range w.rows {
		first := x.newRow(r.n)
		x.rows[r.id] = first
		x.members += r.n
		for k, p := range places[:r.n] {
			g, _ := x.groupAt(p.key, p.rest)
			x.link(first+uint32(k), r.id, g)
		}
		places = places[r.n:]
	}
}
