package admin

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"dustbuster/operators/rule/report"
)

// fullWait is the wait before a report of a site with too many waiting reports may be sent
// again.
const fullWait = time.Minute

// reports takes in the reports of crawlers, a bounded number from each address.
func reports(s State) http.HandlerFunc {
	var mu sync.Mutex
	limits := report.NewLimiter()
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		wait := limits.Take(peerOf(r.RemoteAddr).String(), time.Now().Unix())
		mu.Unlock()
		if wait > 0 {
			retryAfter(w, time.Duration(wait)*time.Second)
			refuse(w, http.StatusTooManyRequests, "", fmt.Sprintf("more than %d reports at once, or more than one a second after that, came from this address", report.AtOnce))
			return
		}
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			tooLarge(w, err, maxBody)
			return
		}
		given, err := report.Parse(text)
		if err == nil && !mine(w, r, s, given.Site) {
			return
		}
		var taken report.Answer
		if err == nil {
			given.Sender = peerOf(r.RemoteAddr).String()
			taken, err = s.Report(given)
		}
		answer(w, err, taken, reportWords)
	}
}

// tooLarge refuses a body that could not be read.
func tooLarge(w http.ResponseWriter, err error, most int) {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		refuse(w, http.StatusRequestEntityTooLarge, "", fmt.Sprintf("the body has more than %d bytes", most))
		return
	}
	refuse(w, http.StatusBadRequest, "", "the body cannot be read: "+err.Error())
}

// reportWords say what becomes of a report.
var reportWords = map[report.Answer]string{
	report.Taken:   "the pages are fetched and compared soon",
	report.Alike:   "the pages were alike: nothing is fetched",
	report.Lately:  "the pair was tried within the hour: another reporter, or other pages, may have it tried again",
	report.Apart:   "no rule gives the two URLs one form: the list of rules has changed",
	report.Unasked: "a URL is neither in the log nor of a kind that the public asks for: it is not fetched",
}

// answer answers a report or a page with its error, or with what becomes of it: the answer, a colon,
// and the answer in words.
func answer(w http.ResponseWriter, err error, taken report.Answer, words map[report.Answer]string) {
	bad, wrong := errors.AsType[*report.FieldError](err)
	switch {
	case wrong:
		refuse(w, http.StatusBadRequest, bad.Field, bad.Reason)
	case errors.Is(err, report.ErrNoSite):
		refuse(w, http.StatusNotFound, "site", "no rules of this site are tried here: see /api/v1/status")
	case errors.Is(err, report.ErrFull):
		retryAfter(w, fullWait)
		refuse(w, http.StatusTooManyRequests, "site", "too many reports of this site wait to be tried")
	default:
		writeText(w, http.StatusAccepted, string(taken)+": "+words[taken]+"\n")
	}
}
