package integration

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

// tokenKafka starts a broker that takes tokens without a signature, as Kafka has them for tests.
func tokenKafka(t *testing.T) *kafkatest.Cluster {
	return kafkatest.Start(t, kafkatest.Options{SASL: true, Config: map[string]string{
		"sasl.enabled.mechanisms":                            "PLAIN,OAUTHBEARER",
		"listener.name.clients.oauthbearer.sasl.jaas.config": `org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="admin";`,
	}})
}

// tokenFor returns an unsigned token that is good for some time.
func tokenFor(user string, lasts time.Duration) string {
	part := base64.RawURLEncoding.EncodeToString
	now := time.Now()
	claims := fmt.Sprintf(`{"sub":%q,"iat":%d,"exp":%d}`, user, now.Add(-time.Hour).Unix(), now.Add(lasts).Unix())
	return part([]byte(`{"alg":"none"}`)) + "." + part([]byte(claims)) + "."
}

// putToken replaces the file, as a program that renews tokens does.
func putToken(t *testing.T, file, token string) {
	t.Helper()
	if err := errors.Join(os.WriteFile(file+".new", []byte(token+"\n"), 0o600), os.Rename(file+".new", file)); err != nil {
		t.Error(err)
	}
}

// A token from a file logs in, and what is wrong with one is said at the start, without the token.
func TestKafkaToken(t *testing.T) {
	t.Parallel()
	c := tokenKafka(t)
	topic := topicOf(t, openKafka(t, kafka.Options{Brokers: c.Brokers, SASL: kafka.SASL{Mechanism: "PLAIN", User: kafkatest.Admin, Password: kafkatest.AdminPassword}}), 1, nil)
	file := filepath.Join(t.TempDir(), "token")
	flags := []string{"topics", "check", "--brokers", c.Brokers[0], "--observations-topic", topic, "--sasl-mechanism", "oauthbearer", "--sasl-token-file", file}
	for _, s := range []struct {
		name, token, want string
		code              int
	}{
		{"good", tokenFor("alice", time.Hour), topic, 1}, // it has what to complain about
		{"expired", tokenFor("alice", -time.Minute), "the broker refuses the token in " + file, 1},
		{"not a token", "mistaken", "the broker refuses the token in " + file, 1},
		{"nothing", "", file + " is empty", 1},
	} {
		putToken(t, file, s.token)
		ran := dustbuster(t, "", flags...)
		ran.expect(t, s.code, s.want)
		if s.name != "good" {
			ran.expect(t, s.code, "kafka.sasl_token_file")
		}
		if s.token != "" && strings.Contains(ran.stdout+ran.stderr, s.token) {
			t.Errorf("%s: the token is told:\n%v", s.name, ran)
		}
		t.Logf("%s: %v", s.name, ran)
	}
	must(t, os.Remove(file))
	dustbuster(t, "", flags...).expect(t, 1, "no such file", "kafka.sasl_token_file")
	dustbuster(t, "", flags[:len(flags)-2]...).expect(t, 78, "kafka.sasl_token_file")
}

// A token expires while records are written and read, and for a while nobody renews it: then both
// wait, and go on with the new token. Nothing is lost.
func TestKafkaTokenExpires(t *testing.T) {
	t.Parallel()
	c := tokenKafka(t)
	file := filepath.Join(t.TempDir(), "token")
	const lasts, late = 8 * time.Second, 3 * time.Second
	putToken(t, file, tokenFor("alice", lasts))
	end := time.Now().Add(lasts)
	var mutex sync.Mutex
	var failed []string
	options := kafka.Options{Brokers: c.Brokers, SASL: kafka.SASL{Mechanism: "oauthbearer", TokenFile: file}, OnError: func(err error) {
		mutex.Lock()
		defer mutex.Unlock()
		failed = append(failed, err.Error())
	}}
	cluster := openKafka(t, options)
	topic := topicOf(t, cluster, 1, nil)
	group, err := cluster.Join(t.Context(), kafka.GroupOptions{Group: topic, Topics: []string{topic}})
	must(t, err)
	defer group.Close()
	first, err := group.Next(t.Context())
	must(t, err)
	r := kafka.NewReader(cluster, kafka.ReaderOptions{})
	defer r.Close()
	renewed := time.AfterFunc(time.Until(end)+late, func() { putToken(t, file, tokenFor("alice", time.Hour)) })
	defer renewed.Stop()
	time.AfterFunc(time.Until(end)+late/2, func() {
		if other, err := kafka.Open(t.Context(), options); err == nil {
			other.Close()
			t.Error("the token did not expire")
		} else if !strings.Contains(err.Error(), "the broker refuses the token") {
			t.Error(err)
		}
	})
	var want []string
	for i := 0; time.Now().Before(end.Add(late + lasts/2)); i++ {
		want = append(want, strconv.Itoa(i))
		must(t, cluster.Produce(t.Context(), topic, 0, []kafka.Record{{Value: []byte(strconv.Itoa(i))}}))
		time.Sleep(100 * time.Millisecond)
	}
	var got []string
	for _, record := range readTo(t, r.Add(topic, 0, 0), int64(len(want))) {
		got = append(got, string(record.Value))
	}
	if !slices.Equal(got, want) {
		t.Errorf("read %v, want %v", got, want)
	}
	<-first.Done() // its connection's token has expired
	first.Release()
	again, err := group.Next(t.Context())
	must(t, err)
	defer again.Release()
	must(t, again.Commit(kafka.Offset{Topic: topic, Offset: 1}))
	mutex.Lock()
	defer mutex.Unlock()
	t.Logf("%d records, %d errors that were retried: %q", len(got), len(failed), failed)
}
