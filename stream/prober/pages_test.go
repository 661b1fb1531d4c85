package prober

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
)

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
		w := start(t, o)
		post := func(p *report.Page) {
			if _, err := w.Page(p); err != nil {
				t.Error(err)
			}
		}
		m := mined(40)
		if _, err := w.Page(storyPage("/story_1", 1, "")); !errors.Is(err, report.ErrNoSite) || len(w.all()) > 0 {
			t.Errorf("an unknown site: %v", err)
		}
		p := tried(w, m, 2*time.Hour).published["a.example"]
		if p == nil || len(p.Records) != 1 {
			t.Fatalf("published %+v", p)
		}
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
		for i := range 3 { // the first two pages become exceptions of the rule
			post(storyPage(fmt.Sprintf("/story?id=%d", i), 1000+i, ""))
		}
		other := storyPage("/story_1", 1, "")
		if other.Status = 503; pageError(w, other) != nil {
			t.Error("a failure of the server is an error")
		}
		if other.URL = "http://c.example/story_1"; pageError(w, other) == nil {
			t.Error("a URL of another site is no error")
		}
		taken := tried(w, m, time.Hour).published["a.example"]
		if taken == nil || len(taken.Retired) != 1 || taken.Retired[0] != p.Records[0].ID {
			t.Errorf("published %+v", taken)
		}
		if n := site.requests() - asked; n > 100 {
			t.Errorf("%d requests", n)
		}
		s := statusOf(w)
		if got := s.Pages["a.example"]; got != (Pages{Taken: 63, Ignored: 1}) {
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
		for i := range mostPosting + 1 {
			name := fmt.Sprintf("s%d.example", i)
			w.site(name)
			for range 2 {
				if _, err := w.Page(&report.Page{Site: name, URL: "http://" + name + "/", Status: 200, Body: []byte("x")}); err != nil {
					t.Error(err)
				}
			}
		}
		for i := range mostPosting + 1 {
			s := w.site(fmt.Sprintf("s%d.example", i))
			if forgets := s.forgets.Load(); forgets != (i == 0) {
				t.Errorf("site %d forgets its pages: %v", i, forgets)
			}
			s.next()
			if kept := s.machine.Status().Posted.Kept; (kept == 1) != (i > 0) {
				t.Errorf("site %d keeps %d pages", i, kept)
			}
		}
	})
}

// A page that is gone differs from a page. Pages of other types are alike if their bytes are equal.
func TestPostedPage(t *testing.T) {
	w := start(t, options(&world{}, nil))
	of := func(kind, body string) postedPage {
		return postedPage{w.sketchOf(&report.Page{Status: 200, ContentType: kind, Body: []byte(body)}), 0.85}
	}
	if a, b := of("text/plain", "one"), of("text/plain", "two"); a.Alike(b) || !a.Alike(a) || a.Gone() || !(postedPage{}).Gone() {
		t.Error("pages that are no HTML")
	}
	if a, b := of("text/html", "<p>one two three"), of("text/html", "<b>one two three</b>"); !a.Alike(b) {
		t.Error("one text in other markup")
	}
}

// pageError returns the error of a posted page.
func pageError(w *Worker, p *report.Page) error {
	_, err := w.Page(p)
	return err
}
