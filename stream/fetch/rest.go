package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// busy reports whether a status means that the server is overloaded.
func busy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// wish returns how long a server that answers 429 or 503 asks to be left alone: its
// Retry-After (RFC 9110, section 10.2.3), or a rest without one.
func (f *Fetcher) wish(resp *http.Response, now time.Time) time.Duration {
	if !busy(resp.StatusCode) {
		return 0
	}
	if d, ok := retryAfter(resp.Header.Get("Retry-After"), now); ok {
		return min(d, maxHold)
	}
	return f.rest()
}

// rest returns the pause for an overloaded server without a Retry-After.
func (f *Fetcher) rest() time.Duration { return min(10*f.o.Delay, maxHold) }

// forever is longer than any hold obeyed.
const forever = 100 * 365 * 24 * time.Hour

// retryAfter parses a number of seconds, or a date.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if value != "" && strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > int64(forever/time.Second) {
			return forever, true
		}
		return time.Duration(seconds) * time.Second, true
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(date.Sub(now), 0), true
}
