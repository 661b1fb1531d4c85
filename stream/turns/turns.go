// Package turns decides which site is tried next. It has no clock and starts no goroutine: time is an
// argument. One turn is one pair of pages.
//
//	Put ──> waiting ──its hosts may be asked──> ready ──Next: the origin is open, the best──> turn ──> Put
//
// # The best
//
// Of the sites that are ready, the one comes first whose request brings most (Rank): a trial under way
// before a new one, a site without a published list before one with a list, then the greatest expected gain.
// Equal sites keep the order in which they came, so that sites finish one after the other. If all took turns,
// none would have a verdict before nearly all have one.
//
// # Fairness
//
// The order alone would let a site wait for ever. So one turn in FairShare may go to a site that has waited
// for half of the longest wait: an hour for the first turn of a site, a day for later turns. Of these sites
// the one with the earliest deadline comes first. Where the requests are too few even so, Need says how many
// would do.
//
// # Cost
//
// Put and Remove are O(log sites). Next is that too, and looks at each origin with a better site that is not open; so does
// Wake. All sites that are fetched by their own names share one origin here, the empty one.
package turns

import (
	"cmp"
	"container/heap"
	"time"
)

// The longest waits, and the share of the turns that may be given for their sake: one in FairShare.
const (
	LongestFirst = time.Hour      // of a site without a turn yet
	LongestAgain = 24 * time.Hour // of all others
	FairShare    = 4
)

// Rank says how much a site's next request brings.
type Rank struct {
	Begun    bool    // a trial is under way, and the view of the site is in memory
	First    bool    // nothing is published of the site
	Expected float64 // forms that the next trial is expected to merge, for each request
}

// compare is negative if a comes before b.
func (a Rank) compare(b Rank) int {
	return cmp.Or(-compareBool(a.Begun, b.Begun), -compareBool(a.First, b.First), -cmp.Compare(a.Expected, b.Expected))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Site is a site that waits for a turn. The caller sets the exported fields while the site is not in a
// Queue.
type Site struct {
	Of     any    // what the caller knows of the site
	Origin string // the server behind which it lies; "": its own hosts are asked
	Rank   Rank
	Ready  time.Time // its hosts may be asked from then on

	since time.Time // of the last Put
	had   bool      // it had a turn
	order int       // of its first Put; 0: there was none
	place [lists]int
}

// deadline returns when a site should have a turn.
func (s *Site) deadline() time.Time { return s.since.Add(s.longest()) }

// longest returns the longest wait of a site.
func (s *Site) longest() time.Duration {
	if s.had {
		return LongestAgain
	}
	return LongestFirst
}

// late returns when a site has waited for half of its longest wait.
func (s *Site) late() time.Time { return s.since.Add(s.longest() / 2) }

// The lists of an origin. A site that is not ready is in the first. A site that is ready is in the second, and in the third
// until it is late and then in the fourth.
const (
	byReady = iota
	byRank
	byLate
	byDeadline
	lists
)

var before = [lists]func(a, b *Site) int{
	byReady:    func(a, b *Site) int { return a.Ready.Compare(b.Ready) },
	byRank:     func(a, b *Site) int { return a.Rank.compare(b.Rank) },
	byLate:     func(a, b *Site) int { return a.late().Compare(b.late()) },
	byDeadline: func(a, b *Site) int { return a.deadline().Compare(b.deadline()) },
}

// comesFirst reports whether a comes before b in a list.
func comesFirst(list int, a, b *Site) bool {
	return cmp.Or(before[list](a, b), cmp.Compare(a.order, b.order)) < 0
}

// list is a heap of sites or of origins, each of which knows its place in it; -1: none.
type list[T any] struct {
	all   []T
	first func(a, b T) bool
	place func(T) *int
}

func (l *list[T]) Len() int           { return len(l.all) }
func (l *list[T]) Less(i, j int) bool { return l.first(l.all[i], l.all[j]) }
func (l *list[T]) Swap(i, j int) {
	l.all[i], l.all[j] = l.all[j], l.all[i]
	*l.place(l.all[i]), *l.place(l.all[j]) = i, j
}

// Push is called by package heap.
func (l *list[T]) Push(x any) {
	*l.place(x.(T)) = len(l.all)
	l.all = append(l.all, x.(T))
}

// Pop is called by package heap.
func (l *list[T]) Pop() any {
	last, none := len(l.all)-1, *new(T)
	x := l.all[last]
	l.all[last] = none
	l.all, *l.place(x) = l.all[:last], -1
	return x
}

// set sees to it that a member is in its place, or not in the list.
func (l *list[T]) set(x T, in bool) {
	switch at := *l.place(x); {
	case in && at >= 0:
		heap.Fix(l, at)
	case in:
		heap.Push(l, x)
	case at >= 0:
		heap.Remove(l, at)
	}
}

// descend calls visit for the member at a place in the heap and, if visit returns true, for the members below it,
// none of which comes before it.
func (l *list[T]) descend(place int, visit func(T) (below bool)) {
	if place < len(l.all) && visit(l.all[place]) {
		l.descend(2*place+1, visit)
		l.descend(2*place+2, visit)
	}
}

// origin has the sites behind one server.
type origin struct {
	name           string
	lists          [lists]list[*Site]
	hopeful, fresh int // sites with something to try; of these, sites that had no turn yet
	place          [queues]int
}

func newOrigin(name string) *origin {
	o := &origin{name: name, place: [queues]int{-1, -1, -1}}
	for by := range o.lists {
		o.lists[by] = list[*Site]{first: func(a, b *Site) bool { return comesFirst(by, a, b) }, place: func(s *Site) *int { return &s.place[by] }}
	}
	return o
}

// first returns the first site of a list, or nil.
func (o *origin) first(by int) *Site {
	if o.lists[by].Len() == 0 {
		return nil
	}
	return o.lists[by].all[0]
}

func (o *origin) len() int { return o.lists[byReady].Len() + o.lists[byRank].Len() }

// count counts a site that came or went.
func (o *origin) count(s *Site, n int) {
	if !s.Rank.Begun && s.Rank.Expected <= 0 {
		return
	}
	o.hopeful += n
	if !s.had {
		o.fresh += n
	}
}

// next returns when a site becomes ready or late; false: never.
func (o *origin) next() (at time.Time, some bool) {
	ready, late := o.first(byReady), o.first(byLate)
	switch {
	case ready == nil && late == nil:
		return at, false
	case late == nil, ready != nil && ready.Ready.Before(late.late()):
		return ready.Ready, true
	}
	return late.late(), true
}

// wake moves the sites that have become ready, or late.
func (o *origin) wake(now time.Time) {
	for s := o.first(byReady); s != nil && !s.Ready.After(now); s = o.first(byReady) {
		heap.Pop(&o.lists[byReady])
		heap.Push(&o.lists[byRank], s)
		heap.Push(&o.lists[byLate], s)
	}
	for s := o.first(byLate); s != nil && !s.late().After(now); s = o.first(byLate) {
		heap.Pop(&o.lists[byLate])
		heap.Push(&o.lists[byDeadline], s)
	}
}

// Limits are what a Queue cannot know.
type Limits struct {
	Opens func(origin string) time.Time // an origin may be asked from then on; not called for the empty one
	Room  bool                          // trials of further sites may begin; else only those under way go on
}

// opens returns when an origin may be asked.
func (l *Limits) opens(name string) time.Time {
	if name == "" {
		return time.Time{}
	}
	return l.Opens(name)
}

// Queue has the sites that wait. It belongs to one goroutine. The zero Queue is empty.
type Queue struct {
	origins map[string]*origin
	queues  [queues]list[*origin]
	put     int // sites ever put
	unfair  int // turns since the last that was given for a wait
}

// The queues of the origins: by the next site that becomes ready or late, and by their first sites in two of their lists.
const (
	toWake = iota
	bestFirst
	lateFirst
	queues
)

var firstIn = [queues]int{bestFirst: byRank, lateFirst: byDeadline}

func (q *Queue) init() {
	q.origins = map[string]*origin{}
	for of := range q.queues {
		q.queues[of] = list[*origin]{place: func(o *origin) *int { return &o.place[of] }, first: func(a, b *origin) bool {
			return comesFirst(firstIn[of], a.first(firstIn[of]), b.first(firstIn[of]))
		}}
	}
	q.queues[toWake].first = func(a, b *origin) bool {
		atA, _ := a.next()
		atB, _ := b.next()
		return atA.Before(atB)
	}
}

// changed puts an origin whose sites changed in its places.
func (q *Queue) changed(o *origin) {
	_, wakes := o.next()
	q.queues[toWake].set(o, wakes)
	q.queues[bestFirst].set(o, o.first(byRank) != nil)
	q.queues[lateFirst].set(o, o.first(byDeadline) != nil)
	if o.len() == 0 {
		delete(q.origins, o.name)
	}
}

// Put adds a site, which waits from now on.
func (q *Queue) Put(s *Site, now time.Time) {
	if s.order == 0 {
		q.put++
		s.order = q.put
	}
	s.since = now
	q.add(s)
}

func (q *Queue) add(s *Site) {
	if q.origins == nil {
		q.init()
	}
	o := q.origins[s.Origin]
	if o == nil {
		o = newOrigin(s.Origin)
		q.origins[s.Origin] = o
	}
	s.place = [lists]int{-1, -1, -1, -1}
	heap.Push(&o.lists[byReady], s)
	o.count(s, 1)
	q.changed(o)
}

// Rerank changes the rank of a site that is in the queue.
func (q *Queue) Rerank(s *Site, r Rank) {
	q.Remove(s)
	s.Rank = r
	q.add(s)
}

// Remove takes out a site that is in the queue.
func (q *Queue) Remove(s *Site) {
	o := q.origins[s.Origin]
	for by := range o.lists {
		o.lists[by].set(s, false)
	}
	o.count(s, -1)
	q.changed(o)
}

// Next takes out the site that has the next turn; nil: none may have one now.
func (q *Queue) Next(now time.Time, l Limits) *Site {
	for o := q.first(toWake); o != nil; o = q.first(toWake) {
		if at, _ := o.next(); at.After(now) {
			break
		}
		o.wake(now)
		q.changed(o)
	}
	best := q.firstOpen(bestFirst, now, &l)
	if q.unfair >= FairShare-1 {
		if late := q.firstOpen(lateFirst, now, &l); late != nil {
			best, q.unfair = late, -1
		}
	}
	if best != nil {
		q.Remove(best)
		best.had = true
		q.unfair++
	}
	return best
}

// first returns the first origin of a queue, or nil.
func (q *Queue) first(of int) *origin {
	if q.queues[of].Len() == 0 {
		return nil
	}
	return q.queues[of].all[0]
}

// firstOpen returns the first site of a queue that may have a turn, or nil.
func (q *Queue) firstOpen(of int, now time.Time, l *Limits) (found *Site) {
	by := firstIn[of]
	q.queues[of].descend(0, func(o *origin) bool {
		s := o.first(by)
		if of == bestFirst && !l.Room && !s.Rank.Begun || found != nil && comesFirst(by, found, s) {
			return false
		}
		closed := l.opens(o.name).After(now)
		if !closed {
			found = s
		}
		return closed
	})
	return found
}

// Wake returns a time at which to ask Next again, not after the earliest at which Next may find a site if none is put before;
// zero: it will find none. Without Room, late sites of closed origins are left out.
func (q *Queue) Wake(l Limits) (at time.Time) {
	take := func(t time.Time) {
		if at.IsZero() || t.Before(at) {
			at = t
		}
	}
	if o := q.first(toWake); o != nil {
		t, _ := o.next()
		take(t)
	}
	q.queues[bestFirst].descend(0, func(o *origin) bool { // below an origin whose trials may not begin there are only such
		s := o.first(byRank)
		if !l.Room && !s.Rank.Begun {
			return false
		}
		if opens := l.opens(o.name); opens.After(s.Ready) {
			take(opens)
		} else {
			take(s.Ready)
		}
		return true
	})
	return at
}

// Need is what the sites that wait need, so that none waits longer than the longest wait.
type Need struct {
	Waiting int     // sites with something to try
	Fresh   int     // of these, sites that had no turn yet
	Rate    float64 // turns a second
	Origin  float64 // the same behind the origin that needs most; 0: no site has an origin
}

// Need returns what the sites need. It counts only the turns that are given for a wait, in the second half
// of the wait.
func (q *Queue) Need() (n Need) {
	for name, o := range q.origins {
		n.Waiting, n.Fresh = n.Waiting+o.hopeful, n.Fresh+o.fresh
		if name != "" {
			n.Origin = max(n.Origin, rateFor(o.hopeful, o.fresh))
		}
	}
	n.Rate = rateFor(n.Waiting, n.Fresh)
	return n
}

// rateFor returns the turns a second for so many sites, of which some had no turn yet.
func rateFor(all, fresh int) float64 {
	half := func(d time.Duration) float64 { return d.Seconds() / 2 }
	return FairShare * (float64(fresh)/half(LongestFirst) + float64(all-fresh)/half(LongestAgain))
}
