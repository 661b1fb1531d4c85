// Package gate says when a request may begin.
//
// A Gate holds what is known of the requests under one key: of a server, of the hosts behind an
// origin, of a site, of a process. Four rules decide, and a Gate knows one time for each:
//
//	pace    a delay after the last request; doubled while answers are slow (Took)
//	hold    what an answer asked for, such as Retry-After (Until)
//	budget  so many requests in a period (Left, Renews)
//	rest    after several answers of an overloaded server in a row (Answered)
//
// Opens joins pace and hold: a request waits until then. Without budget, or at rest, a request is
// refused, because the wait is long.
package gate

import (
	"math"
	"slices"
	"time"
)

// Gate is the state under a key. The zero Gate is always open. Time is an argument of its methods,
// and none of them waits. One goroutine at a time may use a Gate. Each method costs O(1).
type Gate struct {
	Delay  time.Duration // between two requests, while answers are as quick as at first
	Slack  time.Duration // after a pause, requests may begin earlier by up to this time: n delays for n requests at once
	Last   time.Time     // begin of the last request that was taken or made, or its end if that is known
	Hold   time.Time     // earliest next request, whatever the delay
	Passes int           // turns given to callers who have not taken their first request

	Budget int           // requests in a period; 0: no limit
	Period time.Duration // of the budget, from its first request; 0: for ever
	Since  time.Time     // begin of the period
	Used   int           // requests in the period

	Row  int       // consecutive answers of an overloaded server
	Rest time.Time // no request before, after too many of these answers

	tempo tempo
}

// Answers of an overloaded server after which a Gate rests, and the shortest rest.
const (
	MostBusy  = 5
	ShortRest = time.Hour
)

// Pace returns the delay between requests now: doubled for slow answers.
func (g *Gate) Pace() time.Duration { return doubled(g.Delay, g.tempo.doublings()) }

// Opens returns when a further request may begin that comes after all passes. A time that is not
// after now means at once.
func (g *Gate) Opens(now time.Time) time.Time {
	late := time.Duration(g.Passes)*g.Pace() - g.Slack
	return Latest(g.due(now).Add(late), g.Hold)
}

// Take takes the next place in the row of requests and returns its time, which is not before now.
func (g *Gate) Take(now time.Time) time.Time {
	g.Last = g.due(now)
	return Latest(now, g.Last.Add(-g.Slack), g.Hold)
}

// due returns the time of the next request in a row without slack.
func (g *Gate) due(now time.Time) time.Time { return Latest(now, g.Last.Add(g.Pace()), g.Hold) }

// Until lets no request begin before a time.
func (g *Gate) Until(at time.Time) { g.Hold = Latest(g.Hold, at) }

// Left returns the number of requests left; math.MaxInt without a limit.
func (g *Gate) Left(now time.Time) int {
	if g.Budget <= 0 {
		return math.MaxInt
	}
	if g.over(now) {
		return g.Budget
	}
	return max(0, g.Budget-g.Used)
}

// Renews returns the end of the period, when Left grows; zero if none has begun, or without a limit.
func (g *Gate) Renews(now time.Time) time.Time {
	if g.Budget <= 0 || g.Period == 0 || g.over(now) {
		return time.Time{}
	}
	return g.Since.Add(g.Period)
}

// Spend takes a request from the budget. A period begins with its first request.
func (g *Gate) Spend(now time.Time) {
	if g.over(now) {
		g.Since, g.Used = now, 0
	}
	g.Used++
}

// over reports whether the period has ended.
func (g *Gate) over(now time.Time) bool { return g.Period > 0 && now.Sub(g.Since) >= g.Period }

// Answered counts the consecutive answers of an overloaded server. From the fifth on, each such
// answer begins a rest of an hour, or as long as the answer wants if that is longer. Answered
// returns the rest, or 0.
func (g *Gate) Answered(now time.Time, busy bool, wants time.Duration) (rest time.Duration) {
	if g.Row++; !busy {
		g.Row = 0
	}
	if g.Row < MostBusy {
		return 0
	}
	rest = max(ShortRest, wants)
	g.Rest = now.Add(rest)
	return rest
}

// Settled reports whether the state can be forgotten, because it forbids nothing. Delay may grow
// until then to that of longest.
func (g *Gate) Settled(now time.Time, longest time.Duration) bool {
	return !now.Before(Latest(g.Hold, g.Rest, g.Last.Add(longest), g.Since.Add(g.Period)))
}

// Latest returns the latest of some times; zero of none.
func Latest(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// tempo measures how long a server takes to answer, at first and recently.
type tempo struct {
	usual time.Duration   // the median of the first answers; 0: too few are known
	last  []time.Duration // the first answers until usual is known, then the latest
	told  int             // doublings reported last
}

const (
	firstAnswers = 20
	lateAnswers  = 10

	// leastUsual is the least time that counts as usual: a server that takes 4 ms
	// instead of 1 ms is not overloaded.
	leastUsual = 10 * time.Millisecond

	// mostSlowed is the longest delay caused by slow answers.
	mostSlowed = time.Minute

	// leastTold is the least time of answers that is reported as slow, with a delay of at
	// least leastDelay.
	leastTold  = 500 * time.Millisecond
	leastDelay = time.Millisecond
)

// News is a change of the pace that is worth a report.
type News int

// The news. Between the limits of Slowed and Recovered nothing is reported, so a server at a limit
// causes no row of reports.
const (
	Nothing   News = iota
	Slowed         // the pace is slower than reported last, and the answers take half a second or more
	Recovered      // after Slowed, the answers take less than one and a half times as long as at first
)

// Took records the duration of an answer. With news it returns the median of the last answers.
func (g *Gate) Took(d time.Duration) (news News, median time.Duration) {
	t := &g.tempo
	t.add(d)
	if !t.known() {
		return Nothing, 0
	}
	n, median := t.doublings(), medianOf(t.last)
	switch pace := doubled(g.Delay, n); {
	case pace > doubled(g.Delay, t.told) && pace >= leastDelay && median >= leastTold:
		t.told = n
		return Slowed, median
	case t.told > 0 && median < t.usual*3/2:
		t.told = 0
		return Recovered, median
	}
	return Nothing, 0
}

func (t *tempo) add(d time.Duration) {
	if t.usual > 0 && len(t.last) == lateAnswers {
		t.last = slices.Delete(t.last, 0, 1)
	}
	t.last = append(t.last, d)
	if t.usual == 0 && len(t.last) == firstAnswers {
		t.usual, t.last = max(medianOf(t.last), leastUsual), nil
	}
}

// known reports whether there are enough answers to compare.
func (t *tempo) known() bool { return t.usual > 0 && len(t.last) == lateAnswers }

// doublings returns how often the delay is doubled: 1 if the answers take at least
// twice as long as at first, 2 if they take at least four times as long.
func (t *tempo) doublings() (n int) {
	if !t.known() {
		return 0
	}
	for now := medianOf(t.last); now >= t.usual<<(n+1); {
		n++
	}
	return n
}

func doubled(delay time.Duration, times int) time.Duration {
	most := max(delay, mostSlowed)
	for range times {
		delay = min(2*delay, most)
	}
	return delay
}

func medianOf(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}
