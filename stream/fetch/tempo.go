package fetch

import (
	"slices"
	"time"
)

// tempo is how long a server takes to answer: at first, and of late.
type tempo struct {
	first []time.Duration // of the first answers
	late  []time.Duration // of the last answers after those
	usual time.Duration   // the median of first, once that is full
}

const (
	firstAnswers = 20
	lateAnswers  = 10

	// leastUsual is the least time that counts as usual: a server that takes 4 ms
	// instead of 1 ms is not in trouble.
	leastUsual = 10 * time.Millisecond

	// mostSlowed is the longest delay that slow answers lead to.
	mostSlowed = time.Minute
)

// took notes how long an answer took.
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

// doublings returns how many times over the answers take twice as long as at first:
// 1 from twice the time on, 2 from four times the time on. 0 while too few are known.
func (t *tempo) doublings() (n int) {
	if len(t.late) < lateAnswers {
		return 0
	}
	for now := median(t.late); now >= t.usual<<(n+1); {
		n++
	}
	return n
}

// slowed returns the delay between requests to a server whose answers have become
// slow: doubled as many times as they have, up to a minute.
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
