package prober

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

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
			f, err := fetch.New(fetch.Options{Version: "test", Origin: server.URL, Delay: 1, Digest: Digest})
			if err != nil {
				t.Fatal(err)
			}
			u, err := f.Get(t.Context(), "", "/u")
			if err != nil {
				t.Fatal(err)
			}
			v, err := f.Get(t.Context(), "", "/v")
			if err != nil {
				t.Fatal(err)
			}
			if got, back := compare(u, v).Leads, compare(v, u).Leads; got != c.want || back != -c.want {
				t.Errorf("%s, in the header: %v: %d and %d, want %d", name, inHeader, got, back, c.want)
			}
			server.Close()
		}
	}
}
