package fetch

import (
	"net/http"
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
