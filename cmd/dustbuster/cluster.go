package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"

	"dustbuster/config"
	"dustbuster/stream/kafka"
)

var errNoBrokers = errors.New("no Kafka given: name brokers with --brokers HOST:PORT, or as kafka.brokers in a configuration file")

// openCluster connects to Kafka.
func openCluster(ctx context.Context, c *config.Config) (*kafka.Cluster, error) {
	k := &c.Kafka
	o := kafka.Options{Brokers: k.Brokers,
		SASL: kafka.SASL{Mechanism: strings.ToUpper(k.SASL.Mechanism), User: k.SASL.User, Password: string(k.SASL.Password)}}
	if k.TLS.On {
		var err error
		if o.TLS, err = tlsOptions(&k.TLS); err != nil {
			return nil, fmt.Errorf("open kafka: %w", err)
		}
	}
	return kafka.Open(ctx, o)
}

// tlsOptions reads the certificates that the configuration names.
func tlsOptions(t *config.TLS) (*tls.Config, error) {
	o := &tls.Config{ServerName: t.ServerName}
	if t.CA != "" {
		pem, err := os.ReadFile(t.CA)
		if err != nil {
			return nil, err
		}
		o.RootCAs = x509.NewCertPool()
		if !o.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s has no certificate in PEM form", t.CA)
		}
	}
	if t.Cert != "" || t.Key != "" {
		pair, err := tls.LoadX509KeyPair(t.Cert, t.Key)
		if err != nil {
			return nil, fmt.Errorf("read kafka.tls_cert and kafka.tls_key: %w", err)
		}
		o.Certificates = []tls.Certificate{pair}
	}
	return o, nil
}
