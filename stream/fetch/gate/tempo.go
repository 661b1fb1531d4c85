package gate

import (
	"slices"
	"time"
)

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
