package kafkatest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// secure writes the files for TLS, and returns the settings for TLS and SASL.
func (c *Cluster) secure(o Options) (settings string, err error) {
	var b strings.Builder
	if o.TLS {
		store, ca := filepath.Join(c.dir, "broker.pem"), filepath.Join(c.dir, "ca.pem")
		if err := certificates(store, ca); err != nil {
			return "", err
		}
		c.CA = ca
		fmt.Fprintf(&b, "ssl.keystore.type=PEM\nssl.keystore.location=%s\nssl.truststore.type=PEM\nssl.truststore.location=%s\n", store, ca)
	}
	if o.SASL {
		b.WriteString("sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256\nsasl.mechanism.inter.broker.protocol=PLAIN\n")
		fmt.Fprintf(&b, "listener.name.clients.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=%q password=%q user_%s=%q user_%s=%q;\n",
			Admin, AdminPassword, Admin, AdminPassword, User, UserPassword)
		b.WriteString("listener.name.clients.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;\n")
	}
	return b.String(), nil
}

// certificates makes an authority and a broker's key and certificate, for
// 127.0.0.1 and localhost.
func certificates(store, ca string) error {
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a test's authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	authorityDER, err := x509.CreateCertificate(rand.Reader, authority, authority, &authorityKey.PublicKey, authorityKey)
	if err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	broker := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: authority.NotBefore, NotAfter: authority.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
	}
	brokerDER, err := x509.CreateCertificate(rand.Reader, broker, authority, &key.PublicKey, authorityKey)
	if err != nil {
		return err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	encode := func(kind string, der []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}) }
	text := append(encode("PRIVATE KEY", keyDER), encode("CERTIFICATE", brokerDER)...)
	text = append(text, encode("CERTIFICATE", authorityDER)...)
	if err := os.WriteFile(store, text, 0o600); err != nil {
		return err
	}
	return os.WriteFile(ca, encode("CERTIFICATE", authorityDER), 0o600)
}
