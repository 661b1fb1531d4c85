package admin

import (
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"dustbuster/operators/rule/report"
)

// mostBodies is the number of posted pages that are read at once.
const mostBodies = 8

// pageUnit is the time after which an address that posts many pages may post one more.
const pageUnit = 100 * time.Millisecond

// postedPages takes in pages that crawlers fetched anyway, a bounded number from each address that
// may post pages.
func postedPages(s State, from []netip.Prefix) http.HandlerFunc {
	var mu sync.Mutex
	limits := report.NewLimiter()
	reading := make(chan struct{}, mostBodies)
	return func(w http.ResponseWriter, r *http.Request) {
		peer := peerOf(r.RemoteAddr)
		if !slices.ContainsFunc(from, func(n netip.Prefix) bool { return n.Contains(addressOf(r.RemoteAddr)) }) {
			refuse(w, http.StatusForbidden, "", "the settings do not name this address as one that may post pages (pages_from below admin)")
			return
		}
		mu.Lock()
		wait := limits.Take(peer.String(), time.Now().UnixNano()/int64(pageUnit))
		mu.Unlock()
		if wait > 0 {
			retryAfter(w, time.Duration(wait)*pageUnit)
			refuse(w, http.StatusTooManyRequests, "", fmt.Sprintf("more than %d pages at once, or more than one each %v after that, came from this address", report.AtOnce, pageUnit))
			return
		}
		select {
		case reading <- struct{}{}:
			defer func() { <-reading }()
		default:
			retryAfter(w, time.Second)
			refuse(w, http.StatusTooManyRequests, "", fmt.Sprintf("%d pages are being read: more than that are refused", mostBodies))
			return
		}
		takePage(w, r, s)
	}
}

// takePage reads one page. A compressed body is not read.
func takePage(w http.ResponseWriter, r *http.Request, s State) {
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		refuse(w, http.StatusBadRequest, "", "the body must not be compressed: leave Content-Encoding out")
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, report.MaxPageBytes))
	if err != nil {
		tooLarge(w, err, report.MaxPageBytes)
		return
	}
	page, err := report.ParsePage(text)
	if err == nil && !mine(w, r, s, page.Site) {
		return
	}
	var taken report.Answer
	if err == nil {
		taken, err = s.Page(page)
	}
	answer(w, err, taken, pageWords)
}

// pageWords say what becomes of a posted page.
var pageWords = map[report.Answer]string{
	report.Taken:   "the page is compared with other posted pages; it proposes pairs and decides nothing",
	report.Alike:   "the status tells nothing about the URL: the page is counted",
	report.Unasked: "the URL is neither in the log nor of a kind that the public asks for",
}

// addressOf returns the address of a peer; invalid if there is none.
func addressOf(remote string) netip.Addr {
	at, _ := netip.ParseAddrPort(remote) // net/http gives addresses of no other kind
	return at.Addr().Unmap().WithZone("")
}
