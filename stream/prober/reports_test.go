package prober_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/rule/report"
	"dustbuster/stream/prober"
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
		o.Lifecycle.Off.TwoSteps = true // the trial of the set has then tried all pairs, and finds none that moved
		w := start(t, o)
		m := mined(40)
		if _, err := w.Report(reportOf("a.example", 3, false)); !errors.Is(err, report.ErrNoSite) || len(statusOf(w).Whose) > 0 {
			t.Errorf("an unknown site: %v", err)
		}
		p := onePublished(t, w, m)
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
		retires(t, w, m, p.Records[0].ID)
		if n := site.requests() - asked; n > 100 {
			t.Errorf("%d requests", n)
		}
		s := statusOf(w)
		if heard := s.Reports["a.example"]; heard != (prober.Reports{Different: 3, Alike: 1, Rules: "v1"}) {
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
		w.Needs("a.example") // the site is known from now on
		const most = 32      // of two URLs each
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
