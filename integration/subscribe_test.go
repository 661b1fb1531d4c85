package integration

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/rules"
)

// paramsOf are the rules of a file, by site and parameter.
func paramsOf(t testing.TB, text string) string {
	t.Helper()
	list, err := rules.Read(strings.NewReader(text))
	must(t, err)
	var all []string
	for _, site := range list.Sites {
		for _, r := range site.Rules {
			all = append(all, site.Name+":"+r.Params().Param)
		}
	}
	return strings.Join(all, " ")
}

// A batch crawler gets the rules of this moment, as a file, as standard output, or
// straight from the topic.
func TestSubscribeOnce(t *testing.T) {
	t.Parallel()
	r := newRulesTopic(t, kafkatest.Shared(t).Brokers)
	a, _ := r.own(t, "a", 1)
	publish(t, a, "www.example.org", 1, "sid", "ref")
	publish(t, a, "b.example.org", 1, "q")
	brokers, path := strings.Join(kafkatest.Shared(t).Brokers, ","), filepath.Join(t.TempDir(), "rules.jsonl")
	once := func(args ...string) ran {
		return dustbuster(t, "", append([]string{"subscribe", "--once", "--brokers", brokers, "--rules-topic", r.name}, args...)...)
	}
	once("--rules", path, "--exec", `wc -l < "$DUSTBUSTER_RULES"`).expect(t, 0, "3\n")
	text, err := os.ReadFile(path)
	if got := paramsOf(t, string(text)); err != nil || got != "b.example.org:q www.example.org:sid www.example.org:ref" {
		t.Errorf("%v, %s", err, got)
	}
	out := once("--rules", "-", "--site", "b.example.org")
	if out.expect(t, 0); paramsOf(t, out.stdout) != "b.example.org:q" {
		t.Errorf("prints %v", out)
	}
	out = once("--rules", "-", "--deny", "b.example.org")
	if out.expect(t, 0); paramsOf(t, out.stdout) != "www.example.org:sid www.example.org:ref" {
		t.Errorf("prints %v", out)
	}
	once("--rules", path, "--site", "b.example.org", "--exec", "exit 3").expect(t, 1, "run --exec", "exit status 3")

	source := "kafka://" + brokers + "/" + r.name
	if out := dustbuster(t, "", "export", "jsonl", "--rules", source); out.stdout != string(text) {
		t.Errorf("export prints %v", out)
	}
	if got := canonOf(t, source, "http://www.example.org/x?sid=1&ref=2&q=3\n"); got != "http://www.example.org/x?q=3\n" {
		t.Errorf("canon prints %s", got)
	}

	// What is wrong is said.
	flags := []string{"subscribe", "--once", "--rules", path}
	dustbuster(t, "", append(flags, "--brokers", "127.0.0.1:1")...).expect(t, 1, "127.0.0.1:1")
	dustbuster(t, "", append(flags, "--brokers", brokers, "--rules-topic", "no-such-topic")...).expect(t, 1, "no-such-topic", "topics create")
	dustbuster(t, "", "canon", "--rules", "kafka://127.0.0.1:1/x").expect(t, 1, "127.0.0.1:1")
	dustbuster(t, "", append(flags, "--brokers", brokers, "--rules-topic", r.name, "--rules", filepath.Join(path, "x"))...).expect(t, 1, "keep rules in")
}

// A file is kept current, a command is run after each change and again if it failed,
// and not for what the file has already.
func TestSubscribeFollows(t *testing.T) {
	t.Parallel()
	r := newRulesTopic(t, kafkatest.Shared(t).Brokers)
	a, _ := r.own(t, "a", 1)
	publish(t, a, "www.example.org", 1, "sid")
	dir := t.TempDir()
	path, ran := filepath.Join(dir, "rules.jsonl"), filepath.Join(dir, "ran")
	start := func() *running {
		return startSubscriber(t, r.brokers, r.name, path, "--exec",
			"end=0; test ! -e "+filepath.Join(dir, "broken")+" || end=1; wc -l < $DUSTBUSTER_RULES >> "+ran+"; exit $end")
	}
	lines := func(want string) {
		t.Helper()
		if got := awaitFile(ran, []byte(want)); string(got) != want {
			t.Fatalf("the command saw %q lines, want %q\n", got, want)
		}
	}
	s := start()
	lines("1\n")
	must(t, os.WriteFile(filepath.Join(dir, "broken"), nil, 0o600))
	publish(t, a, "www.example.org", 2, "sid", "ref")
	lines("1\n2\n")
	must(t, os.Remove(filepath.Join(dir, "broken")))
	publish(t, a, "b.example.org", 1, "q")
	lines("1\n2\n3\n")
	s.end(t)
	if !strings.Contains(s.stderr.String(), "it runs again at the next change") {
		t.Errorf("nothing is said of the failure: %v", s)
	}
	s = start()
	time.Sleep(2 * time.Second)
	publish(t, a, "b.example.org", 2)
	lines("1\n2\n3\n2\n")
	s.end(t)
	text, err := os.ReadFile(path)
	if got := paramsOf(t, string(text)); err != nil || got != "www.example.org:sid www.example.org:ref" {
		t.Errorf("%v, %s", err, got)
	}
}
