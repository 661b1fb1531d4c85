package integration

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/sasl/plain"
)

// documented are the permissions of docs/kafka.md, by role.
func documented(t testing.TB) map[string][]kafkago.ACLEntry {
	t.Helper()
	text, err := os.ReadFile("../docs/kafka.md")
	must(t, err)
	_, block, _ := strings.Cut(string(text), "```acl\n")
	block, _, found := strings.Cut(block, "```")
	if !found {
		t.Fatal("docs/kafka.md has no block of permissions")
	}
	operations := map[string]kafkago.ACLOperationType{
		"Read": kafkago.ACLOperationTypeRead, "Write": kafkago.ACLOperationTypeWrite, "Create": kafkago.ACLOperationTypeCreate,
		"Alter": kafkago.ACLOperationTypeAlter, "AlterConfigs": kafkago.ACLOperationTypeAlterConfigs,
		"Describe": kafkago.ACLOperationTypeDescribe, "DescribeConfigs": kafkago.ACLOperationTypeDescribeConfigs,
	}
	kinds := map[string]kafkago.ResourceType{"topic": kafkago.ResourceTypeTopic, "group": kafkago.ResourceTypeGroup, "cluster": kafkago.ResourceTypeCluster}
	roles := map[string][]kafkago.ACLEntry{}
	for line := range strings.Lines(block) {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) != 4 || operations[f[1]] == 0 || kinds[f[2]] == 0 {
			t.Fatalf("docs/kafka.md: %q is no permission", line)
		}
		roles[f[0]] = append(roles[f[0]], kafkago.ACLEntry{Principal: "User:" + f[0], Operation: operations[f[1]], ResourceType: kinds[f[2]], ResourceName: f[3],
			ResourcePatternType: kafkago.PatternTypeLiteral, Host: "*", PermissionType: kafkago.ACLPermissionTypeAllow})
	}
	return roles
}

// guarded starts brokers on which each role has a user of its name with just what
// the documentation says, whose password is its name.
func guarded(t testing.TB, roles map[string][]kafkago.ACLEntry) []string {
	t.Helper()
	users := fmt.Sprintf("user_%s=%q", kafkatest.Admin, kafkatest.AdminPassword)
	for role := range roles {
		users += fmt.Sprintf(" user_%s=%q", role, role)
	}
	c := kafkatest.Start(t, kafkatest.Options{SASL: true, Config: map[string]string{
		"authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
		"super.users":           "User:" + kafkatest.Admin + ";User:ANONYMOUS", // the brokers among themselves
		"listener.name.clients.plain.sasl.jaas.config": fmt.Sprintf("org.apache.kafka.common.security.plain.PlainLoginModule required username=%q password=%q %s;",
			kafkatest.Admin, kafkatest.AdminPassword, users),
	}})
	client := &kafkago.Client{Addr: kafkago.TCP(c.Brokers...), Transport: &kafkago.Transport{
		SASL: plain.Mechanism{Username: kafkatest.Admin, Password: kafkatest.AdminPassword}, Context: t.Context()}}
	for role, acls := range roles {
		res, err := client.CreateACLs(t.Context(), &kafkago.CreateACLsRequest{ACLs: acls})
		if err == nil {
			err = errors.Join(res.Errors...)
		}
		if err != nil {
			t.Fatalf("permissions of %s: %v", role, err)
		}
		eventually(t, func() bool { // the broker has heard of them
			res, err := client.DescribeACLs(t.Context(), &kafkago.DescribeACLsRequest{Filter: kafkago.ACLFilter{PrincipalFilter: "User:" + role,
				ResourceTypeFilter: kafkago.ResourceTypeAny, ResourcePatternTypeFilter: kafkago.PatternTypeAny,
				Operation: kafkago.ACLOperationTypeAny, PermissionType: kafkago.ACLPermissionTypeAny}})
			if err != nil || res.Error != nil {
				t.Fatalf("permissions of %s: %v, %+v", role, err, res)
			}
			n := 0
			for _, r := range res.Resources {
				n += len(r.ACLs)
			}
			return n == len(acls)
		})
	}
	return c.Brokers
}

// With what docs/kafka.md says, and no more, every role does its work.
func TestDocumentedPermissionsSuffice(t *testing.T) {
	t.Parallel()
	roles := documented(t)
	brokers := guarded(t, roles)
	as := func(role string, args ...string) []string {
		return append(args, "--brokers", strings.Join(brokers, ","), "--sasl-mechanism", "plain", "--sasl-user", role)
	}
	extra := []string{"--lines-topic", "access-logs", "--dead-letters-topic", "dust.dead-letters"}

	dustbuster(t, "operator", as("operator", append([]string{"topics", "create", "--partitions", "2"}, extra...)...)...).expect(t, 0, `make topic "access-logs" with 2 partitions`)
	dustbuster(t, "operator", as("operator", append([]string{"topics", "create", "--partitions", "3"}, extra...)...)...).expect(t, 0, `give topic "dust.rules" 3 partitions`)
	dustbuster(t, "operator", as("operator", append([]string{"topics", "create", "--window", "48h"}, extra...)...)...).expect(t, 0, `retention.ms=352800000`)
	checked := dustbuster(t, "operator", as("operator", append([]string{"topics", "check", "--window", "48h"}, extra...)...)...)
	checked.expect(t, 0)
	if strings.Contains(checked.stdout, "unchecked") {
		t.Errorf("the operator cannot see all:\n%v", checked)
	}

	k := openKafka(t, kafka.Options{Brokers: brokers, SASL: kafka.SASL{Mechanism: "PLAIN", User: kafkatest.Admin, Password: kafkatest.AdminPassword}})
	lines := append([]kafka.Record{{Value: []byte("no line of a log")}}, kafka.Record{Value: []byte(goodLog())})
	must(t, k.Produce(t.Context(), "access-logs", 0, lines))
	agent := startAs(t, "agent", as("agent", append([]string{"agent", "--format", "combined", "--site", "www.example.org", "--admin-listen="}, extra...)...)...)
	miner := startAs(t, "miner", as("miner", "run", "--refine-interval", "100ms", "--no-withhold", "--admin-listen=")...)
	for _, topic := range []string{"dust.dead-letters", "dust.observations", "dust.rules", "dust.events"} {
		await(t, patience, "a record of "+topic, func() (int64, bool) {
			ranges, err := k.Offsets(t.Context(), topic)
			must(t, err)
			n := int64(0)
			for _, r := range ranges {
				n += r.End
			}
			return n, n > 0
		}, agent, miner)
	}
	dustbuster(t, "subscriber", as("subscriber", "subscribe", "--once", "--rules=-")...).expect(t, 0)
	for _, r := range []*running{agent, miner} {
		if text := r.stderr.String(); strings.Contains(text, "uthorized") || strings.Contains(text, "uthorization") || strings.Contains(text, "unchecked") {
			t.Errorf("something was not allowed:\n%s", text)
		}
	}
}

// startAs runs the program as a user while the test runs.
func startAs(t testing.TB, password string, args ...string) *running {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "DUSTBUSTER_KAFKA_SASL_PASSWORD="+password, composeKey, "DUSTBUSTER_KEEP_STATE="+t.TempDir())
	return begin(t, "the "+password, cmd)
}
