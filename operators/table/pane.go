package table

import (
	"container/heap"
	"math"
	"slices"
)

// pane is one pane of time.
type pane struct {
	number int64
	count  int     // URLs
	top    ranking // the pane's URLs, once the pane is full
	built  bool    // top has been built
	cut    uint64  // greatest hash of a URL kept by the pane
}

// ranked is a URL with its hash; ranking is a heap with the greatest first.
type ranked struct {
	hash uint64
	id   uint32
}

type ranking []ranked

func (r ranking) Len() int           { return len(r) }
func (r ranking) Less(i, j int) bool { return r[i].hash > r[j].hash }
func (r ranking) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ranking) Push(x any)        { *r = append(*r, x.(ranked)) }
func (r *ranking) Pop() any {
	last := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return last
}

// paneAt returns a pane, and moves the window if the pane is the newest so far. paneAt
// returns false if the pane is older than the window.
func (t *Table) paneAt(number int64) (*pane, bool) {
	if t.recent != nil && t.recent.number == number {
		return t.recent, true
	}
	p := t.state[number]
	if p == nil {
		if number <= t.oldest() {
			return nil, false
		}
		if number > t.newest {
			t.newest = number
			t.expire()
		}
		p = &pane{number: number, cut: t.cutOf(number)}
		t.state[number] = p
	}
	t.recent = p
	return p, true
}

// oldest returns the newest of the panes before the window.
func (t *Table) oldest() int64 {
	if t.newest < math.MinInt64+t.panes { // no pane yet, or the window reaches below all numbers
		return math.MinInt64
	}
	return t.newest - t.panes
}

// expire drops the panes that have left the window. O(URLs), once for each pane.
func (t *Table) expire() {
	gone := false
	for number := range t.state {
		if number <= t.oldest() {
			delete(t.state, number)
			gone = true
		}
	}
	t.cuts = slices.DeleteFunc(t.cuts, func(c Cut) bool { return c.Pane <= t.oldest() })
	if !gone {
		return
	}
	for id := range t.heads {
		t.discard(uint32(id), func(pane int64) bool { return pane <= t.oldest() })
	}
}

// makeRoom admits a URL to a pane that does not hold the URL yet. The URL is shed if its
// hash is above the pane's cut, or if the pane is full of URLs of smaller hash. Otherwise,
// in a full pane, the URL of greatest hash is removed.
func (t *Table) makeRoom(p *pane, url []byte) Outcome {
	if p.cut < math.MaxUint64 && t.hash(url) > p.cut {
		return Shed
	}
	if p.count < t.o.MaxURLs {
		return Kept
	}
	t.rank(p)
	if p.count == 0 || t.hash(url) >= p.top[0].hash {
		return Shed
	}
	out := heap.Pop(&p.top).(ranked)
	t.discard(out.id, func(pane int64) bool { return pane == p.number })
	p.count--
	return KeptInstead
}

// rank orders the URLs of a pane by hash when the pane is full for the first time. A pane
// that is never full needs no order.
func (t *Table) rank(p *pane) {
	if p.built {
		return
	}
	p.built = true
	for id := range t.heads {
		if t.inPane(uint32(id), p.number) {
			p.top = append(p.top, ranked{t.hash(t.urls.Text(uint32(id))), uint32(id)})
		}
	}
	heap.Init(&p.top)
}

// enroll adds a URL to a pane. The URL's first entry follows.
func (t *Table) enroll(p *pane, id uint32, url []byte) {
	for int(id) >= len(t.heads) {
		t.heads, t.dirty = append(t.heads, 0), append(t.dirty, 0)
	}
	p.count++
	t.enrolled++
	if p.built {
		heap.Push(&p.top, ranked{t.hash(url), id})
	}
	t.touch(id)
}
