package fetch_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"dustbuster/stream/fetch"
)

// Patterns match like the patterns of robots.txt, however the path is encoded.
func TestNeverPatterns(t *testing.T) {
	f, err := fetch.New(fetch.Options{Scheme: "http", Actions: []string{}, Never: []string{"/admin/", "*.cgi$", "/shop/*/order", "/a%62c", "/über", "*?draft=", "/x%2Fy"}})
	must(t, err)
	for _, c := range []struct {
		name  string
		never bool
		paths []string
	}{
		{"a folder", true, []string{"/admin/", "/admin/x?y", "/%61dmin/", "/%2561dmin%2fx"}},
		{"not the folder", false, []string{"/admin", "/x/admin/", "/Admin/", "/administrator/"}},
		{"an end", true, []string{"/x.cgi", "/x%2Ecgi"}},
		{"not the end", false, []string{"/x.cgi?a", "/x.cgi/", "/x*.cgi$"}},
		{"a star", true, []string{"/shop/7/order/9", "/shop/7/8/orders"}},
		{"not the star", false, []string{"/shop/order"}},
		{"an encoded letter", true, []string{"/abc", "/a%62cd"}},
		{"a letter not in ASCII", true, []string{"/%C3%BCber/x", "/%c3%bcber"}},
		{"another letter", false, []string{"/uber", "/"}},
		{"a slash that stays encoded", true, []string{"/x%2Fy", "/x%2fy/z"}},
		{"a plain slash", false, []string{"/x/y"}},
		{"a parameter", true, []string{"/x?draft=1"}},
		{"another first parameter", false, []string{"/x?a=1&draft=1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, path := range c.paths {
				if _, err := f.Where(site, path); (reason(err) == fetch.Pattern) != c.never {
					t.Errorf("%s: %v", path, err)
				}
			}
		})
	}
	for _, c := range []struct{ name, pattern string }{
		{"empty", ""}, {"a word", "admin"}, {"a space first", " /admin"}, {"a star at the end only", "admin/*"}, {"an end only", "$"}, {"a URL", "http://x/"},
	} {
		t.Run("refused, "+c.name, func(t *testing.T) {
			if _, err := fetch.New(fetch.Options{Never: []string{"/", c.pattern}}); err == nil || !strings.Contains(err.Error(), "it must begin with / or *") {
				t.Errorf("%q: %v", c.pattern, err)
			}
		})
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
		f := w.fetcher(fetch.Options{Never: []string{"/admin/"}, Actions: []string{"standard", "-place"}})
		for _, c := range []struct {
			name, target string
			why          fetch.Reason
		}{
			{"a pattern", "/admin/9f3c2b7d81e04a6f", fetch.Pattern},
			{"a redirect to a pattern", "/there", fetch.Pattern},
			{"an action, encoded twice", "/users/9f3c2b7d81e04a6f/%2564elete", fetch.Action},
			{"letters not in ASCII", "/удалить", fetch.Target},
			{"an action not in English", "/%D1%83%D0%B4%D0%B0%D0%BB%D0%B8%D1%82%D1%8C", fetch.Action},
			{"a word that is taken out of the actions", "/place", ""},
		} {
			if err := f.Refusal(of(site, c.target)); reason(err) != c.why && c.target != "/there" {
				t.Errorf("%s: without a request %v, want %q", c.name, err, c.why)
			}
			if _, err := f.Get(t.Context(), of(site, c.target)); reason(err) != c.why {
				t.Errorf("%s: %v, want %q", c.name, err, c.why)
			}
		}
		if got, want := w.paths(0), []string{"/robots.txt", "/there", "/place"}; !slices.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
		s := f.Stats()
		for _, target := range []string{"/hidden/AKIAIOSFODNN7EXAMPLE", "/x?mail=me%40example.org", "/to-a-secret"} {
			if _, err := f.Get(t.Context(), of(site, target)); reason(err) != fetch.Secret {
				t.Errorf("%s: %v", target, err)
			}
		}
		if got := w.paths(0); len(got) != 4 || got[3] != "/to-a-secret" {
			t.Errorf("asked for %q", got)
		}
		s = f.Stats()
		if s.Refused[fetch.Secret] != 3 || s.First[fetch.Secret] != "/hidden/***" {
			t.Errorf("%v %v", s.Refused, s.First)
		}
		if _, err := f.Get(t.Context(), of(site, "/up/9f3c2b7d81e04a6f.jpg")); err != nil {
			t.Errorf("random text that the caller knows to be public: %v", err)
		}
		if s.Refused[fetch.Pattern] != 3 || s.Refused[fetch.Action] != 4 || s.First[fetch.Pattern] != "/admin/***" || s.First[fetch.Action] != "/users/***/%2564elete" {
			t.Errorf("%v %v", s.Refused, s.First)
		}
	})
}
