package prober_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
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

// storyPage returns a page as a crawler posts it: a long text of a story, with some words of its own.
func storyPage(path string, story int, own string) *report.Page {
	random := rand.New(rand.NewPCG(uint64(story), 1))
	var b strings.Builder
	for range 300 {
		fmt.Fprintf(&b, "<p>w%d ", random.IntN(1_000_000))
	}
	return &report.Page{Site: "a.example", URL: "http://a.example" + path, Status: 200, ContentType: "text/html", Body: []byte(b.String() + own)}
}

// Posted pages that differ have a wrong rule retired with few requests. Pages that differ in a few
// words cost no request.
func TestPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second}
		o := options(site, nil)
		o.Lifecycle.RecheckEvery = 0
		o.Lifecycle.Off.TwoSteps = true // as in TestReport
		w := start(t, o)
		post := func(p *report.Page) {
			if _, err := w.Page(p); err != nil {
				t.Error(err)
			}
		}
		m := mined(40)
		if _, err := w.Page(storyPage("/story_1", 1, "")); !errors.Is(err, report.ErrNoSite) || len(statusOf(w).Whose) > 0 {
			t.Errorf("an unknown site: %v", err)
		}
		p := onePublished(t, w, m)
		for i := range 30 {
			post(storyPage(fmt.Sprintf("/story_%d", i), i, "at noon"))
			post(storyPage(fmt.Sprintf("/story?id=%d", i), i, "in the evening"))
		}
		asked := site.requests()
		run(w, m, time.Hour)
		if site.requests() != asked {
			t.Error("pages that are alike are tried")
		}
		site.move()
		run(w, m, 10*time.Second)
		if w.Needs("a.example") {
			t.Error("a window is wanted although nothing waits for it")
		}
		for i := range 3 { // the first two pages become exceptions of the rule
			post(storyPage(fmt.Sprintf("/story?id=%d", i), 1000+i, ""))
		}
		if !w.Needs("a.example") {
			t.Error("pairs of posted pages wait longer than reported pairs")
		}
		other := storyPage("/story_1", 1, "")
		if other.Status = 503; pageError(w, other) != nil {
			t.Error("a failure of the server is an error")
		}
		if other.URL = "http://c.example/story_1"; pageError(w, other) == nil {
			t.Error("a URL of another site is no error")
		}
		retires(t, w, m, p.Records[0].ID)
		if n := site.requests() - asked; n > 100 {
			t.Errorf("%d requests", n)
		}
		s := statusOf(w)
		if got := s.Pages["a.example"]; got != (prober.Pages{Taken: 63, Ignored: 1}) {
			t.Errorf("%+v", got)
		}
		if got := s.Sites["a.example"]; got.Posted != (lifecycle.Posted{Kept: 60, Proposed: 3}) || got.Named.Wrong != 3 {
			t.Errorf("%+v", got)
		}
	})
}

// Of more sites than fit, those posted to last keep their pages.
func TestPagesOfManySites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, options(&world{asked: map[string]int{}, took: time.Second}, nil))
		const most = 16
		name := func(i int) string { return fmt.Sprintf("s%d.example", i) }
		for i := range most + 1 {
			w.Needs(name(i)) // the site is known from now on
			for range 2 {
				if _, err := w.Page(&report.Page{Site: name(i), URL: "http://" + name(i) + "/", Status: 200, Body: []byte("x")}); err != nil {
					t.Error(err)
				}
			}
		}
		for i := range most + 1 {
			run(w, siteOf(name(i), 1), time.Second)
			if kept := w.Status()[name(i)].Posted.Kept; (kept == 1) != (i > 0) {
				t.Errorf("site %d keeps %d pages", i, kept)
			}
		}
	})
}

// pageError returns the error of a posted page.
func pageError(w *worker, p *report.Page) error {
	_, err := w.Page(p)
	return err
}
