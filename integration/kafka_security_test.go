package integration

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

// trust reads a cluster's authority.
func trust(t *testing.T, c *kafkatest.Cluster) *tls.Config {
	t.Helper()
	text, err := os.ReadFile(c.CA)
	must(t, err)
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		t.Fatal("no certificate in the authority's file")
	}
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

// silent accepts connections and says nothing.
func silent(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() }) //nolint:errcheck // it was read
	return l.Addr().String()
}

// What is wrong with the way to the brokers is said at the start, with what to do.
func TestKafkaOpen(t *testing.T) {
	t.Parallel()
	plain := kafkatest.Shared(t)
	secure := kafkatest.Start(t, kafkatest.Options{SASL: true, TLS: true})
	sasl := func(mechanism, user, password string) kafka.SASL {
		return kafka.SASL{Mechanism: mechanism, User: user, Password: password}
	}
	good, trusted := sasl("SCRAM-SHA-256", kafkatest.User, kafkatest.UserPassword), trust(t, secure)
	elsewhere := trusted.Clone()
	elsewhere.ServerName = "kafka.example.org"
	for _, c := range []struct {
		name    string
		options kafka.Options
		want    string // of the error; empty: none
	}{
		{"plain text", kafka.Options{Brokers: plain.Brokers}, ""},
		{"one broker answers", kafka.Options{Brokers: append([]string{"127.0.0.1:1"}, plain.Brokers...)}, ""},
		{"TLS and SCRAM", kafka.Options{Brokers: secure.Brokers, TLS: trusted, SASL: good}, ""},
		{"TLS and PLAIN", kafka.Options{Brokers: secure.Brokers, TLS: trusted, SASL: sasl("plain", kafkatest.User, kafkatest.UserPassword)}, ""},
		{"wrong SCRAM", kafka.Options{Brokers: secure.Brokers, TLS: trusted, SASL: sasl("SCRAM-SHA-256", kafkatest.User, "wrong")}, "user or password are wrong"},
		{"wrong PLAIN", kafka.Options{Brokers: secure.Brokers, TLS: trusted, SASL: sasl("PLAIN", kafkatest.User, "wrong")}, "user or password are wrong"},
		{"unknown user", kafka.Options{Brokers: secure.Brokers, TLS: trusted, SASL: sasl("SCRAM-SHA-256", "nobody", "wrong")}, "user or password are wrong"},
		{"mechanism not there", kafka.Options{Brokers: secure.Brokers, TLS: trusted, SASL: sasl("SCRAM-SHA-512", kafkatest.User, kafkatest.UserPassword)}, "does not offer the mechanism SCRAM-SHA-512"},
		{"no SASL", kafka.Options{Brokers: secure.Brokers, TLS: trusted}, "may want authentication"},
		{"no TLS", kafka.Options{Brokers: secure.Brokers, SASL: good}, "(kafka.tls)"},
		{"unknown authority", kafka.Options{Brokers: secure.Brokers, TLS: &tls.Config{MinVersion: tls.VersionTLS12}, SASL: good}, "kafka.tls_ca"},
		{"another's name", kafka.Options{Brokers: secure.Brokers, TLS: elsewhere, SASL: good}, "kafka.tls_server_name"},
		{"TLS to plain text", kafka.Options{Brokers: plain.Brokers, TLS: trusted, Timeout: 2 * time.Second}, "turn kafka.tls off"},
		{"SASL to plain text", kafka.Options{Brokers: plain.Brokers, SASL: good}, "leave kafka.sasl empty"},
		{"nobody there", kafka.Options{Brokers: []string{"127.0.0.1:1", "127.0.0.1:2"}}, "nothing listens there"},
		{"no such host", kafka.Options{Brokers: []string{"kafka.invalid:9092"}}, "check the broker's name"},
		{"silence", kafka.Options{Brokers: []string{silent(t)}, Timeout: time.Second}, "no answer in time"},
		{"silence under SASL", kafka.Options{Brokers: []string{silent(t)}, SASL: good, Timeout: time.Second}, "no answer in time"},
		{"silence under TLS", kafka.Options{Brokers: []string{silent(t)}, TLS: trusted, Timeout: time.Second}, "may not speak TLS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			start := time.Now()
			cluster, err := kafka.Open(ctx, c.options)
			if err == nil {
				cluster.Close()
			}
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %q", err, c.want)
			case err != nil:
				t.Log(err)
			}
			if d := time.Since(start); d > time.Minute { // of three that it may take
				t.Errorf("it took %v", d)
			}
		})
	}
}

// A user without permissions is told so, by an error that can be told apart.
func TestKafkaNotAuthorized(t *testing.T) {
	t.Parallel()
	brokers := kafkatest.Start(t, kafkatest.Options{SASL: true, Config: map[string]string{
		"authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
		"super.users":           "User:" + kafkatest.Admin + ";User:ANONYMOUS",
	}}).Brokers
	admin := openKafka(t, kafka.Options{Brokers: brokers, SASL: kafka.SASL{Mechanism: "PLAIN", User: kafkatest.Admin, Password: kafkatest.AdminPassword}})
	topic := topicOf(t, admin, 1, nil)
	must(t, admin.Produce(t.Context(), topic, 0, []kafka.Record{{Value: []byte("x")}}))
	seen := topicOf(t, admin, 1, nil)
	allow(t, brokers[0], seen, kafkago.ACLOperationTypeRead)
	user := openKafka(t, kafka.Options{Brokers: brokers, SASL: kafka.SASL{Mechanism: "SCRAM-SHA-256", User: kafkatest.User, Password: kafkatest.UserPassword}})
	r := kafka.NewReader(user, kafka.ReaderOptions{})
	defer r.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for _, c := range []struct {
		what string
		want func() error
	}{
		{"describe", func() error { _, err := user.Topic(ctx, topic); return err }},
		{"offsets", func() error { _, err := user.Offsets(ctx, topic); return err }},
		{"write", func() error { return user.Produce(ctx, topic, 0, []kafka.Record{{Value: []byte("x")}}) }},
		{"read", func() error { _, err := r.Add(topic, 0, 0).Read(ctx); return err }},
		{"create", func() error {
			return user.Create(ctx, kafka.Topic{Name: kafkatest.Name(t), Partitions: 1, Replicas: 1})
		}},
		{"join", func() error {
			g, err := user.Join(ctx, kafka.GroupOptions{Group: topic, Topics: []string{seen}})
			if err == nil {
				defer g.Close()
				_, err = g.Next(ctx)
			}
			return err
		}},
	} {
		if err := c.want(); !errors.Is(err, kafka.ErrNotAuthorized) {
			t.Errorf("%s: got %v", c.what, err)
		} else {
			t.Logf("%s: %v", c.what, err)
		}
	}
}
