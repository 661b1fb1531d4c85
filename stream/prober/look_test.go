package prober

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/rule"
	"dustbuster/stream/fetch"
)

// A server that shows the same page everywhere, although the log has pages of many sizes,
// proves no rule.
func TestOnePageEverywhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second, closed: true}
		var mu sync.Mutex
		said := map[string]int{}
		w := New(options(site, func(r Report) {
			mu.Lock()
			defer mu.Unlock()
			if r.Judged != nil && r.Judged.Pair.Purpose != lifecycle.Control {
				said[r.Judged.Outcome+" "+r.Judged.Reason]++
			}
		}))
		defer w.Close()
		run(w, mined(40), time.Hour)
		if w.Published()["a.example"] != nil || w.Status()["a.example"].States[rule.Valid] > 0 {
			t.Errorf("rules hold: %+v", w.Status()["a.example"])
		}
		if said["skip "+trial.OtherPage.String()] < 10 || site.requests() > 150 {
			t.Errorf("said %v with %d requests", said, site.requests())
		}
		w.Close()
		for _, a := range w.sites["a.example"].machine.Acts() {
			if a.Rule != nil && a.Rule.State == rule.Valid {
				t.Errorf("valid: %+v", a.Rule)
			}
		}
	})
}

// A page is fetched for a second look once in an hour: the later document is in the cache.
func TestTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second, tokens: true}
		w := start(t, options(site, nil))
		s := w.site("a.example")
		first, self, err := s.twice(t.Context(), "/story_1", 0)
		if err != nil || site.asked["/story_1"] != 2 || self == 1 {
			t.Fatalf("%d requests, self %v: %v", site.asked["/story_1"], self, err)
		}
		again, other, err := s.twice(t.Context(), "/story_1", 0)
		if err != nil || site.asked["/story_1"] != 2 || other != self || compare(first, again).Alike != 1 {
			t.Errorf("%d requests, self %v, then %v: %v", site.asked["/story_1"], self, other, err)
		}
		if _, _, err := s.twice(t.Context(), "/story_1", time.Now().Unix()+1); err != nil || site.asked["/story_1"] != 3 {
			t.Errorf("%d requests for a page that changed since: %v", site.asked["/story_1"], err)
		}
		time.Sleep(visitTerm)
		if _, _, err := s.twice(t.Context(), "/story_1", 0); err != nil || site.asked["/story_1"] != 5 {
			t.Errorf("an hour later %d requests: %v", site.asked["/story_1"], err)
		}
		site.failing = &fetch.Error{Reason: fetch.Timeout}
		if _, self, err := s.twice(t.Context(), "/story_2", 0); err == nil || self != 1 {
			t.Errorf("self %v: %v", self, err)
		}
	})
}

// Comparisons of two documents.
func TestCompare(t *testing.T) {
	doc := func(kind, body string, sent int64) fetch.Document {
		return fetch.Document{Status: 200, Content: Digest(kind, []byte(body)), Sent: sent, Header: 200}
	}
	html := func(body string) fetch.Document { return doc("text/html", body, 50) }
	same := compare(html("<p>one two three"), html("<b>one two three<img src=a>"))
	if !same.SameText || same.SameBytes || same.Alike != 1 || same.OtherMedia || same.U.Sent != 50 || same.U.Header != 200 ||
		same.U.Length != int64(len("<p>one two three")) || same.U.Words != 3 || same.U.Text != same.V.Text || !same.U.HTML {
		t.Errorf("%+v", same)
	}
	if c := compare(html("<p>one<meta name=robots content=noindex>"), html("<p>two")); c.SameText || !c.U.NoIndex || c.V.NoIndex {
		t.Errorf("%+v", c)
	}
	if c := compare(doc("text/plain", "x", 1), doc("text/plain", "x", 1)); !c.SameBytes || c.U.HTML || c.U.Digest == 0 || c.U.Digest != c.V.Digest {
		t.Errorf("%+v", c)
	}
	if c := compare(fetch.Document{Content: "odd"}, html("")); c != (trial.Compared{}) {
		t.Errorf("%+v", c)
	}
}

// The digest of a body is that in the indexes of archives.
func TestDigestIsThatOfArchives(t *testing.T) {
	p, err := weblog.New("cdx")
	must(t, err)
	var h weblog.Hit
	line := "org,example)/a 20060102150405 http://example.org/a text/plain 200 6VZNHFX25EQGMKDRJ6ZM4AHXF2KPEJMP - - 9 8 f.warc.gz"
	must(t, p.Parse(&h, []byte(line)))
	if c := Digest("text/plain", []byte("hello\n")).(content); c.digest != h.Digest || h.Digest == 0 {
		t.Errorf("digest %d, want %d", c.digest, h.Digest)
	}
}

// Pages with a token of each request resemble themselves about as much as two pages must
// resemble each other. In some looks such pages seem quiet. No rule may fail for that
// reason.
func TestTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second, tokens: true}
		w := start(t, options(site, nil))
		taken := tried(w, mined(40), time.Hour)
		if s := w.Status()["a.example"]; s.States[rule.Valid] != 1 || taken.published["a.example"] == nil {
			t.Errorf("status %+v", s)
		}
	})
}

// A page that is missing twice says nothing of the noise of a page.
func TestMissingTwice(t *testing.T) {
	none, page := fetch.Document{Status: 404}, Digest("text/html", []byte("<p>one two three"))
	for _, d := range []fetch.Document{none, {Status: 404, Content: page}} {
		if got := alike(none, d); got != 1 {
			t.Errorf("%+v: %v", d, got)
		}
	}
}
