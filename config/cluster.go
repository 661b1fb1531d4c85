package config

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"

	"dustbuster/stream/kafka"
	"dustbuster/stream/topics"
)

// Cluster returns the options for reaching the brokers. It reads the files of
// certificates. A mistake in them or in the settings is an *Error.
func (c *Config) Cluster() (kafka.Options, error) {
	k := &c.Kafka
	o := kafka.Options{Brokers: k.Brokers,
		SASL: kafka.SASL{Mechanism: k.SASL.Mechanism, User: k.SASL.User, Password: string(k.SASL.Password), TokenFile: k.SASL.TokenFile}}
	switch s := &k.SASL; {
	case (s.Mechanism == "oauthbearer") != (s.TokenFile != ""):
		return o, wrong("kafka.sasl: oauthbearer and kafka.sasl_token_file need each other")
	case s.TokenFile != "" && (s.User != "" || s.Password != ""):
		return o, wrong("kafka.sasl: oauthbearer takes no kafka.sasl_user and kafka.sasl_password: the token names the user")
	case s.Mechanism != "" && s.TokenFile == "" && (s.User == "" || s.Password == ""):
		return o, wrong("kafka.sasl is %s and needs kafka.sasl_user and kafka.sasl_password; set the password in %s", s.Mechanism, Variable("kafka.sasl_password"))
	}
	var err error
	if o.TLS, err = k.TLS.client(); err != nil {
		return o, err
	}
	if k.TLS.On {
		o.Renew = k.TLS.client
	}
	return o, nil
}

// client is nil where TLS is off.
func (t *TLS) client() (*tls.Config, error) {
	if !t.On {
		if t.CA != "" || t.Cert != "" || t.Key != "" || t.ServerName != "" {
			return nil, wrong("kafka.tls is false, but files or a name for it are given: set it to true, or leave them out")
		}
		return nil, nil
	}
	o := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: t.ServerName}
	if t.CA != "" {
		text, err := os.ReadFile(t.CA)
		if err != nil {
			return nil, wrong("kafka.tls_ca: %w", err)
		}
		o.RootCAs = x509.NewCertPool()
		if !o.RootCAs.AppendCertsFromPEM(text) {
			return nil, wrong("kafka.tls_ca: %s holds no certificate in PEM", t.CA)
		}
	}
	if t.Cert == "" && t.Key == "" {
		return o, nil
	}
	pair, err := tls.LoadX509KeyPair(t.Cert, t.Key)
	if err != nil {
		return nil, wrong("kafka.tls_cert and kafka.tls_key: %w", err)
	}
	o.Certificates = []tls.Certificate{pair}
	return o, nil
}

// wrong returns an error for settings that do not fit together, and so without a line.
func wrong(format string, args ...any) error {
	return &Error{File: "configuration", Err: fmt.Errorf(format, args...)}
}

// TopicPlan returns the required properties of the topics. Plan.For returns the plan of a
// role.
func (c *Config) TopicPlan() topics.Plan {
	t := &c.Kafka.Topics
	p := topics.Plan{Create: `run "dustbuster topics create"`, Lines: t.Lines, Observations: t.Observations, Rules: t.Rules, Events: t.Events, DeadLetters: t.DeadLetters, Reports: t.Reports,
		Keep: topics.Keep(c.Read.Window, c.Read.Pane), Changed: c.Kafka.Changed}
	if key, ok := c.Key(); ok {
		h := c.Head(key)
		p.Head = &h
	}
	return p
}
