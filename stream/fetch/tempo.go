package fetch

import (
	"slices"
	"time"
)

// tempo measures how long a server takes to answer, at first and recently.
type tempo struct {
	first []time.Duration // of the first answers
	late  []time.Duration // of the latest answers after those
	usual time.Duration   // the median of first, once first is full
	told  int             // doublings reported last; see news
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

// took records the duration of an answer.
func (t *tempo) took(d time.Duration) {
	if len(t.first) < firstAnswers {
		if t.first = append(t.first, d); len(t.first) == firstAnswers {
			t.usual = max(median(t.first), leastUsual)
		}
		return
	}
	if len(t.late) == lateAnswers {
		t.late = slices.Delete(t.late, 0, 1)
	}
	t.late = append(t.late, d)
}

// doublings returns how often the delay is doubled: 1 if the answers take at least
// twice as long as at first, 2 if they take at least four times as long. The result is
// 0 while too few answers are known.
func (t *tempo) doublings() (n int) {
	if len(t.late) < lateAnswers {
		return 0
	}
	for now := median(t.late); now >= t.usual<<(n+1); {
		n++
	}
	return n
}

// slowed returns the delay between requests to a server with slow answers: the doubled
// delay, up to a minute.
func (t *tempo) slowed(delay time.Duration) time.Duration { return doubled(delay, t.doublings()) }

func doubled(delay time.Duration, times int) time.Duration {
	most := max(delay, mostSlowed)
	for range times {
		delay = min(2*delay, most)
	}
	return delay
}

// news returns the kind of event to report: Slowed if the delay is longer than reported last,
// Recovered if answers after a Slowed take about as long as at first, or "" if there is no
// news. Between the two limits nothing is reported, so a server at a limit causes no row of
// events.
func (t *tempo) news(delay time.Duration) Kind {
	n := t.doublings()
	switch now := doubled(delay, n); {
	case now > doubled(delay, t.told) && now >= leastDelay && median(t.late) >= leastTold:
		t.told = n
		return Slowed
	case t.told > 0 && median(t.late) < t.usual*3/2:
		t.told = 0
		return Recovered
	}
	return ""
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}
