package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
)

// Point is a point of the curve of coverage: the share of merged URLs after a number of
// tried pairs.
type Point struct {
	Pairs  int64   // tried for rules and sets, those of earlier starts too as far as they are remembered
	Merged float64 // share of the window's URLs that L merges with other URLs
}

// mostPoints bounds the number of points of a curve.
const mostPoints = 128

// coverage is the curve of coverage since the start of the program. If there are too many
// points, every second point is dropped.
type coverage []Point

// add adds a point. A point with the coverage of the two last points replaces the last point.
func (c *coverage) add(p Point) {
	all := *c
	last := len(all) - 1
	switch {
	case last >= 0 && all[last].Pairs == p.Pairs:
		all[last] = p
		return
	case last >= 1 && all[last].Merged == p.Merged && all[last-1].Merged == p.Merged:
		all[last] = p
		return
	}
	if all = append(all, p); len(all) > mostPoints {
		kept := all[:0]
		for i := range all {
			if i%2 == 0 || i == len(all)-1 {
				kept = append(kept, all[i])
			}
		}
		all = kept
	}
	*c = all
}

// until returns a copy of the points. The last coverage holds until the present number of pairs.
func (c coverage) until(pairs int64) []Point {
	all := slices.Clone(c)
	if n := len(all); n > 0 && all[n-1].Pairs < pairs {
		all = append(all, Point{pairs, all[n-1].Merged})
	}
	return all
}

// Trials that bring nothing more cost a server requests. Candidates rest when the last requests for trials merged hardly
// a URL more, and no candidate promises more than that for as many requests: for an hour, then for twice as long each
// time, up to a day.

// Constants of the yield.
const (
	yieldSpan  = 300   // documents
	leastYield = 0.002 // of the URLs of the window
)

// yield is what the trials of rules brought lately. It begins anew with each start of the program.
type yield struct {
	made   int       // documents requested for trials of rules
	from   int       // of these, before the last rest
	points []yielded // the oldest first; the first is that of yieldSpan documents ago, or of the first one since
	until  int64     // candidates rest until then
	pause  int64     // how long they rested last
}

// yielded is the share of the URLs that L merged with others when some documents had been requested.
type yielded struct {
	made   int
	merged float64
}

// count counts the documents requested for a look.
func (y *yield) count(purpose Purpose, documents int) {
	if purpose == Trial || purpose == Control {
		y.made += documents
	}
}

// note notes what L merges now.
func (y *yield) note(merged float64) {
	if n := len(y.points); n == 0 || y.points[n-1].merged != merged {
		y.points = append(y.points, yielded{y.made, merged})
	}
	for len(y.points) > 1 && y.points[1].made <= y.made-yieldSpan {
		y.points = y.points[1:]
	}
}

// rests lets the candidates rest if the last documents brought little: for an hour, twice as long each time, up to a day.
func (y *yield) rests(now int64) bool {
	if now >= y.until && y.made-y.from >= yieldSpan {
		if y.points[len(y.points)-1].merged-y.points[0].merged < leastYield {
			y.pause = min(max(2*y.pause, book.Hour), book.Day)
			y.until, y.from = now+y.pause, y.made
		} else {
			y.pause = 0
		}
	}
	return now < y.until
}

// rests reports whether candidates rest although one could be tried.
func (tr *trier) rests(chooser *chooser, best *book.Candidate, now int64) bool {
	y, urls := &tr.yield, len(tr.window.Pages)
	y.note(book.Share(urls-len(tr.view.Forms.Texts), urls))
	if tr.book.IsResumed(best.ID) || yieldSpan*chooser.worthOf(best, chooser.chances()) >= leastYield*float64(urls) {
		return false
	}
	return y.rests(now)
}
