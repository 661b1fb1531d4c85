package report

import lru "github.com/hashicorp/golang-lru/v2/simplelru"

// AtOnce is the number of reports that one reporter may send at once. After that the reporter may
// send one report each second.
const AtOnce = 60

// mostReporters is the number of reporters remembered: those that reported last.
const mostReporters = 4096

// Limiter bounds the reports of each reporter. One goroutine may use a Limiter.
type Limiter struct {
	forgotten *lru.LRU[string, int64] // by reporter: the second at which all reports will be forgotten
}

// NewLimiter returns a Limiter that has seen no report.
func NewLimiter() *Limiter {
	reporters, err := lru.NewLRU[string, int64](mostReporters, nil)
	if err != nil {
		panic(err) // the size is positive
	}
	return &Limiter{reporters}
}

// Take counts a report at a time in Unix seconds. If wait is positive, the reporter has too
// many reports, the report is not counted, and wait is the number of seconds until the next
// report may come.
func (l *Limiter) Take(reporter string, now int64) (wait int64) {
	forgotten, _ := l.forgotten.Get(reporter)
	forgotten = max(forgotten, now)
	if wait = forgotten - now - (AtOnce - 1); wait > 0 {
		return wait
	}
	l.forgotten.Add(reporter, forgotten+1)
	return 0
}
