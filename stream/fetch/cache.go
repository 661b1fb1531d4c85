package fetch

import (
	"net/http"
	"time"
)

// cached is the answer at a place if it is young enough to count as it is.
func (f *Fetcher) cached(p place, again bool) *answer {
	if again {
		return nil
	}
	got, ok := f.answers.Get(p.url())
	if !ok || time.Since(got.at) >= f.o.CacheFor {
		return nil
	}
	f.tally.hit()
	return got
}

// remember keeps an answer, unless the server could not give one just then. Then
// what was known before goes as well, since it may no longer be so.
func (f *Fetcher) remember(p place, got *answer) {
	if got.status >= 500 || got.status == http.StatusRequestTimeout || got.status == http.StatusTooManyRequests {
		f.answers.Remove(p.url())
		return
	}
	f.answers.Add(p.url(), got)
}

// redirects tells whether an answer leads elsewhere.
func (a *answer) redirects() bool {
	switch a.status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return a.location != ""
	}
	return false
}
