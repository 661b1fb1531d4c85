package report

import "maps"

// AtOnce is the number of reports that one reporter may send at once. After that it may send one a second.
const AtOnce = 60

// mostReporters is the number of reporters whose reports are counted at once.
const mostReporters = 4096

// Limiter bounds the reports of each reporter: some at once, and after that one in each unit of time. The
// caller of Take chooses the unit. One goroutine may use a Limiter.
type Limiter struct {
	atOnce    int64
	forgotten map[string]int64 // by reporter: the time at which all reports will be forgotten
}

// NewLimiter returns a Limiter that has seen no report.
func NewLimiter(atOnce int64) *Limiter { return &Limiter{atOnce, map[string]int64{}} }

// Take counts a report at a time in units since any moment, such as Unix seconds. If wait is
// positive, the reporter has too many reports, the report is not counted, and wait is the number
// of units until the next report may come. While there are too many reporters, new reporters must
// wait as well.
func (l *Limiter) Take(reporter string, now int64) (wait int64) {
	forgotten, known := l.forgotten[reporter]
	if !known && len(l.forgotten) >= mostReporters {
		maps.DeleteFunc(l.forgotten, func(_ string, at int64) bool { return at <= now })
		if len(l.forgotten) >= mostReporters {
			return 1
		}
	}
	forgotten = max(forgotten, now)
	if wait = forgotten - now - (l.atOnce - 1); wait > 0 {
		return wait
	}
	l.forgotten[reporter] = forgotten + 1
	return 0
}
