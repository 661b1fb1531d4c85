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
// Put and Remove are O(log sites). Next and Wake are O(origins), and O(log sites) for each site that has
// become ready. All sites that are fetched by their own names share one origin here, the empty one.
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

// isLate reports whether a site has waited for half of its longest wait.
func (s *Site) isLate(now time.Time) bool { return now.Sub(s.since) >= s.longest()/2 }

// The lists of an origin. A site that waits is in the first; a site that is ready is in both others.
const (
	byReady = iota
	byRank
	byDeadline
	lists
)

var before = [lists]func(a, b *Site) int{
	byReady:    func(a, b *Site) int { return a.Ready.Compare(b.Ready) },
	byRank:     func(a, b *Site) int { return a.Rank.compare(b.Rank) },
	byDeadline: func(a, b *Site) int { return a.deadline().Compare(b.deadline()) },
}

// comesFirst reports whether a comes before b in a list.
func comesFirst(list int, a, b *Site) bool {
	return cmp.Or(before[list](a, b), cmp.Compare(a.order, b.order)) < 0
}

// list is a heap of sites.
type list struct {
	sites []*Site
	by    int
}

func (l *list) Len() int           { return len(l.sites) }
func (l *list) Less(i, j int) bool { return comesFirst(l.by, l.sites[i], l.sites[j]) }
func (l *list) Swap(i, j int) {
	l.sites[i], l.sites[j] = l.sites[j], l.sites[i]
	l.sites[i].place[l.by], l.sites[j].place[l.by] = i, j
}

// Push is called by package heap.
func (l *list) Push(x any) {
	s := x.(*Site)
	s.place[l.by] = len(l.sites)
	l.sites = append(l.sites, s)
}

// Pop is called by package heap.
func (l *list) Pop() any {
	last := len(l.sites) - 1
	s := l.sites[last]
	l.sites[last] = nil
	l.sites, s.place[l.by] = l.sites[:last], -1
	return s
}

// first returns the first site, or nil.
func (l *list) first() *Site {
	if len(l.sites) == 0 {
		return nil
	}
	return l.sites[0]
}

func (l *list) remove(s *Site) {
	if at := s.place[l.by]; at >= 0 {
		heap.Remove(l, at)
	}
}

// origin has the sites behind one server.
type origin struct {
	lists          [lists]list
	hopeful, fresh int // sites with something to try; of these, sites that had no turn yet
}

func newOrigin() *origin {
	o := &origin{}
	for by := range o.lists {
		o.lists[by].by = by
	}
	return o
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

// wake moves the sites that have become ready.
func (o *origin) wake(now time.Time) {
	for s := o.lists[byReady].first(); s != nil && !s.Ready.After(now); s = o.lists[byReady].first() {
		heap.Pop(&o.lists[byReady])
		heap.Push(&o.lists[byRank], s)
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
	put     int // sites ever put
	unfair  int // turns since the last that was given for a wait
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
		q.origins = map[string]*origin{}
	}
	o := q.origins[s.Origin]
	if o == nil {
		o = newOrigin()
		q.origins[s.Origin] = o
	}
	s.place = [lists]int{-1, -1, -1}
	heap.Push(&o.lists[byReady], s)
	o.count(s, 1)
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
		o.lists[by].remove(s)
	}
	o.count(s, -1)
	if o.len() == 0 {
		delete(q.origins, s.Origin)
	}
}

// Next takes out the site that has the next turn; nil: none may have one now.
func (q *Queue) Next(now time.Time, l Limits) *Site {
	var best, late *Site
	for name, o := range q.origins {
		if o.wake(now); o.lists[byRank].Len() == 0 || l.opens(name).After(now) {
			continue
		}
		if s := o.lists[byRank].first(); (l.Room || s.Rank.Begun) && (best == nil || comesFirst(byRank, s, best)) {
			best = s
		}
		if s := o.lists[byDeadline].first(); s.isLate(now) && (late == nil || comesFirst(byDeadline, s, late)) {
			late = s
		}
	}
	if late != nil && q.unfair >= FairShare-1 {
		best, q.unfair = late, -1
	}
	if best != nil {
		q.Remove(best)
		best.had = true
		q.unfair++
	}
	return best
}

// Wake returns the earliest time at which Next may find a site, if no site is put before; zero: it will
// find none.
func (q *Queue) Wake(l Limits) (at time.Time) {
	for name, o := range q.origins {
		from, some := o.from(l.Room)
		if !some {
			continue
		}
		if opens := l.opens(name); opens.After(from) {
			from = opens
		}
		if at.IsZero() || from.Before(at) {
			at = from
		}
	}
	return at
}

// from returns when a site of the origin may have a turn, if the origin is open.
func (o *origin) from(room bool) (at time.Time, some bool) {
	take := func(t time.Time) {
		if !some || t.Before(at) {
			at, some = t, true
		}
	}
	if s := o.lists[byReady].first(); s != nil {
		take(s.Ready)
	}
	if s := o.lists[byRank].first(); s != nil && (room || s.Rank.Begun) {
		take(s.Ready)
	}
	return at, some
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
