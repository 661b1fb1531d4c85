package prober

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/read/weblog"
	"dustbuster/stream/fetch"
)

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
	for _, c := range []struct {
		name, u, v string // what /u and /v name
		want       int
	}{
		{"v", "/v", "v", 1}, {"u", "/u", "/u", -1}, {"neither", "", "", 0}, {"each itself", "/u", "/v", 0}, {"each the other", "/v", "/u", 0},
		{"a third", "/w", "/w", 0}, {"one only", "/v", "", 0}, {"another host", "http://other.example/v", "http://other.example/v", 0},
	} {
		for _, inHeader := range []bool{false, true} {
			u, v := documentsOf(t, map[string]string{"/u": c.u, "/v": c.v}, "", inHeader)
			if got, back := compare(u, v).Leads, compare(v, u).Leads; got != c.want || back != -c.want {
				t.Errorf("%s, in the header: %v: %d and %d, want %d", c.name, inHeader, got, back, c.want)
			}
		}
	}
}

// A URL that redirects is not the canonical page, even if the end of its redirect is. The
// measurement of a pair says which URL redirects.
func TestRedirectsOfPairs(t *testing.T) {
	for _, c := range []struct {
		name, redirects string // the URL that redirects to /w
		names           string // the canonical page of all pages
		leads           int
		moved           int
	}{
		{"u, names the end", "/u", "/w", 0, 1}, {"v, names the end", "/v", "/w", 0, -1}, {"u, names v", "/u", "/v", 1, 1},
		{"v, names u", "/v", "/u", -1, -1}, {"u", "/u", "", 0, 1}, {"none, names v", "", "/v", 1, 0},
	} {
		u, v := documentsOf(t, map[string]string{"/u": c.names, "/v": c.names, "/w": c.names}, c.redirects, false)
		look := func(a, b string, u, v fetch.Document) trial.Compared {
			seen := trial.Look(trial.Pair{U: a, V: b}, document(u, nil), document(v, nil), func() trial.Compared { return compare(u, v) })
			if seen.Compared == nil {
				t.Fatalf("%s: %v", c.name, seen.Judgement)
			}
			return *seen.Compared
		}
		if got, back := look("/u", "/v", u, v), look("/v", "/u", v, u); got.Leads != c.leads || got.Moved != c.moved || back.Leads != -c.leads || back.Moved != -c.moved {
			t.Errorf("%s: leads %d and %d, moved %d and %d", c.name, got.Leads, back.Leads, got.Moved, back.Moved)
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
	u, err = f.Get(t.Context(), fetch.Request{Target: "/u"})
	must(t, err)
	v, err = f.Get(t.Context(), fetch.Request{Target: "/v"})
	must(t, err)
	return u, v
}

func TestDocuments(t *testing.T) {
	for _, c := range []struct {
		reason fetch.Reason
		want   string
	}{
		{fetch.Robots, "1"}, {fetch.Closed, "1"}, {fetch.Action, "2"}, {fetch.Pattern, "2"}, {fetch.Secret, "2"}, {fetch.Unasked, "2"}, {fetch.Timeout, "3"}, {fetch.Network, "4"}, {fetch.Encoding, "4"}, {fetch.Address, "5"},
		{fetch.NoOrigin, "5"}, {fetch.OffSite, "5"}, {fetch.Target, "5"}, {fetch.Loop, "6"},
	} {
		if got := document(fetch.Document{}, &fetch.Error{Reason: c.reason}).Failure; fmt.Sprint(got) != c.want {
			t.Errorf("%s is %d, want %s", c.reason, got, c.want)
		}
	}
	if document(fetch.Document{Status: 200, Truncated: true}, nil).Failure == 0 {
		t.Error("a document that was cut passes for one")
	}
	if document(fetch.Document{}, errors.New("odd")).Failure == 0 {
		t.Error("an odd error passes for a document")
	}
	if len(waits) != 8 {
		t.Errorf("%d reasons to wait: each has a case here and in TestNowWhileWaiting", len(waits))
	}
	for _, reason := range []fetch.Reason{fetch.Budget, fetch.Spent, fetch.Held, fetch.Resting, fetch.Full, fetch.Barred, fetch.Cancelled} {
		if wait := postponed(nil, &fetch.Error{Reason: reason}); wait == nil || wait.Until.IsZero() {
			t.Errorf("%s counts as an outcome", reason)
		}
	}
	for _, c := range []struct {
		target string
		whole  bool
	}{{"/x", true}, {"www.a.example/x", false}} {
		if wait := postponed(&fetch.Error{Reason: fetch.Closed, Target: c.target}); (wait != nil) != c.whole {
			t.Errorf("the host of %s is closed, and the site waits: %v", c.target, wait)
		}
	}
}
