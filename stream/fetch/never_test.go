package fetch

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// Patterns match like the patterns of robots.txt, however the path is encoded.
func TestNeverPatterns(t *testing.T) {
	n, err := newNever(nil, []string{"/admin/", "*.cgi$", "/shop/*/order", "/a%62c", "/über", "*?draft="})
	must(t, err)
	for path, never := range map[string]bool{
		"/admin/": true, "/admin/x?y": true, "/%61dmin/": true, "/%2561dmin%2fx": true, "/admin": false, "/x/admin/": false, "/Admin/": false, "/administrator/": false,
		"/x.cgi": true, "/x.cgi?a": false, "/x%2Ecgi": true, "/x.cgi/": false, "/shop/order": false, "/shop/7/order/9": true, "/shop/7/8/orders": true,
		"/abc": true, "/a%62cd": true, "/%C3%BCber/x": true, "/%c3%bcber": true, "/uber": false, "/x?draft=1": true, "/x?a=1&draft=1": false, "/x*.cgi$": false, "/": false,
	} {
		if got := n.why(path, true) == Pattern; got != never {
			t.Errorf("%s is matched: %v", path, got)
		}
	}
	for _, bad := range []string{"", "admin", " /admin", "admin/*", "$", "http://x/"} {
		if _, err := New(Options{Never: []string{"/", bad}}); err == nil || !strings.Contains(err.Error(), "it must begin with / or *") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// A URL that is never fetched is not requested, also as the target of a redirect. The
// refusal is counted with an example that contains no secret.
func TestNeverFetched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			if to := map[string]string{"/there": "/%61dmin/", "/to-a-secret": "/x?sid=9f3c2b7d81e04a6f"}[r.URL.Path]; to != "" {
				http.Redirect(w, r, to, http.StatusFound)
			}
		})
		f := w.fetcher(Options{Never: []string{"/admin/"}, Actions: []string{"standard", "-place"}})
		for _, c := range []struct {
			target string
			why    Reason
		}{
			{"/admin/9f3c2b7d81e04a6f", Pattern}, {"/there", Pattern}, {"/users/9f3c2b7d81e04a6f/%2564elete", Action}, {"/удалить", Target}, {"/%D1%83%D0%B4%D0%B0%D0%BB%D0%B8%D1%82%D1%8C", Action}, {"/place", ""},
		} {
			if _, err := f.Get(t.Context(), of(site, c.target)); reason(err) != c.why {
				t.Errorf("%s: %v, want %q", c.target, err, c.why)
			}
		}
		if got, want := w.paths(0), []string{"/robots.txt", "/there", "/place"}; !slices.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
		s := f.Stats()
		for _, target := range []string{"/hidden/AKIAIOSFODNN7EXAMPLE", "/x?mail=me%40example.org", "/to-a-secret"} {
			if _, err := f.Get(t.Context(), of(site, target)); reason(err) != Secret {
				t.Errorf("%s: %v", target, err)
			}
		}
		if got := w.paths(0); len(got) != 4 || got[3] != "/to-a-secret" {
			t.Errorf("asked for %q", got)
		}
		s = f.Stats()
		if s.Refused[Secret] != 3 || s.First[Secret] != "/hidden/***" {
			t.Errorf("%v %v", s.Refused, s.First)
		}
		if _, err := f.Get(t.Context(), of(site, "/up/9f3c2b7d81e04a6f.jpg")); err != nil {
			t.Errorf("random text that the caller knows to be public: %v", err)
		}
		if s.Refused[Pattern] != 2 || s.Refused[Action] != 2 || s.First[Pattern] != "/admin/***" || s.First[Action] != "/users/***/%2564elete" {
			t.Errorf("%v %v", s.Refused, s.First)
		}
	})
}
