package fetch

import (
	"net/http"
	"time"
)

// A server that answers 429 or 503 to request after request asks to be left alone,
// whatever its Retry-After says.
const (
	mostBusy = 5         // answers 429 and 503 in a row, after which a site rests
	longRest = time.Hour // how long it rests at least
)

// busy reports whether an answer says that the server has too much to do.
func busy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// answered counts the answers 429 and 503 that a site gives in a row. From the fifth
// on each of them lets the site rest, for an hour or for what the server wished, if
// that is longer. Only another answer to a document ends the row: a robots.txt is
// mostly to be had, and no answer at all is none.
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
		f.tell(Event{Kind: Rested, Site: p.site, URL: e.URL, Status: e.Status, Row: row, Held: rest})
	}
}
