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

// mostBodies is the number of posted pages that are read at once.
const mostBodies = 8

// pageUnit is the time after which an address that posts many pages may post one more.
const pageUnit = 100 * time.Millisecond

// post is a kind of things that crawlers post about a site.
type post[T any] struct {
	most  int // bytes
	parse func([]byte) (T, error)
	site  func(T) string
	take  func(s State, posted T, peer string) (report.Answer, error)
	words map[report.Answer]string // what becomes of it
}

func (p *post[T]) serve(w http.ResponseWriter, r *http.Request, s State) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(p.most)))
	if err != nil {
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			tooLarge(w, p.most)
			return
		}
		refuse(w, http.StatusBadRequest, "", "the body cannot be read: "+err.Error())
		return
	}
	posted, err := p.parse(text)
	if err == nil && !mine(w, r, s, p.site(posted)) {
		return
	}
	var taken report.Answer
	if err == nil {
		taken, err = p.take(s, posted, peerOf(r.RemoteAddr).String())
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
		writeText(w, http.StatusAccepted, string(taken)+": "+p.words[taken]+"\n")
	}
}

// limited passes a bounded number of requests of each address: many at once, and then one each
// unit. Others are refused for a reason.
func limited(unit time.Duration, reason string, next http.HandlerFunc) http.HandlerFunc {
	limits := newLimits(report.AtOnce, unit)
	return func(w http.ResponseWriter, r *http.Request) {
		if wait := limits.take(peerOf(r.RemoteAddr)); wait > 0 {
			retryAfter(w, wait)
			refuse(w, http.StatusTooManyRequests, "", reason)
			return
		}
		next(w, r)
	}
}

var reports = post[*report.Report]{
	most: maxBody, parse: report.Parse, site: func(r *report.Report) string { return r.Site },
	take: func(s State, r *report.Report, peer string) (report.Answer, error) {
		r.Sender = peer
		return s.Report(r)
	},
	words: map[report.Answer]string{
		report.Taken:   "the pages are fetched and compared soon",
		report.Alike:   "the pages were alike: nothing is fetched",
		report.Lately:  "the pair was compared within the hour: another reporter, or other pages, may have it compared again",
		report.Apart:   "no rule gives the two URLs one form: the list of rules has changed",
		report.Unasked: "a URL is neither in the log nor of a kind that the public asks for: it is not fetched",
	},
}

func takeReports(s State) http.HandlerFunc {
	reason := fmt.Sprintf("more than %d reports at once, or more than one a second after that, came from this address", report.AtOnce)
	return limited(time.Second, reason, func(w http.ResponseWriter, r *http.Request) { reports.serve(w, r, s) })
}

var pages = post[*report.Page]{
	most: report.MaxPageBytes, parse: report.ParsePage, site: func(p *report.Page) string { return p.Site },
	take: func(s State, p *report.Page, _ string) (report.Answer, error) { return s.Page(p) },
	words: map[report.Answer]string{
		report.Taken:   "the page is compared with other posted pages; it proposes pairs and decides nothing",
		report.Alike:   "the status tells nothing about the URL: the page is counted",
		report.Unasked: "the URL is neither in the log nor of a kind that the public asks for",
	},
}

// takePages takes in pages that crawlers fetched anyway, from addresses that may post pages. A
// compressed body is not read.
func takePages(s State, from []netip.Prefix) http.HandlerFunc {
	reading := make(chan struct{}, mostBodies)
	reason := fmt.Sprintf("more than %d pages at once, or more than one each %v after that, came from this address", report.AtOnce, pageUnit)
	take := limited(pageUnit, reason, func(w http.ResponseWriter, r *http.Request) {
		select {
		case reading <- struct{}{}:
			defer func() { <-reading }()
		default:
			retryAfter(w, time.Second)
			refuse(w, http.StatusTooManyRequests, "", fmt.Sprintf("%d pages are being read: more than that are refused", mostBodies))
			return
		}
		if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
			refuse(w, http.StatusBadRequest, "", "the body must not be compressed: leave Content-Encoding out")
			return
		}
		pages.serve(w, r, s)
	})
	return func(w http.ResponseWriter, r *http.Request) {
		if !within(from, r.RemoteAddr) {
			refuse(w, http.StatusForbidden, "", "the settings do not name this address as one that may post pages (pages_from below admin)")
			return
		}
		take(w, r)
	}
}

// within reports whether the address of a peer is in a network.
func within(networks []netip.Prefix, remote string) bool {
	at, _ := netip.ParseAddrPort(remote) // net/http gives addresses of no other kind
	peer := at.Addr().Unmap().WithZone("")
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(peer) })
}
