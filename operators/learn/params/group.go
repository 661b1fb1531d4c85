package params

import "hash/maphash"

// group is a group (n, rest) with at least one holder. n and rest are not stored, but
// read from any holder.
type group struct {
	key      uint64 // 64-bit keyed hash of n and rest: the group's identity
	mark     uint32 // hash of rest, and the state
	holders  uint32 // one node of the circle of holders; 0: the place is free, and next is the next free place
	next     uint32 // the other groups under the same hash of rest,
	previous uint32 // in a list whose head is in Index.byRest
}

// The bits of group.mark.
const (
	restBits  = 1<<29 - 1 // the hash of the rest; groups with equal hashes by chance are only settled together
	similar   = 1 << 29   // counted as similar
	countable = 1 << 30   // counted as comparable
	dirty     = 1 << 31   // in Index.dirty; outlives the group, so Index.dirty has no duplicates
	state     = similar | countable
)

// node is one URL as a holder in one group. The nodes of a URL stand in a row, one for
// each distinct name in order of first occurrence. So the place of a node in the row
// identifies the name.
type node struct {
	group          uint32
	url            uint32
	next, previous uint32 // the circle of the group's holders
}

const noURL = 1<<32 - 1

// join makes a URL a holder in the groups of its parameters.
func (x *Index) join(id uint32) {
	if x.q.Names() == 0 {
		return
	}
	x.hashRests()
	row := x.newRow(x.q.Names())
	x.rows[id] = row
	x.members += x.q.Names()
	for n := range x.q.Names() {
		x.link(row+uint32(n), id, x.groupOf(n))
	}
}

// groupOf finds or creates the group of the query's n-th name, and marks it dirty if it may
// now be comparable.
func (x *Index) groupOf(n int) uint32 {
	r := &x.rests[n]
	g, known := x.groupAt(r.key, r.rest)
	if known {
		return g
	}
	if _, ok := x.urls.LookupHash(r.rest, x.buf[r.from:r.to]); ok {
		x.touch(g)
	}
	return g
}

// restText is the place of a rest whose text is x.buf[from:to].
type restText struct {
	place
	from, to int
}

// hashRests sets x.rests for the query. It reads the places where groups and rests will be looked up, since
// they are scattered over the memory.
func (x *Index) hashRests() {
	x.buf, x.rests = x.buf[:0], x.rests[:0]
	for n := range x.q.Names() {
		from := len(x.buf)
		key, rest := x.keyOf(n)
		x.rests = append(x.rests, restText{place{key, rest}, from, len(x.buf)})
		x.touched ^= x.byKey.touch(keyTag(key)) ^ x.byRest.touch(restTag(rest)) ^ x.urls.TouchHash(rest)
	}
}

// keyOf returns the key of the query's n-th name, and the hash of the rest, which is appended to x.buf.
func (x *Index) keyOf(n int) (key, rest uint64) {
	from := len(x.buf)
	x.buf = x.q.Rest(x.buf, n)
	rest = x.urls.Hash(x.buf[from:])
	return rest ^ maphash.Bytes(x.nameSeed, x.q.Name(n)), rest
}

// groupAt finds or creates a group. A known group is marked dirty.
func (x *Index) groupAt(key, rest uint64) (g uint32, known bool) {
	if g := x.find(key); g != 0 {
		x.touch(g)
		return g, true
	}
	g = x.newGroup()
	x.groups[g].key = key
	x.groups[g].mark |= restTag(rest)
	x.byKey.insert(keyTag(key), g)
	x.chain(g)
	return g, false
}

func keyTag(key uint64) uint32   { return uint32(key >> 32) }
func restTag(rest uint64) uint32 { return uint32(rest>>32) & restBits }

func (x *Index) find(key uint64) uint32 {
	tag := keyTag(key)
	at, g := x.byKey.seek(tag, tag)
	for g != 0 && x.groups[g].key != key {
		at, g = x.byKey.seek(tag, at+1)
	}
	return g
}

// part removes a URL from the groups of its parameters. A group without holders ends and
// is subtracted at once, because its name and rest are lost with the text of its last
// holder.
func (x *Index) part(id uint32) {
	row := x.rows[id]
	if row == 0 {
		return
	}
	for n := range x.q.Names() {
		g, alone := x.unlink(row + uint32(n))
		if alone {
			x.end(g, n)
		} else {
			x.touch(g)
		}
	}
	x.freeRow(row, x.q.Names())
	x.members -= x.q.Names()
	x.rows[id] = 0
}

func (x *Index) end(g uint32, n int) {
	gr := &x.groups[g]
	if was := gr.mark & state; was != 0 {
		x.apply(n, change(was, 0))
	}
	x.byKey.remove(keyTag(gr.key), g)
	x.unchain(g)
	*gr = group{mark: gr.mark & dirty, next: x.freeGroup}
	x.freeGroup = g
}

func (x *Index) touch(g uint32) {
	if gr := &x.groups[g]; gr.mark&dirty == 0 {
		gr.mark |= dirty
		x.dirty = append(x.dirty, g)
	}
}

// touchRow marks the groups with a URL as a holder.
func (x *Index) touchRow(id uint32) {
	if row := x.rows[id]; row != 0 {
		for ; int(row) < len(x.nodes) && x.nodes[row].url == id; row++ {
			x.touch(x.nodes[row].group)
		}
	}
}

// touchRests marks the groups with a URL as the rest: all groups under the hash of the
// URL.
func (x *Index) touchRests(text []byte) {
	x.touchTag(restTag(x.urls.Hash(text)))
}

func (x *Index) touchTag(tag uint32) {
	for _, g := x.byRest.seek(tag, tag); g != 0; g = x.groups[g].next {
		x.touch(g)
	}
}

func (x *Index) link(p, id, g uint32) {
	gr := &x.groups[g]
	x.nodes[p] = node{group: g, url: id, next: p, previous: p}
	if head := gr.holders; head != 0 {
		after := x.nodes[head].next
		x.nodes[p].next, x.nodes[p].previous = after, head
		x.nodes[head].next, x.nodes[after].previous = p, p
	}
	gr.holders = p
}

func (x *Index) unlink(p uint32) (g uint32, alone bool) {
	o := x.nodes[p]
	x.nodes[o.previous].next, x.nodes[o.next].previous = o.next, o.previous
	x.groups[o.group].holders = o.next
	return o.group, o.next == p
}

// newGroup returns a free place for a group.
func (x *Index) newGroup() uint32 {
	if g := x.freeGroup; g != 0 {
		x.freeGroup = x.groups[g].next
		x.groups[g].next = 0
		return g
	}
	x.groups = append(x.groups, group{})
	return uint32(len(x.groups) - 1)
}

// newRow returns the first of k free nodes in a row. Freed rows are reused for rows of
// the same length. There are at most MaxParams lengths.
func (x *Index) newRow(k int) uint32 {
	for len(x.freeRows) <= k {
		x.freeRows = append(x.freeRows, 0)
	}
	if row := x.freeRows[k]; row != 0 {
		x.freeRows[k] = x.nodes[row].next
		return row
	}
	row := uint32(len(x.nodes))
	for range k {
		x.nodes = append(x.nodes, node{})
	}
	return row
}

func (x *Index) freeRow(row uint32, k int) {
	for i := range uint32(k) {
		x.nodes[row+i] = node{url: noURL}
	}
	x.nodes[row].next = x.freeRows[k]
	x.freeRows[k] = row
}

// chain adds a group to the list under the hash of its rest, after the head.
func (x *Index) chain(g uint32) {
	gr := &x.groups[g]
	tag := gr.mark & restBits
	_, head := x.byRest.seek(tag, tag)
	if head == 0 {
		x.byRest.insert(tag, g)
		return
	}
	h := &x.groups[head]
	gr.next, gr.previous = h.next, head
	if h.next != 0 {
		x.groups[h.next].previous = g
	}
	h.next = g
}

func (x *Index) unchain(g uint32) {
	gr := x.groups[g]
	if gr.next != 0 {
		x.groups[gr.next].previous = gr.previous
	}
	tag := gr.mark & restBits
	switch {
	case gr.previous != 0:
		x.groups[gr.previous].next = gr.next
	case gr.next != 0:
		x.byRest.replace(tag, g, gr.next)
	default:
		x.byRest.remove(tag, g)
	}
}
