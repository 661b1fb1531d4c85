package fetch

import (
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"
)

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

	f := loopbackFetcher(t, Options{Origin: srv.URL, RootCAs: roots})
	get(t, f, "example.com", "/") // one of the names in the test's certificate
	if name := <-asked; name != "example.com" {
		t.Errorf("asked for %q", name)
	}
	_, err := f.Get(t.Context(), "example.org", "/")
	wantReason(t, err, Closed)
	f = loopbackFetcher(t, Options{Origin: srv.URL})
	_, err = f.Get(t.Context(), "example.com", "/")
	wantReason(t, err, Closed)
}
