package fetch

import (
	"bufio"
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

// Whatever a server writes into Location, the result is an exact request to the same
// host, or no request.
func FuzzRedirect(f *testing.F) {
	for _, s := range []string{"/a", "?b", "http://example.org/x", "//example.org//y", "../..//z", "http://a@example.org/", "/\\evil.test", "http://example.org\\@evil.test/",
		"https://EXAMPLE.ORG.:443", "/%2e%2e/%zz", "javascript:1", "/ä|^ ?ü|^", "http://example.org:80:80/", "#", "http://example.org?x", "/a\r\nb", "////evil.test/"} {
		f.Add(s, "/dir/page?query")
		f.Add(s, "//a%zz|b")
	}
	fetcher, err := New(Options{Scheme: "http"})
	expect.NoError(f, err)
	f.Fuzz(func(t *testing.T, location, from string) {
		p, err := fetcher.place(&Request{Site: "example.org", Target: from})
		if err != nil || p.whole {
			return
		}
		next, err := fetcher.within(p, location)
		if err != nil {
			return
		}
		if next.host != "example.org" || next.scheme != "http" && next.scheme != "https" || !askable(next.path) {
			t.Fatalf("%q leads to %+v", location, next)
		}
		if again, err := fetcher.within(next, next.url()); err == nil && again.host != next.host {
			t.Fatalf("%+v leads to %+v", next, again)
		}
		checkRequest(t, fetcher, next)
	})
}

// A target is requested byte for byte, in one request to the site's host, or not at
// all.
func FuzzTarget(f *testing.F) {
	for _, s := range []string{"/", "//", "//x%zz", "/a?b#c", "/a b", "/\r\nHost: x", "/?", "/??", "*", "http://x/", "/%", "x.example.org/y", "www.example.org//z?"} {
		f.Add("example.org", s)
	}
	f.Add("exa\r\nmple", "/")
	f.Add("[::1]:80", "/x")
	fetcher, err := New(Options{Scheme: "http"})
	expect.NoError(f, err)
	f.Fuzz(func(t *testing.T, site, target string) {
		p, err := fetcher.place(&Request{Site: site, Target: target})
		if err != nil {
			return
		}
		if p.target() != target {
			t.Fatalf("%q became %q", target, p.target())
		}
		checkRequest(t, fetcher, p)
	})
}

// checkRequest reads a request as a server does.
func checkRequest(t *testing.T, f *Fetcher, p place) {
	t.Helper()
	req, err := f.request(p, nil)
	if err != nil {
		return
	}
	var wire bytes.Buffer
	if err := req.Write(&wire); err != nil {
		return
	}
	r := bufio.NewReader(&wire)
	got, err := http.ReadRequest(r)
	if err != nil {
		if _, bad := url.ParseRequestURI(p.path); bad != nil {
			return // a logged % that encodes nothing, which this server refuses
		}
		t.Fatalf("%+v cannot be read: %v", p, err)
	}
	if got.RequestURI != p.path || got.Host != p.host || got.Method != "GET" || r.Buffered() != 0 {
		t.Fatalf("%+v is asked for as %s %q of %q", p, got.Method, got.RequestURI, got.Host)
	}
	if strings.ContainsAny(got.Host, "@/\\#?") {
		t.Fatalf("host %q", got.Host)
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "0", "120", "-1", "9223372036854775807", "99999999999999999999", "Mon, 02 Jan 2106 15:04:05 GMT", "Mon, 02 Jan 0001 15:04:05 GMT", " 5 "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if d, _ := retryAfter(value, time.Unix(1e9, 0)); d < 0 {
			t.Fatalf("%q: %v", value, d)
		}
	})
}
