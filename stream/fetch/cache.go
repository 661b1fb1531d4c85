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

// Archive holds recorded responses. Any goroutine may call its methods.
type Archive interface {
	Has(url string) bool
	Answer(url string) (*http.Response, error) // nil: none is recorded; the caller closes the body
}

// Has reports whether the document at a mined string can be had at all: always, unless
// documents come from an archive that has no response there.
func (f *Fetcher) Has(site, target string) bool {
	if f.o.Archive == nil {
		return true
	}
	p, err := f.place(&Request{Site: site, Target: target})
	return err == nil && f.o.Archive.Has(p.url())
}

// recorded returns the answer that the archive holds for a place. No request is made, so
// no politeness is due.
func (f *Fetcher) recorded(p place) (got *answer, hit bool, err error) {
	if got := f.cached(p, false); got != nil {
		return got, true, nil
	}
	resp, err := f.o.Archive.Answer(p.url())
	if err != nil {
		return nil, false, p.refuse(Network, err)
	}
	if resp == nil {
		return nil, false, p.refuse(Missing, nil)
	}
	defer resp.Body.Close()
	got = answerOf(resp, time.Now())
	if got.Status/100 == 2 {
		if _, err := f.digested(p, asSent)(resp, got); err != nil {
			return nil, false, p.refuse(Encoding, err)
		}
	}
	f.remember(p, got)
	return got, false, nil
}
