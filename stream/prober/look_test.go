package prober

import (
	"fmt"
	"net/http"
	"net/http/httptest"
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
		one := s.visitBytes
		if _, _, err := s.twice(t.Context(), "/story_3", 0); err != nil || s.visitBytes < one+visitBytes || one < visitBytes {
			t.Errorf("%d bytes for a visit, %d for two: %v", one, s.visitBytes, err)
		}
		three := s.visitBytes
		if _, _, err := s.twice(t.Context(), "/story_3", time.Now().Unix()+1); err != nil || s.visitBytes != three {
			t.Errorf("%d bytes for two visits, and %d after another: %v", three, s.visitBytes, err)
		}
		if s.unload(); s.visits != nil || s.visitBytes != 0 {
			t.Errorf("%d bytes for visits without a view", s.visitBytes)
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
		return fetch.Document{Status: 200, Content: Digest("/", kind, []byte(body)), Sent: sent, Header: 200}
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
	if c := compare(doc("image/gif", "x", 1), doc("Image/PNG; q=1", "x", 1)); !c.U.Image || !c.V.Image || compare(doc("text/plain", "x", 1), doc("", "x", 1)).U.Image {
		t.Errorf("images: %+v", c)
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
	if c := Digest("/", "text/plain", []byte("hello\n")).(content); c.digest != h.Digest || h.Digest == 0 {
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
	none, page := fetch.Document{Status: 404}, Digest("/", "text/html", []byte("<p>one two three"))
	for _, d := range []fetch.Document{none, {Status: 404, Content: page}} {
		if got := alike(none, d); got != 1 {
			t.Errorf("%+v: %v", d, got)
		}
	}
}

// Two pages that both name one of them as canonical, in the header or the text, lead to it.
func TestLeads(t *testing.T) {
	for name, c := range map[string]struct {
		u, v string // what /u and /v name
		want int
	}{
		"v": {"/v", "v", 1}, "u": {"/u", "/u", -1}, "neither": {"", "", 0}, "each itself": {"/u", "/v", 0}, "each the other": {"/v", "/u", 0},
		"a third": {"/w", "/w", 0}, "one only": {"/v", "", 0}, "another host": {"http://other.example/v", "http://other.example/v", 0},
	} {
		for _, inHeader := range []bool{false, true} {
			u, v := documentsOf(t, map[string]string{"/u": c.u, "/v": c.v}, "", inHeader)
			if got, back := compare(u, v).Leads, compare(v, u).Leads; got != c.want || back != -c.want {
				t.Errorf("%s, in the header: %v: %d and %d, want %d", name, inHeader, got, back, c.want)
			}
		}
	}
}

// A URL that redirects is not the canonical page, even if the end of its redirect is. The
// measurement of a pair says which URL redirects.
func TestRedirectsOfPairs(t *testing.T) {
	for name, c := range map[string]struct {
		redirects string // the URL that redirects to /w
		names     string // the canonical page of all pages
		leads     int
		moved     int
	}{
		"u, names the end": {"/u", "/w", 0, 1}, "v, names the end": {"/v", "/w", 0, -1}, "u, names v": {"/u", "/v", 1, 1},
		"v, names u": {"/v", "/u", -1, -1}, "u": {"/u", "", 0, 1}, "none, names v": {"", "/v", 1, 0},
	} {
		u, v := documentsOf(t, map[string]string{"/u": c.names, "/v": c.names, "/w": c.names}, c.redirects, false)
		look := func(a, b string, u, v fetch.Document) trial.Compared {
			seen := trial.Look(trial.Pair{U: a, V: b}, document(u, nil), document(v, nil), func() trial.Compared { return compare(u, v) })
			if seen.Compared == nil {
				t.Fatalf("%s: %v", name, seen.Judgement)
			}
			return *seen.Compared
		}
		if got, back := look("/u", "/v", u, v), look("/v", "/u", v, u); got.Leads != c.leads || got.Moved != c.moved || back.Leads != -c.leads || back.Moved != -c.moved {
			t.Errorf("%s: leads %d and %d, moved %d and %d", name, got.Leads, back.Leads, got.Moved, back.Moved)
		}
	}
}

// documentsOf returns the documents /u and /v of a server whose pages name canonical ones, in
// their header or text. One URL redirects to /w.
func documentsOf(t *testing.T, named map[string]string, redirects string, inHeader bool) (u, v fetch.Document) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == redirects {
			http.Redirect(w, r, "/w", http.StatusMovedPermanently)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		if to := named[r.URL.Path]; inHeader && to != "" {
			w.Header().Set("Link", fmt.Sprintf("<%s>; rel=canonical", to))
		} else if to != "" {
			fmt.Fprintf(w, "<link rel=canonical href=%q>", to)
		}
		fmt.Fprint(w, "<p>a page")
	}))
	defer server.Close()
	f, err := fetch.New(fetch.Options{Version: "test", Origin: server.URL, Delay: 1, Digest: Digest})
	must(t, err)
	u, err = f.Get(t.Context(), "", "/u")
	must(t, err)
	v, err = f.Get(t.Context(), "", "/v")
	must(t, err)
	return u, v
}
