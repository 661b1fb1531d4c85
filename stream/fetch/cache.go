package fetch

import (
	"net/http"
	"time"
)

// cached returns the answer at a place if it is young enough to be used without a request.
func (f *Fetcher) cached(p place, again bool) *answer {
	if again {
		return nil
	}
	got, ok := f.answers.Get(p.url())
	if !ok || time.Since(got.At) >= f.o.CacheFor || got.failures == 1 {
		return nil
	}
	f.count(func(n *Stats) { n.Hits++ })
	return got
}

// remember keeps an answer. After a temporary failure the previous answer is dropped,
// because it may no longer be true. A URL that fails with 5xx is asked for once more, when
// it is next needed and the server has rested; the second failure is kept like any other
// answer. Answers 408 and 429 say nothing about the URL.
func (f *Fetcher) remember(p place, got *answer) {
	if got.Status >= 500 {
		got.failures = 1
		if old, ok := f.answers.Get(p.url()); ok {
			got.failures += old.failures
		}
	}
	if got.Status == http.StatusRequestTimeout || got.Status == http.StatusTooManyRequests {
		f.answers.Remove(p.url())
		return
	}
	f.answers.Add(p.url(), got)
}

// redirects reports whether an answer is a redirect.
func (a *answer) redirects() bool {
	switch a.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return a.location != ""
	}
	return false
}
