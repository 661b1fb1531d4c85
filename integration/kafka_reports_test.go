package integration

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
	"dustbuster/stream/rules"
	"dustbuster/stream/subscribe"
)

// A crawler follows the topic of rules and writes reports to a topic. The owner of the site
// tries the pair, and takes back a rule that has become wrong. Records that are no reports of
// their partition are passed over and counted.
func TestKafkaReports(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 2)
	topic := s.group + ".reports"
	succeed(t, exec.Command(program, "topics", "create", "--brokers", strings.Join(c.Brokers, ","), "--replicas", "1", "--window", "0",
		"--observations-topic", s.observations, "--rules-topic", s.rules, "--events-topic", s.events, "--reports-topic", topic))
	site, origin, _ := startLive(t)
	m := startMiner(t, c, s, "one", append(trialArgs(origin, 1), "--reports-topic", topic)...)
	a := sendLines(t, c, s.observations, crowdLines(2))
	live := followRules(t, c, s.rules)
	dropsSid := func(site string) bool {
		form, _ := live.Canonical(fmt.Sprintf("http://%s/story?id=7&sid=new", site))
		return form == fmt.Sprintf("http://%s/story_7", site)
	}
	eventually(t, func() bool { return dropsSid("s0.example") && dropsSid("s1.example") })
	version := live.Version()

	site.move(func(r *http.Request) bool { return r.URL.Query().Has("sid") && strings.HasPrefix(r.Host, "s0.") })
	reporter, err := subscribe.OpenReporter(t.Context(), kafka.Options{Brokers: c.Brokers}, topic)
	must(t, err)
	defer reporter.Close()
	send := func(host, sid string, found, held string) {
		t.Helper()
		r, ok := live.Report(fmt.Sprintf("http://%s/story?id=%s&sid=%s", host, sid, sid), fmt.Sprintf("http://%s/story_%s", host, sid), sha256.Sum256([]byte(found)), sha256.Sum256([]byte(held)))
		if !ok {
			t.Fatal("no rules of the site")
		}
		must(t, reporter.Send(t.Context(), r))
	}
	send("s1.example", "3", "one page", "one page")
	for _, value := range []string{"nonsense", `{"site":"s1.example"}`} {
		must(t, k.Produce(t.Context(), topic, 0, []kafka.Record{{Key: []byte("s1.example"), Value: []byte(value)}}))
	}
	for id := 1; id <= 5; id++ { // the first wrong pairs may become exceptions of the rule
		send("s0.example", fmt.Sprint(id), "one page", "another page")
	}
	eventually(t, func() bool { return !dropsSid("s0.example") })
	if !dropsSid("s1.example") || live.Version() == version {
		t.Errorf("the other site lost its rule, or the list has the same version %s", version)
	}
	var got status
	eventually(t, func() bool {
		got, _ = m.status(t)
		refused := 0
		for _, p := range got.Partitions {
			refused += p.Refused
		}
		return refused == 2 && got.Validate.Reports["s1.example"].Alike == 1 && got.Validate.Reports["s0.example"].Different == 5 && got.Validate.Sites["s0.example"].Reported.Wrong > 0
	})
	m.stderr.awaits(t, "a record is skipped")
	if n := got.Validate.Reports["s1.example"].Different; n != 0 {
		t.Errorf("%d reports of different pages of the other site", n)
	}
	end(t, a, m)
}

// Reports that are written while nobody owns the partition, or to a topic that has just been made again, are read,
// and once.
func TestKafkaReportsWait(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 2)
	topic := s.group + ".reports"
	create := func() {
		must(t, k.Create(t.Context(), kafka.Topic{Name: topic, Partitions: 2, Replicas: 1, Config: forever}))
	}
	create()
	_, origin, _ := startLive(t)
	start := func(name string) *running {
		return startMiner(t, c, s, name, append(trialArgs(origin, 1), "--reports-topic", topic)...)
	}
	a := sendLines(t, c, s.observations, crowdLines(2))
	live := followRules(t, c, s.rules)
	send := func(id int) {
		t.Helper()
		reporter, err := subscribe.OpenReporter(t.Context(), kafka.Options{Brokers: c.Brokers}, topic)
		must(t, err)
		defer reporter.Close()
		sum := sha256.Sum256([]byte("one page"))
		r, ok := live.Report(fmt.Sprintf("http://s0.example/story?id=%d&sid=%[1]d", id), fmt.Sprintf("http://s0.example/story_%d", id), sum, sum)
		if !ok {
			t.Fatal("no rules of the site")
		}
		must(t, reporter.Send(t.Context(), r))
	}
	heard := func(m *running, want int) {
		t.Helper()
		await(t, patience, fmt.Sprint(want, " reports"), func() (int, bool) {
			got, _ := m.status(t)
			n := got.Validate.Reports["s0.example"].Alike
			return n, n == want
		}, m)
	}
	m := start("one")
	eventually(t, func() bool {
		form, _ := live.Canonical("http://s0.example/story?id=7&sid=new")
		return form == "http://s0.example/story_7"
	})
	send(1)
	heard(m, 1)
	m.end(t)
	send(2) // nobody owns the partition
	m = start("two")
	heard(m, 1) // of its own
	deleteTopic(t, c, k, topic)
	m.stderr.awaits(t, "cannot read reports")
	create()
	send(3) // before the miner comes back to the topic
	heard(m, 2)
	m.end(t)
	a.end(t)
}

// followRules follows a topic of rules until the test ends.
func followRules(t *testing.T, c *kafkatest.Cluster, topic string) *rules.Live {
	t.Helper()
	follower, err := subscribe.Open(t.Context(), kafka.Options{Brokers: c.Brokers}, subscribe.Options{Topic: topic})
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- follower.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		follower.Close()
	})
	return follower.Live()
}
