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
}

const (
	firstAnswers = 20
	lateAnswers  = 10

	// leastUsual is the least time that counts as usual: a server that takes 4 ms
	// instead of 1 ms is not overloaded.
	leastUsual = 10 * time.Millisecond

	// mostSlowed is the longest delay caused by slow answers.
	mostSlowed = time.Minute
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
func (t *tempo) slowed(delay time.Duration) time.Duration {
	most := max(delay, mostSlowed)
	for range t.doublings() {
		delay = min(2*delay, most)
	}
	return delay
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}
