package prober

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"dustbuster/operators/rule/report"
	"dustbuster/stream/fetch"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// Reports counts the reports of one site since the start.
type Reports struct {
	Different int    `json:"different"`       // the crawler saw different pages
	Alike     int    `json:"alike"`           // the crawler saw equal pages: nothing is tried
	Refused   int    `json:"refused"`         // too many waited
	Lately    int    `json:"compared_lately"` // the pair was compared within the hour
	Apart     int    `json:"not_joined"`      // no rule joins the URLs
	Unasked   int    `json:"not_asked_for"`   // a URL is neither in the log nor public
	Rules     string `json:"rules,omitempty"` // version of the rules named by the last report
}

// reportWait is the longest wait of a report for the next window of an idle site.
const reportWait = 10 * time.Second

// ErrNoSite is the error of a site without rules.
var ErrNoSite = report.ErrNoSite

// Report takes in a report. The error is report.ErrNoSite, report.ErrFull, report.ErrBusy, or a
// *report.FieldError. A pair that is taken is tried with the next window, soon. Waiting reports are
// not saved.
func (w *Worker) Report(r *report.Report) (report.Answer, error) {
	s := w.known(r.Site)
	if s == nil {
		return report.NotTaken, report.ErrNoSite
	}
	found, canonical, err := r.Mined(w.severalHosts(r.Site))
	if err != nil {
		return report.NotTaken, err
	}
	answer, now := report.Alike, time.Now().Unix()
	busy := s.ask(context.Background(), func() {
		if !r.Alike() {
			changed := s.measured.differ(found, r.SHA256[0]) || s.measured.differ(canonical, r.SHA256[1])
			answer, err = s.machine.Reports.Propose(found, canonical, r.By(), changed, now)
		}
		s.now.heard.count(answer, err)
		s.now.heard.Rules = r.Rules
		s.now.named = s.now.named || answer == report.Taken
	})
	if busy != nil {
		return report.NotTaken, busy
	}
	return answer, err
}

// count counts a report by what becomes of it.
func (n *Reports) count(answer report.Answer, err error) {
	switch {
	case err != nil:
		n.Refused++
	case answer == report.Taken:
		n.Different++
	case answer == report.Alike:
		n.Alike++
	case answer == report.Lately:
		n.Lately++
	case answer == report.Apart:
		n.Apart++
	case answer == report.Unasked:
		n.Unasked++
	}
}

// measured holds the SHA-256 of the pages that were fetched for reports, by mined string.
type measured struct {
	sums *lru.LRU[string, [sha256.Size]byte] // nil: none
}

// mostMeasured is the number of pages: those of the pairs that are tried in an hour.
const mostMeasured = 256

// note notes the page at a URL.
func (m *measured) note(url string, d fetch.Document, err error) {
	if c, ok := d.Content.(content); ok && err == nil {
		if m.sums == nil {
			m.sums = newLRU[string, [sha256.Size]byte](mostMeasured, nil)
		}
		m.sums.Add(url, c.sum)
	}
}

// differ reports whether a page was measured and had another SHA-256, given in hexadecimal digits.
func (m *measured) differ(url, sum string) bool {
	if m.sums == nil {
		return false
	}
	was, known := m.sums.Get(url)
	return known && hex.EncodeToString(was[:]) != sum
}

// severalHosts reports whether the mined strings of a site begin with their host.
func (w *Worker) severalHosts(site string) bool {
	_, group := w.o.Lifecycle.Groups[site]
	return group || w.o.Lifecycle.ByDomain && site != ""
}
