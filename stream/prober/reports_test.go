package prober

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/rule/report"
	"dustbuster/stream/fetch"
)

// reportOf returns a report about /story?id=N of a site.
func reportOf(site string, id int, alike bool) *report.Report {
	r := &report.Report{Site: site, Found: fmt.Sprintf("http://a.example/story?id=%d", id), Canonical: fmt.Sprintf("http://a.example/story_%d", id), Rules: "v1"}
	r.SHA256 = [2]string{strings.Repeat("0", 64), strings.Repeat("1", 64)}
	if alike {
		r.SHA256[1] = r.SHA256[0]
	}
	return r
}

// A crawler's report about a page that has moved retires the rule, with few requests. Reports
// about equal pages and about other sites have no effect.
func TestReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second}
		o := options(site, nil)
		o.Lifecycle.RecheckEvery = 0
		w := start(t, o)
		m := mined(40)
		if _, err := w.Report(reportOf("a.example", 3, false)); !errors.Is(err, report.ErrNoSite) || len(w.all()) > 0 {
			t.Errorf("an unknown site: %v", err)
		}
		p := tried(w, m, 2*time.Hour).published["a.example"]
		if p == nil || len(p.Records) != 1 {
			t.Fatalf("published %+v", p)
		}
		site.move()
		asked := site.requests()
		if _, err := w.Report(reportOf("a.example", 3, true)); err != nil {
			t.Error(err)
		}
		other := reportOf("a.example", 3, false)
		other.Found = "http://c.example/story?id=3"
		if _, err := w.Report(other); err == nil {
			t.Error("a URL of another site is no error")
		}
		run(w, m, time.Hour)
		if site.requests() != asked {
			t.Error("a report about equal pages is tried")
		}
		for i := range 3 { // the first two pages become exceptions of the rule
			if _, err := w.Report(reportOf("a.example", 3+i, false)); err != nil {
				t.Error(err)
			}
		}
		taken := tried(w, m, time.Hour).published["a.example"]
		if taken == nil || len(taken.Retired) != 1 || taken.Retired[0] != p.Records[0].ID {
			t.Errorf("published %+v", taken)
		}
		if n := site.requests() - asked; n > 100 {
			t.Errorf("%d requests", n)
		}
		s := statusOf(w)
		if heard := s.Reports["a.example"]; heard != (Reports{Different: 3, Alike: 1, Rules: "v1"}) {
			t.Errorf("%+v", heard)
		}
		if named := s.Sites["a.example"].Named; named.Wrong != 3 || named.Excepted != 2 || named.SentBack != 1 {
			t.Errorf("%+v", named)
		}
	})
}

// Reports of a site that wait are bounded.
func TestReportsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, options(&world{asked: map[string]int{}}, nil))
		w.site("a.example")
		const most = 32 // of two URLs each
		for i := range most + 1 {
			if _, err := w.Report(reportOf("a.example", i, false)); (err != nil) != (i == most) || err != nil && !errors.Is(err, report.ErrFull) {
				t.Errorf("report %d: %v", i, err)
			}
		}
		if heard := statusOf(w).Reports["a.example"]; heard.Different != most || heard.Refused != 1 {
			t.Errorf("%+v", heard)
		}
	})
}

// A page that was fetched for a report is compared with the pages that reporters saw.
func TestMeasured(t *testing.T) {
	m := newMeasured()
	body := []byte("a page")
	sum := sha256.Sum256(body)
	if m.differ("/a", hex.EncodeToString(sum[:])) || m.differ("/a", strings.Repeat("0", 64)) {
		t.Error("a page that was not measured differs")
	}
	m.note("/a", fetch.Document{Content: Digest("text/html", body)}, nil)
	m.note("/b", fetch.Document{}, errors.New("no answer"))
	if m.differ("/a", hex.EncodeToString(sum[:])) || !m.differ("/a", strings.Repeat("0", 64)) || m.differ("/b", strings.Repeat("0", 64)) {
		t.Error("pages differ by their sums")
	}
}
