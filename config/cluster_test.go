package config

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/stream/topics"
)

func TestCluster(t *testing.T) {
	c := Defaults()
	c.Kafka.Brokers = []string{"kafka.example.org:9092"}
	o, err := c.Cluster()
	if err != nil || o.TLS != nil || len(o.Brokers) != 1 || o.SASL.Mechanism != "" {
		t.Errorf("%+v, %v", o, err)
	}
	c.Kafka.SASL = SASL{Mechanism: "plain", User: "miner", Password: "secret"}
	c.Kafka.TLS = TLS{On: true, ServerName: "kafka"}
	o, err = c.Cluster()
	if err != nil || o.TLS == nil || o.TLS.ServerName != "kafka" || o.TLS.RootCAs != nil || o.SASL.Password != "secret" {
		t.Errorf("%+v, %v", o, err)
	}
}

// Certificates and authorities are read again for each connection: they are replaced before they end.
func TestCertificatesAreReplaced(t *testing.T) {
	first, second := issue(t, "first"), issue(t, "second")
	at := t.TempDir()
	c := Defaults()
	c.Kafka.TLS = TLS{On: true, CA: filepath.Join(at, "ca.pem"), Cert: filepath.Join(at, "cert.pem"), Key: filepath.Join(at, "key.pem")}
	first.put(t, &c.Kafka.TLS)
	o, err := c.Cluster()
	expect.NoError(t, err)
	for _, now := range []*issued{first, second, first} {
		now.put(t, &c.Kafka.TLS)
		got, err := o.Renew()
		expect.NoError(t, err)
		if der := got.Certificates[0].Certificate[0]; !bytes.Equal(der, now.leaf.Raw) {
			t.Errorf("the certificate is not %s", now.leaf.Subject)
		}
		if _, err := now.leaf.Verify(x509.VerifyOptions{Roots: got.RootCAs}); err != nil {
			t.Errorf("the authority is not %s: %v", now.leaf.Subject, err)
		}
	}
	expect.NoError(t, os.WriteFile(c.Kafka.TLS.CA, []byte("half"), 0o600))
	if _, err := o.Renew(); err == nil || !strings.Contains(err.Error(), "kafka.tls_ca") {
		t.Errorf("a damaged file: %v", err)
	}
}

// issued is a certificate that signs itself.
type issued struct {
	cert, key []byte
	leaf      *x509.Certificate
}

func issue(t *testing.T, name string) *issued {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	expect.NoError(t, err)
	as := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, as, as, &private.PublicKey, private)
	expect.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	expect.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	expect.NoError(t, err)
	text := func(kind string, der []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}) }
	return &issued{text("CERTIFICATE", der), text("PRIVATE KEY", secret), leaf}
}

func (i *issued) put(t *testing.T, to *TLS) {
	t.Helper()
	expect.NoError(t, os.WriteFile(to.CA, i.cert, 0o600))
	expect.NoError(t, os.WriteFile(to.Cert, i.cert, 0o600))
	expect.NoError(t, os.WriteFile(to.Key, i.key, 0o600))
}

func TestClusterRefuses(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.pem")
	empty := expect.File(t, "empty.pem", "no certificate")
	for _, test := range []struct {
		want   string
		change func(*Kafka)
	}{
		{"DUSTBUSTER_KAFKA_SASL_PASSWORD", func(k *Kafka) { k.SASL = SASL{Mechanism: "plain", User: "miner"} }},
		{"kafka.sasl_user", func(k *Kafka) { k.SASL = SASL{Mechanism: "plain", Password: "x"} }},
		{"need each other", func(k *Kafka) { k.SASL = SASL{Mechanism: "oauthbearer"} }},
		{"kafka.sasl_token_file need", func(k *Kafka) { k.SASL = SASL{TokenFile: "token"} }},
		{"the token names the user", func(k *Kafka) { k.SASL = SASL{Mechanism: "oauthbearer", TokenFile: "token", User: "miner"} }},
		{"kafka.tls is false", func(k *Kafka) { k.TLS = TLS{CA: empty} }},
		{"kafka.tls_ca: open", func(k *Kafka) { k.TLS = TLS{On: true, CA: none} }},
		{"no certificate", func(k *Kafka) { k.TLS = TLS{On: true, CA: empty} }},
		{"kafka.tls_cert and kafka.tls_key: op", func(k *Kafka) { k.TLS = TLS{On: true, Cert: none} }},
	} {
		c := Defaults()
		test.change(&c.Kafka)
		_, err := c.Cluster()
		var bad *Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}

func TestTopicPlan(t *testing.T) {
	c := Defaults()
	if p := c.TopicPlan(); p.Keep != 50*time.Hour || p.Observations != "dust.observations" {
		t.Errorf("%+v", p)
	} else if p.Head != nil {
		t.Error("a head without a key")
	}
	c.Keep.HashKey = "000102030405060708090a0b0c0d0e0f"
	if p := c.TopicPlan(); p.Head == nil || p.Head.Pane != 7200 || p.Head.Check == 0 {
		t.Errorf("%+v", p.Head)
	}
	c.Read.Window = 0
	if p := c.TopicPlan(); p.Keep != topics.Forever {
		t.Errorf("%+v", p)
	}
}
