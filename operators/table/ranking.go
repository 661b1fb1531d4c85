package table

import (
	"cmp"
	"container/heap"
)

// FamilyURLs is the number of URLs of a family that come before the surplus of families. A
// page seldom has more forms, and a family of more is often one page with any value.
const FamilyURLs = 64

// ranking orders the URLs of a pane for shedding. The order is by tier, then by place
// (ranked.compare). The first FamilyURLs URLs of each family are of one tier. Each further
// URL of a family, the surplus, is of a tier of its own, its number in the family. So the
// families with the most URLs are cut down first, to a common number. Then the places alone
// decide.
//
// To keep the first n URLs is a fold. URLs of other parts can only raise the tier of a URL
// and the number of URLs before a URL, so what a part leaves out, the whole leaves out.
type ranking struct {
	families map[uint64]*family
	last     lasts // all families
}

// family is the URLs of a family, a heap with the last URL first.
type family struct {
	id   uint64
	at   int // index in ranking.last
	urls []ranked
}

func newRanking() *ranking { return &ranking{families: map[uint64]*family{}} }

// add adds a URL. O(log n).
func (r *ranking) add(id uint64, u ranked) {
	f := r.families[id]
	if f == nil {
		f = &family{id: id, urls: []ranked{u}}
		r.families[id] = f
		heap.Push(&r.last, f)
		return
	}
	heap.Push(f, u)
	heap.Fix(&r.last, f.at)
}

// removeLast removes the last URL of a ranking that is not empty. O(log n).
func (r *ranking) removeLast() ranked {
	f := r.last[0]
	if len(f.urls) == 1 {
		heap.Pop(&r.last)
		delete(r.families, f.id)
		return f.urls[0]
	}
	u := heap.Pop(f).(ranked)
	heap.Fix(&r.last, 0)
	return u
}

// before reports whether a URL that is not in the ranking would come before the last URL.
func (r *ranking) before(id uint64, u ranked) bool {
	if len(r.last) == 0 {
		return false
	}
	tier := FamilyURLs
	if f := r.families[id]; f != nil {
		if u.compare(f.urls[0]) < 0 {
			return true
		}
		tier = max(tier, len(f.urls)+1)
	}
	last := r.last[0]
	return cmp.Or(cmp.Compare(tier, last.tier()), u.compare(last.urls[0])) < 0
}

// surplus reports whether the ranking has surplus.
func (r *ranking) surplus() bool { return len(r.last) > 0 && r.last[0].tier() > FamilyURLs }

// surplusIn reports whether a URL would be surplus in a ranking without surplus.
func (r *ranking) surplusIn(id uint64, u ranked) bool {
	f := r.families[id]
	return f != nil && len(f.urls) >= FamilyURLs && u.compare(f.urls[0]) > 0
}

// Memory of a ranking in bytes, with the slack of growing arrays and maps.
const (
	familyBytes = 128
	rankedBytes = 2 * 24
)

// bytes returns the memory of a ranking of so many URLs. O(1).
func (r *ranking) bytes(urls int) int64 {
	return int64(len(r.families))*familyBytes + int64(urls)*rankedBytes
}

// tier returns the tier of the family's last URL.
func (f *family) tier() int { return max(len(f.urls), FamilyURLs) }

func (f *family) Len() int           { return len(f.urls) }
func (f *family) Less(i, j int) bool { return f.urls[i].compare(f.urls[j]) > 0 }
func (f *family) Swap(i, j int)      { f.urls[i], f.urls[j] = f.urls[j], f.urls[i] }
func (f *family) Push(x any)         { f.urls = append(f.urls, x.(ranked)) }
func (f *family) Pop() any {
	n := len(f.urls) - 1
	u := f.urls[n]
	f.urls = f.urls[:n]
	return u
}

// lasts is a heap of families, the family with the last URL first.
type lasts []*family

func (l lasts) Len() int { return len(l) }
func (l lasts) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(l[i].tier(), l[j].tier()), l[i].urls[0].compare(l[j].urls[0])) > 0
}
func (l lasts) Swap(i, j int) {
	l[i], l[j] = l[j], l[i]
	l[i].at, l[j].at = i, j
}
func (l *lasts) Push(x any) {
	f := x.(*family)
	f.at = len(*l)
	*l = append(*l, f)
}
func (l *lasts) Pop() any {
	n := len(*l) - 1
	f := (*l)[n]
	(*l)[n] = nil
	*l = (*l)[:n]
	return f
}
