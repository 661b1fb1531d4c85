package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// The end of validate says how many fetched pages name another canonical URL than the confirmed rules make.
func TestOwnCanonicals(t *testing.T) {
	t.Parallel()
	const end = "with a canonical URL"
	for _, c := range []struct {
		name  string
		names func(r *http.Request) string // the canonical URL that a page names; "": none
		want  string                       // "": nothing is said
	}{
		{"the rules' own, in the header", func(r *http.Request) string { return r.URL.Path }, ""},
		{"the rules' own, with the host", func(r *http.Request) string { return "https://www.example.org" + r.URL.Path }, ""},
		{"none", func(*http.Request) string { return "" }, ""},
		{"itself", func(r *http.Request) string { return r.URL.RequestURI() }, "name another than the rules make. For example /p0?fbid=0 names /p0?fbid=0, and the rules make /p0."},
	} {
		t.Run(c.name, func(t *testing.T) {
			origin := site(t, func(w http.ResponseWriter, r *http.Request) {
				if named := c.names(r); named != "" {
					w.Header().Set("Link", fmt.Sprintf("<%s>; rel=canonical", named))
				}
				writePage(w, "item"+r.URL.Path)
			})
			log := newFile(t, "access.log", hits(40, "/p%d", "/p%[1]d?fbid=%[1]d"))
			code, _, errs := program(t.Context(), "validate", "--origin", origin, "--fetch-delay", "0", "--fetch-kinds", "any", "-o", "text", log)
			if code != 0 || !strings.Contains(errs.String(), c.want) || c.want == "" && strings.Contains(errs.String(), end) {
				t.Errorf("ended with %d, want %q:\n%s", code, c.want, errs)
			}
		})
	}
}

// The pages of a web archive count as well.
func TestOwnCanonicalsOfArchive(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 40 {
		for _, form := range []string{"/p%d", "/p%[1]d?fbid=%[1]d"} {
			path := fmt.Sprintf(form, i)
			body := "<p>" + strings.Repeat(fmt.Sprintf("page p%d says this and a little more ", i), 9)
			answer := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: <https://www.example.org%s>; rel=canonical\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
			fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://www.example.org%s\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
				path, len(answer), answer)
		}
	}
	code, _, errs := program(t.Context(), "validate", "-o", "text", "--pages", newFile(t, "crawl.warc", b.String()))
	if want := " names /p0?fbid=0, and the rules make /p0."; code != 0 || !strings.Contains(errs.String(), want) {
		t.Errorf("ended with %d, want %q:\n%s", code, want, errs)
	}
}
