package prober

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"dustbuster/operators/judge/trial"
	"dustbuster/stream/fetch"
)

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
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				named := map[string]string{"/u": c.u, "/v": c.v}[r.URL.Path]
				w.Header().Set("Content-Type", "text/html")
				if inHeader && named != "" {
					w.Header().Set("Link", fmt.Sprintf("<%s>; rel=canonical", named))
				} else if named != "" {
					fmt.Fprintf(w, "<link rel=canonical href=%q>", named)
				}
				fmt.Fprint(w, "<p>a page")
			}))
			u, v := documentsOf(t, server.URL)
			if got, back := compare(u, v).Leads, compare(v, u).Leads; got != c.want || back != -c.want {
				t.Errorf("%s, in the header: %v: %d and %d, want %d", name, inHeader, got, back, c.want)
			}
			server.Close()
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
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == c.redirects {
				http.Redirect(w, r, "/w", http.StatusMovedPermanently)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			if c.names != "" {
				fmt.Fprintf(w, "<link rel=canonical href=%q>", c.names)
			}
			fmt.Fprint(w, "<p>a page")
		}))
		u, v := documentsOf(t, server.URL)
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
		server.Close()
	}
}

// documentsOf returns the documents /u and /v of a server.
func documentsOf(t *testing.T, origin string) (u, v fetch.Document) {
	t.Helper()
	f, err := fetch.New(fetch.Options{Version: "test", Origin: origin, Delay: 1, Digest: Digest})
	must(t, err)
	u, err = f.Get(t.Context(), "", "/u")
	must(t, err)
	v, err = f.Get(t.Context(), "", "/v")
	must(t, err)
	return u, v
}
