package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http/httptest"
	"testing"
	"time"
)

// Each connection is made with the certificates of its time: an authority that comes later is
// trusted, one that is gone is not.
func TestCertificatesOfEachConnection(t *testing.T) {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	trusted := x509.NewCertPool()
	trusted.AddCert(server.Certificate())
	now, broken := x509.NewCertPool(), error(nil)
	renew := func() (*tls.Config, error) {
		return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: now, ServerName: "example.com"}, broken
	}
	first, _ := renew()
	s := newSockets(&Options{TLS: first, Renew: renew}, time.Minute, time.Minute)
	defer s.close()
	dial := func() error {
		conn, err := s.dial(context.Background(), "tcp", server.Listener.Addr().String())
		if err == nil {
			err = errors.Join(conn.Close())
		}
		return err
	}
	if err := dial(); err == nil {
		t.Error("an unknown authority is trusted")
	}
	now = trusted
	if err := dial(); err != nil {
		t.Errorf("the authority that is there now is not trusted: %v", err)
	}
	broken = errors.New("half a file")
	if err := dial(); !errors.Is(err, broken) {
		t.Errorf("damaged certificates: %v", err)
	}
}
