package fetch_test

import (
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"dustbuster/stream/fetch"
)

// ported starts a server that calls itself by the given name, in which "PORT" stands
// for its own port. The server redirects requests for other names to that name.
func ported(t *testing.T, called string) (origin string, call func(string) string) {
	t.Helper()
	var port string
	call = func(name string) string { return strings.ReplaceAll(name, "PORT", port) }
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if own := call(called); r.Host != own {
			http.Redirect(w, r, "http://"+own+r.RequestURI, http.StatusMovedPermanently)
			return
		}
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nDisallow: /private")
			return
		}
		fmt.Fprint(w, r.Host)
	}))
	t.Cleanup(srv.Close)
	u, err := url.Parse(srv.URL)
	must(t, err)
	port = u.Port()
	return srv.URL, call
}

// An origin that does not know its public name may name itself, or its port, in
// redirects of pages and of robots.txt. Such a redirect stays within the site, and the
// documents have the names in the log.
func TestOriginNamesItself(t *testing.T) {
	for _, c := range []struct{ site, target, called, end string }{
		{site, "/a", "127.0.0.1:PORT", "/a"},
		{site, "/a", "example.org:PORT", "/a"},
		{site, "/a", "example.org", "/a"},
		{"example.org:PORT", "/a", "127.0.0.1:PORT", "/a"},
		{"example.org:PORT", "/a", "example.org:PORT", "/a"},
		{"example.org:PORT", "/a", "example.org", "/a"},
		{"example.org:8081", "/a", "example.org:PORT", "/a"},
		{"", "/a", "127.0.0.1:PORT", "/a"},
		{site, "www.example.org/a", "127.0.0.1:PORT", "www.example.org/a"},
		{site, "www.example.org/a", "www.example.org:PORT", "www.example.org/a"},
		{site, "www.example.org/a", "example.org:PORT", "example.org/a"},
		{site, "www.example.org:PORT/a", "example.org:PORT", "example.org:PORT/a"},
		{site, "www.example.org:PORT/a", "www.example.org", "www.example.org:PORT/a"},

		{site, "/a", "example.org:1", ""},
		{site, "/a", "127.0.0.1:1", ""},
		{site, "/a", "127.0.0.1", ""},
		{site, "/a", "example.net:PORT", ""},
		{"", "/a", "example.org:PORT", ""},
		{site, "www.example.org/a", "example.net:PORT", ""},
	} {
		t.Run(c.site+" "+c.target+" at "+c.called, func(t *testing.T) {
			origin, call := ported(t, c.called)
			f := loopbackFetcher(t, fetch.Options{Origin: origin})
			d, err := f.Get(t.Context(), of(call(c.site), call(c.target)))
			if c.end == "" {
				wantReason(t, err, fetch.Closed)
				return
			}
			must(t, err)
			if got := string(d.Content.([]byte)); got != call(c.called) || d.Target != call(c.end) {
				t.Errorf("%q answered at %q, want %q at %q", got, d.Target, call(c.called), call(c.end))
			}
			refused(t, f, call(c.site), call(strings.ReplaceAll(c.target, "/a", "/private")), fetch.Robots)
		})
	}
}

// A host belongs to a site whatever its port.
func TestBelow(t *testing.T) {
	for _, c := range []struct {
		name, host string
		want       bool
	}{
		{"the site", "example.org", true},
		{"with a port", "example.org:8081", true},
		{"a name below, with a port", "www.example.org:8081", true},
		{"a longer name", "notexample.org:80", false},
		{"an address", "[::1]:80", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if fetch.Below(site, c.host) != c.want {
				t.Errorf("%s: %v", c.host, !c.want)
			}
		})
	}
}

// An https origin must prove to be the site, whatever its address.
func TestTLS(t *testing.T) {
	asked := make(chan string, 10)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.TLS.ServerName
	}))
	srv.EnableHTTP2 = true
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	defer srv.Close()
	roots := x509.NewCertPool()
	roots.AddCert(srv.Certificate())

	f := loopbackFetcher(t, fetch.Options{Origin: srv.URL, RootCAs: roots})
	get(t, f, "example.com", "/") // one of the names in the test's certificate
	if name := <-asked; name != "example.com" {
		t.Errorf("asked for %q", name)
	}
	refused(t, f, "example.org", "/", fetch.Closed)
	f = loopbackFetcher(t, fetch.Options{Origin: srv.URL})
	refused(t, f, "example.com", "/", fetch.Closed)
}
