package admin

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"dustbuster/operators/rule/report"
)

// reportOf returns the body of a report about a site.
func reportOf(site, more string) string {
	hash := strings.Repeat("0f", 32)
	return fmt.Sprintf(`{"site": %q, "found": "http://a.example/x?sid=1", "canonical": "http://a.example/x", "sha256": [%q, %q]%s}`, site, hash, hash, more)
}

// Crawlers may report pairs. A wrong report is refused with the reason.
func TestReport(t *testing.T) {
	tryActs(t, local(t, show(fixed{})), http.MethodPost, "/api/v1/report", map[string]actCase{
		"right":        {reportOf("a.example", ""), "", http.StatusAccepted, ""},
		"a page":       {reportOf("a.example", ""), "https://www.example.org", http.StatusForbidden, ""},
		"other site":   {reportOf("b.example", ""), "", http.StatusNotFound, "site"},
		"elsewhere":    {reportOf("elsewhere.example", ""), "", http.StatusMisdirectedRequest, "site"},
		"full":         {reportOf("full.example", ""), "", http.StatusTooManyRequests, "site"},
		"not its site": {strings.Replace(reportOf("a.example", ""), "http://a.example/x?", "http://b.example/x?", 1), "", http.StatusBadRequest, "found"},
		"no site":      {`{"found": "http://a.example/"}`, "", http.StatusBadRequest, "site"},
		"unknown":      {reportOf("a.example", `, "page": 1`), "", http.StatusBadRequest, ""},
		"a form":       {"site=a.example", "", http.StatusBadRequest, ""},
		"large":        {reportOf("a.example", strings.Repeat(" ", maxBody)), "", http.StatusRequestEntityTooLarge, ""},
	})
}

// The reports of one address are bounded, whatever they hold. Another address is not affected.
func TestReportsOfAddress(t *testing.T) {
	h := local(t, show(fixed{}))
	post := func(peer string) *httptest.ResponseRecorder {
		return send(t, h, http.MethodPost, "/api/v1/report", "{}", "From", peer)
	}
	for i := range report.AtOnce {
		if w := post("192.0.2.1:4000"); w.Code != http.StatusBadRequest {
			t.Fatalf("report %d: %d", i, w.Code)
		}
	}
	refused := 0
	for range 10 { // a second may pass meanwhile
		if w := post("192.0.2.1:4001"); w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") != "" && w.Header().Get("Retry-After") != "0" {
			refused++
		}
	}
	if w := post("192.0.2.2:4000"); refused < 5 || w.Code != http.StatusBadRequest {
		t.Errorf("%d of 10 are refused, and another address gets %d", refused, w.Code)
	}
}

// The answer says what becomes of a report.
func TestAnswers(t *testing.T) {
	h := local(t, show(fixed{}))
	for _, want := range []report.Answer{report.Taken, report.Alike, report.Lately, report.Apart, report.Unasked} {
		body := reportOf("a.example", fmt.Sprintf(`, "reporter": %q`, want)) // the state of the test answers with the reporter
		w := send(t, h, http.MethodPost, "/api/v1/report", body)
		if text := w.Body.String(); w.Code != http.StatusAccepted || text != string(want)+": "+answers[want]+"\n" || answers[want] == "" {
			t.Errorf("%s: %d, %q", want, w.Code, text)
		}
	}
}
