package config

import (
	"errors"
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

func TestClusterRefuses(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.pem")
	empty := expect.File(t, "empty.pem", "no certificate")
	for want, change := range map[string]func(*Kafka){
		"DUSTBUSTER_KAFKA_SASL_PASSWORD":       func(k *Kafka) { k.SASL = SASL{Mechanism: "plain", User: "miner"} },
		"kafka.sasl_user":                      func(k *Kafka) { k.SASL = SASL{Mechanism: "plain", Password: "x"} },
		"want each other":                      func(k *Kafka) { k.SASL = SASL{Mechanism: "oauthbearer"} },
		"kafka.sasl_token_file want":           func(k *Kafka) { k.SASL = SASL{TokenFile: "token"} },
		"the token names the user":             func(k *Kafka) { k.SASL = SASL{Mechanism: "oauthbearer", TokenFile: "token", User: "miner"} },
		"kafka.tls is false":                   func(k *Kafka) { k.TLS = TLS{CA: empty} },
		"kafka.tls_ca: open":                   func(k *Kafka) { k.TLS = TLS{On: true, CA: none} },
		"no certificate":                       func(k *Kafka) { k.TLS = TLS{On: true, CA: empty} },
		"kafka.tls_cert and kafka.tls_key: op": func(k *Kafka) { k.TLS = TLS{On: true, Cert: none} },
	} {
		c := Defaults()
		change(&c.Kafka)
		_, err := c.Cluster()
		var bad *Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
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
