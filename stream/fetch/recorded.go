package fetch

import (
	"net/http"
	"time"
)

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
