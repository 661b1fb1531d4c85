package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A server that answers 429 or 503 to one request after another is left alone, whatever
// its Retry-After.
const (
	mostBusy = 5         // consecutive answers 429 and 503 after which a site rests
	longRest = time.Hour // shortest such rest
)

// busy reports whether a status means that the server is overloaded.
func busy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// answered counts the consecutive answers 429 and 503 of a site. From the fifth on,
// each such answer makes the site rest for an hour, or for the server's Retry-After if
// that is longer. Only another answer to a document ends the row. Another answer to
// robots.txt does not end the row, because an overloaded server often still serves the
// file. A request without an answer changes nothing.
func (f *Fetcher) answered(a *account, p place, e *Event) {
	if !busy(e.Status) && (e.Status == 0 || p.path == "/robots.txt") {
		return
	}
	f.mu.Lock()
	if a.busy++; !busy(e.Status) {
		a.busy = 0
	}
	row := a.busy
	rest := max(longRest, e.Held)
	if row >= mostBusy {
		a.rest = time.Now().Add(rest)
	}
	f.mu.Unlock()
	if row >= mostBusy {
		f.emit(Event{Kind: Rested, Site: p.site, URL: e.URL, Status: e.Status, Row: row, Held: rest})
	}
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
