package fetch

import (
	"net/http"
	"time"
)

// Sized is a digest that knows how much memory it takes.
type Sized interface {
	Bytes() int64
}

// answerBytes is the memory of an answer, beside its texts and its digest.
const answerBytes = 600

// bytesOf returns the memory of an answer at a URL, about.
func bytesOf(url string, a *answer) int64 {
	n := answerBytes + int64(2*len(url)+len(a.location)+len(a.etag)+len(a.modified)+len(a.ContentType)+len(a.Canonical))
	switch c := a.Content.(type) {
	case Sized:
		n += c.Bytes()
	case []byte:
		n += int64(len(c))
	}
	return n
}

// old returns the last answer at a place, whatever its age; nil: none is known.
func (f *Fetcher) old(p place) *answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	got, _ := f.answers.Get(p.url())
	return got
}

// cached returns the answer at a place if it is young enough to be used without a request.
func (f *Fetcher) cached(p place, fresh bool) *answer {
	if fresh {
		return nil
	}
	got := f.old(p)
	if got == nil || time.Since(got.At) >= cacheFor || got.failures == 1 {
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
	f.mu.Lock()
	defer f.mu.Unlock()
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
