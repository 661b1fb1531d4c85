package admin

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"dustbuster/operators/rule/report"
)

// fullWait is the wait before a report of a site with too many waiting reports may be sent
// again.
const fullWait = time.Minute

// answers says what becomes of a report.
var answers = map[report.Answer]string{
	report.Taken:   "the pages are fetched and compared soon",
	report.Alike:   "the pages were alike: nothing is fetched",
	report.Lately:  "the pair was compared in the last hour: a report by another crawler, or of other pages, has it compared again",
	report.Apart:   "no rule joins the two URLs: the list of rules has changed",
	report.Unasked: "a URL is not in the log and not of a kind that the public asks for, so it is not fetched",
}

// takeReports takes in reports: many at once from each address, and then one each second.
func takeReports(s State) http.HandlerFunc {
	limits := newLimits(report.AtOnce, time.Second)
	return func(w http.ResponseWriter, r *http.Request) {
		if wait := limits.take(peerOf(r.RemoteAddr)); wait > 0 {
			retryAfter(w, wait)
			refuse(w, http.StatusTooManyRequests, "", fmt.Sprintf("more than %d reports at once, or more than one a second after that, came from this address", report.AtOnce))
			return
		}
		takeReport(w, r, s)
	}
}

func takeReport(w http.ResponseWriter, r *http.Request, s State) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			tooLarge(w)
			return
		}
		refuse(w, http.StatusBadRequest, "", "the body cannot be read: "+err.Error())
		return
	}
	about, err := report.Parse(text)
	if err == nil && !mine(w, r, s, about.Site) {
		return
	}
	var taken report.Answer
	if err == nil {
		about.Sender = peerOf(r.RemoteAddr).String()
		taken, err = s.Report(about)
	}
	bad, wrong := errors.AsType[*report.FieldError](err)
	switch {
	case wrong:
		refuse(w, http.StatusBadRequest, bad.Field, bad.Reason)
	case errors.Is(err, report.ErrNoSite):
		refuse(w, http.StatusNotFound, "site", noSite)
	case errors.Is(err, report.ErrBusy):
		busy(w)
	case errors.Is(err, report.ErrFull):
		retryAfter(w, fullWait)
		refuse(w, http.StatusTooManyRequests, "site", "too many reports of this site wait")
	default:
		writeText(w, http.StatusAccepted, string(taken)+": "+answers[taken]+"\n")
	}
}

// within reports whether the address of a peer is in a network.
func within(networks []netip.Prefix, remote string) bool {
	at, _ := netip.ParseAddrPort(remote) // net/http gives addresses of no other kind
	peer := at.Addr().Unmap().WithZone("")
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(peer) })
}
