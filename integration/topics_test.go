package integration

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
	"dustbuster/stream/topics"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/sasl/plain"
)

// topicNames are topics that no other test has, as flags and as a plan.
func topicNames(t testing.TB) (flags []string, p topics.Plan) {
	name := kafkatest.Name(t)
	p = topics.Plan{Observations: name + ".o", Rules: name + ".r", Events: name + ".e", Keep: topics.Keep(24*time.Hour, 2*time.Hour)}
	return []string{"--observations-topic", p.Observations, "--rules-topic", p.Rules, "--events-topic", p.Events}, p
}

// dustbuster runs the program with a password in its environment.
func dustbuster(t testing.TB, password string, args ...string) ran {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	if password != "" {
		cmd.Env = append(os.Environ(), "DUSTBUSTER_KAFKA_SASL_PASSWORD="+password)
	}
	return finish(t, cmd)
}

// expect wants an exit code and texts anywhere in what was printed.
func (r ran) expect(t testing.TB, code int, texts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d:\n%v", r.code, code, r)
	}
	for _, text := range texts {
		if !strings.Contains(r.stdout+r.stderr, text) {
			t.Errorf("%q is not in\n%v", text, r)
		}
	}
}

// What create makes on three brokers with their own defaults, check has nothing
// against, not even a warning; and both can be told by a program.
func TestTopicsOnThreeBrokers(t *testing.T) {
	t.Parallel()
	c := kafkatest.Start(t, kafkatest.Options{Nodes: 3})
	flags, p := topicNames(t)
	flags = append(flags, "--brokers", strings.Join(c.Brokers, ","), "--lines-topic", p.Observations+".l", "--dead-letters-topic", p.Observations+".d", "--output", "json")
	created := dustbuster(t, "", append([]string{"topics", "create"}, flags...)...)
	created.expect(t, 0)
	if steps := typed(t, created.stdout, "step"); len(steps) != 5 || steps[0]["do"] != "make" || steps[0]["done"] != true || steps[0]["partitions"] != 12.0 || steps[0]["replicas"] != 3.0 {
		t.Errorf("%v", steps)
	}
	for _, args := range [][]string{{"topics", "check"}, {"topics", "create"}, {"topics", "check", "--window", "12h", "--partitions", "12"}} {
		r := dustbuster(t, "", append(args, flags...)...)
		r.expect(t, 0)
		if len(typed(t, r.stdout, "finding"))+len(typed(t, r.stdout, "step")) > 0 || len(typed(t, r.stdout, "topic")) != 5 || r.stderr != "" {
			t.Errorf("%v: %v", args, r)
		}
	}
	k := openKafka(t, kafka.Options{Brokers: c.Brokers})
	for _, role := range []topics.Role{topics.Agent, topics.Miner, topics.Subscriber} {
		if _, doubts, err := topics.Ready(t.Context(), k, p.For(role)); err != nil || len(doubts) > 0 {
			t.Errorf("role %d: %v, %v", role, doubts, err)
		}
	}
}

// typed returns the objects of a type.
func typed(t testing.TB, text, of string) (list []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		if o["type"] == of {
			list = append(list, o)
		}
	}
	return list
}

// Topics go wrong in all ways that brokers allow: it is found, and mended where
// that takes nothing away.
func TestTopicsMended(t *testing.T) {
	brokers := kafkatest.Shared(t).Brokers
	flags, p := topicNames(t)
	flags = append(flags, "--brokers", strings.Join(brokers, ","))
	do := func(args ...string) ran {
		return dustbuster(t, "", append(append([]string{"topics"}, args...), flags...)...)
	}
	k := openKafka(t, kafka.Options{Brokers: brokers})

	do("check").expect(t, 1, `error: topic "`+p.Rules+`": does not exist`, `run "dustbuster topics create"`)
	do("create", "--dry-run", "--partitions", "3").expect(t, 0, `would make topic "`+p.Rules+`" with 3 partitions, `)
	if _, err := k.Topic(t.Context(), p.Rules); !errors.Is(err, kafka.ErrNoTopic) {
		t.Errorf("a dry run made a topic: %v", err)
	}
	do("create", "--partitions", "3", "--replicas", "1").expect(t, 0, `make topic "`+p.Rules+`" with 3 partitions, `, ": done", `warning: topic "`+p.Observations+`", "`+p.Rules+`", "`+p.Events+`": has one replica`)
	do("check").expect(t, 0)

	must(t, k.Alter(t.Context(), p.Observations, map[string]string{"retention.ms": "86400000", "cleanup.policy": "compact"}))
	must(t, k.Alter(t.Context(), p.Rules, map[string]string{"cleanup.policy": "delete", "max.message.bytes": "2000000"}))
	eventually(t, func() bool { // of both changes
		out := do("check").stdout
		return strings.Contains(out, p.Observations+`": cleanup.policy`) && strings.Contains(out, p.Rules+`": cleanup.policy`)
	})
	do("check").expect(t, 1, "retention.ms is 86400000 (24h), want at least 180000000 (50h)", "cleanup.policy is compact, want delete",
		"cleanup.policy is delete, want compact", "max.message.bytes is 2000000")
	if _, _, err := topics.Ready(t.Context(), k, p.For(topics.Miner)); err == nil || !strings.Contains(err.Error(), "retention.ms is 86400000 (24h)") {
		t.Errorf("a miner would start: %v", err)
	}
	t.Setenv("DUSTBUSTER_KEEP_HASH_KEY", "000102030405060708090a0b0c0d0e0f")
	dustbuster(t, "", append([]string{"run", "--admin-listen="}, flags...)...).expect(t, 1, "retention.ms is 86400000 (24h), want at least 180000000 (50h)", `run "dustbuster topics create"`)
	dustbuster(t, "", append([]string{"run", "--admin-listen=", "--window=1h"}, append(flags, "--events-topic=nosuch")...)...).expect(t, 1, `topic "nosuch": does not exist`, "kafka.events")
	dustbuster(t, "", "agent", "--admin-listen=", "--tail=none.log", "--brokers", brokers[0], "--observations-topic=nosuch").expect(t, 1, `topic "nosuch": does not exist`, "topics create", "kafka.observations")
	dustbuster(t, "", "subscribe", "--once", "--rules=-", "--brokers", brokers[0], "--rules-topic=nosuch").expect(t, 1, "nosuch", "does not exist", "topics create")
	do("create").expect(t, 0, `set for topic "`+p.Observations+`" cleanup.policy=delete retention.ms=180000000: done`)
	topic, err := k.Topic(t.Context(), p.Observations)
	if err != nil || topic.Config["retention.ms"] != "180000000" || topic.Config["cleanup.policy"] != "delete" || topic.Config["message.timestamp.type"] != "LogAppendTime" {
		t.Errorf("%+v, %v", topic, err)
	}
	do("check", "--window", "0").expect(t, 1, "want -1 (for ever)")
	do("create", "--window", "0").expect(t, 0, "retention.ms=-1")

	do("check", "--partitions", "4").expect(t, 1, "has 3 partitions, want 4", "the topic is empty and can be given more partitions")
	do("create", "--partitions", "4").expect(t, 0, `give topic "`+p.Events+`" 4 partitions: done`)
	must(t, k.Produce(t.Context(), p.Observations, 3, []kafka.Record{{Key: []byte("a.example"), Value: []byte{}}}))
	value, _ := evidence.Append(nil, evidence.Head{Pane: 7200, Check: 1}, []evidence.Observation{{URL: []byte("/"), Min: 1, Max: 1}})
	must(t, k.Produce(t.Context(), p.Observations, 2, []kafka.Record{{Key: []byte("a.example"), Value: value}}))
	own := p
	own.Head = &evidence.Head{Pane: 7200, Check: 2}
	if f, err := topics.Look(t.Context(), k, own); err != nil || !slices.ContainsFunc(topics.Judge(own, f), func(f topics.Finding) bool {
		return strings.Contains(f.What, "of 1 partition were written with other settings: keep.hash_key is another: its mark is 00000001 there, and 00000002 here")
	}) {
		t.Errorf("%+v, %v", f, err)
	}

	r := do("create", "--partitions", "6")
	r.expect(t, 1, `topic "`+p.Observations+`": has 4 partitions, want at least 6`, "do not add partitions", "docs/kafka.md")
	if strings.Contains(r.stdout, "done") {
		t.Errorf("something was done:\n%v", r)
	}
	must(t, k.Grow(t.Context(), p.Rules, 5))
	eventually(t, func() bool { return do("check").code == 1 })
	do("check").expect(t, 1, `topic "`+p.Rules+`": has 5 partitions, want 4 as topic "`+p.Observations+`" has`, "the topic is empty: delete it")
}

// Who cannot connect is told what to do.
func TestTopicsConnecting(t *testing.T) {
	t.Parallel()
	plainBroker := kafkatest.Shared(t).Brokers[0]
	tls := kafkatest.Start(t, kafkatest.Options{TLS: true})
	nobody := kafkatest.Start(t, kafkatest.Options{})
	nobody.Stop(t, 1) // its port is free
	for _, c := range []struct {
		name string
		args []string
		code int
		says []string
	}{
		{"none", nil, 2, []string{"no Kafka brokers given", "--brokers"}},
		{"no port", []string{"--brokers", "127.0.0.1"}, 2, []string{"must be host:port"}},
		{"wrong port", []string{"--brokers", nobody.Brokers[0]}, 1, []string{nobody.Brokers[0], "nothing listens there"}},
		{"wrong host", []string{"--brokers", "nosuch.invalid:9092"}, 1, []string{"check the broker's name"}},
		{"TLS expected", []string{"--brokers", tls.Brokers[0]}, 1, []string{"it may speak TLS", "kafka.tls"}},
		{"TLS refused", []string{"--brokers", plainBroker, "--tls"}, 1, []string{"may not speak TLS", "kafka.tls"}},
		{"unknown CA", []string{"--brokers", tls.Brokers[0], "--tls"}, 1, []string{"authority is not known", "kafka.tls_ca"}},
		{"another's name", []string{"--brokers", tls.Brokers[0], "--tls", "--tls-ca", tls.CA, "--tls-server-name", "other.example.org"}, 1, []string{"another name", "kafka.tls_server_name"}},
		{"no CA", []string{"--brokers", tls.Brokers[0], "--tls", "--tls-ca", "nosuch.pem"}, 78, []string{"kafka.tls_ca", "nosuch.pem"}},
		{"CA and no TLS", []string{"--brokers", tls.Brokers[0], "--tls-ca", tls.CA}, 78, []string{"kafka.tls is false"}},
		{"no password", []string{"--brokers", plainBroker, "--sasl-mechanism", "plain", "--sasl-user", "alice"}, 78, []string{"DUSTBUSTER_KAFKA_SASL_PASSWORD"}},
		{"good TLS", []string{"--brokers", tls.Brokers[0], "--tls", "--tls-ca", tls.CA}, 1, []string{"does not exist", "topics create"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dustbuster(t, "", append([]string{"topics", "check"}, c.args...)...).expect(t, c.code, c.says...)
		})
	}
}

// Who may not is told what must be allowed.
func TestTopicsPermissions(t *testing.T) {
	t.Parallel()
	c := kafkatest.Start(t, kafkatest.Options{SASL: true, Config: map[string]string{
		"authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
		"super.users":           "User:" + kafkatest.Admin + ";User:ANONYMOUS", // the brokers among themselves
	}})
	flags, p := topicNames(t)
	flags = append(flags, "--brokers", c.Brokers[0], "--sasl-mechanism", "plain")
	admin := func(args ...string) ran {
		return dustbuster(t, kafkatest.AdminPassword, append(append([]string{"topics"}, args...), append(flags, "--sasl-user", kafkatest.Admin)...)...)
	}
	alice := func(args ...string) ran {
		return dustbuster(t, kafkatest.UserPassword, append(append([]string{"topics"}, args...), append(flags, "--sasl-user", kafkatest.User)...)...)
	}

	dustbuster(t, "wrong", append([]string{"topics", "check", "--sasl-user", kafkatest.Admin}, flags...)...).expect(t, 1, "user or password are wrong", "kafka.sasl_password")
	dustbuster(t, kafkatest.AdminPassword, append([]string{"topics", "check", "--sasl-user", kafkatest.Admin}, slices.Concat(flags, []string{"--sasl-mechanism", "scram-sha-512"})...)...).
		expect(t, 1, "does not offer the mechanism", "kafka.sasl")
	dustbuster(t, "", "topics", "check", "--brokers", c.Brokers[0]).expect(t, 1, "it may want authentication", "kafka.sasl")

	alice("check").expect(t, 1, `topic "`+p.Rules+`": the user may not see the topic, or it does not exist`, "Describe")
	admin("create", "--partitions", "2").expect(t, 0)
	alice("create").expect(t, 1, "Describe")

	allow(t, c.Brokers[0], p.Observations, kafkago.ACLOperationTypeDescribe)
	allow(t, c.Brokers[0], p.Rules, kafkago.ACLOperationTypeRead)
	allow(t, c.Brokers[0], p.Events, kafkago.ACLOperationTypeDescribeConfigs, kafkago.ACLOperationTypeDescribe)
	unseen := `unchecked: topic "` + p.Observations + `", "` + p.Rules + `": the user may not see its settings`
	eventually(t, func() bool { out := alice("check"); return strings.Contains(out.stdout+out.stderr, unseen) })
	alice("check").expect(t, 1, unseen, "unchecked: 2")

	k := openKafka(t, kafka.Options{Brokers: c.Brokers, SASL: kafka.SASL{Mechanism: "PLAIN", User: kafkatest.User, Password: kafkatest.UserPassword}})
	for _, c := range []struct {
		role topics.Role
		want string
	}{
		{topics.Agent, `topic "` + p.Observations + `": the user lacks the permission Write`},
		{topics.Miner, `topic "` + p.Observations + `": the user lacks the permission Read`},
		{topics.Subscriber, ""},
	} {
		_, _, err := topics.Ready(t.Context(), k, p.For(c.role))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("role %d: got %v, want %q", c.role, err, c.want)
		}
	}
	got := dustbuster(t, kafkatest.UserPassword, "subscribe", "--once", "--rules", "-", "--rules-topic", p.Rules, "--brokers", c.Brokers[0],
		"--sasl-mechanism", "plain", "--sasl-user", kafkatest.User) // Read is all that a subscriber needs
	if got.expect(t, 0); got.stdout != "" {
		t.Errorf("rules out of nothing: %v", got)
	}
	t.Log(got.stderr)

	allow(t, c.Brokers[0], p.Observations, kafkago.ACLOperationTypeDescribeConfigs)
	if err := openKafka(t, kafka.Options{Brokers: c.Brokers, SASL: kafka.SASL{Mechanism: "PLAIN", User: kafkatest.Admin, Password: kafkatest.AdminPassword}}).
		Alter(t.Context(), p.Observations, map[string]string{"retention.ms": "1000"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return strings.Contains(alice("check").stdout, "retention.ms is 1000 (1s)") })
	alice("create").expect(t, 1, "not authorized", p.Observations, "AlterConfigs")
}

// allow gives the user permissions on a topic.
func allow(t testing.TB, broker, topic string, operations ...kafkago.ACLOperationType) {
	t.Helper()
	client := &kafkago.Client{Addr: kafkago.TCP(broker), Transport: &kafkago.Transport{
		SASL: plain.Mechanism{Username: kafkatest.Admin, Password: kafkatest.AdminPassword}, Context: t.Context()}}
	var acls []kafkago.ACLEntry
	for _, o := range operations {
		acls = append(acls, kafkago.ACLEntry{ResourceType: kafkago.ResourceTypeTopic, ResourceName: topic, ResourcePatternType: kafkago.PatternTypeLiteral,
			Principal: "User:" + kafkatest.User, Host: "*", Operation: o, PermissionType: kafkago.ACLPermissionTypeAllow})
	}
	res, err := client.CreateACLs(t.Context(), &kafkago.CreateACLsRequest{ACLs: acls})
	must(t, err)
	must(t, errors.Join(res.Errors...))
}
