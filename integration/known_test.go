package integration

import (
	"bytes"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// listsOf asks a program for its rules from its start until it is ready, and returns the lists that it
// served. Until the rules are known it must say that they are not.
func listsOf(t *testing.T, r *running, path string) (served []string) {
	t.Helper()
	unknown := 0
	for begun := time.Now(); time.Since(begun) < patience; {
		ready, _ := ask(r.admin, "/readyz")
		switch code, text := ask(r.admin, path); code {
		case http.StatusOK:
			served = append(served, text)
		case http.StatusServiceUnavailable:
			unknown++
		case 0: // it does not listen yet
		default:
			t.Fatalf("%s: %d\n%s", path, code, text)
		}
		if ready == http.StatusOK && len(served) > 0 {
			t.Logf("%s: %d answers that the list is not known, %d lists", path, unknown, len(served))
			return served
		}
	}
	t.Fatalf("never ready: %v", r)
	return nil
}

// A daemon that begins with a log, or again with its state, serves no list of likely rules that is empty
// or lacks rules.
func TestNoEmptyList(t *testing.T) {
	t.Parallel()
	log, state := write(t, "access.log", bytes.Join(logLines(t, "testdata/semicomplete.log.gz"), nil)), t.TempDir()
	want := ""
	for _, when := range []string{"at first", "again"} {
		admin := freeAddress(t)
		d := begin(t, "the daemon", exec.Command(program, "run", "--tail", log, "--state", state, "--admin-listen", admin, "--window", "0", "--no-withhold"))
		d.admin = admin
		for _, text := range listsOf(t, d, "/api/v1/rules?state=likely") {
			if want == "" {
				want = text
			}
			if text == "" || len(online(text)) != len(online(want)) {
				t.Errorf("%s: a list of %d bytes, want %d", when, len(text), len(want))
			}
		}
		d.end(t)
	}
}

// online is the online part of a list: the rest comes with looks.
func online(text string) string { return string(onlineRules([]byte(text))) }

// A miner that begins, or takes over, serves no list that lacks rules of its partitions, likely or valid.
func TestKafkaNoEmptyList(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 4)
	_, origin, _ := startLive(t)
	lines := crowdLines(8)
	m := startMiner(t, c, s, "one", trialArgs(origin, 1)...)
	a := sendLines(t, c, s.observations, lines)
	awaitLikely(t, string(mineLines(t, lines, "--format", "vhost_combined")), patience, m)
	valid := "/api/v1/rules?state=valid"
	eventually(t, func() bool { return countOf(m.get(valid)) >= 8 })
	m.kill(t)
	a.end(t)
	for _, path := range []string{"/api/v1/rules?state=likely", valid} {
		m := startMiner(t, c, s, "its successor", trialArgs(origin, 1)...)
		least := -1
		for _, text := range listsOf(t, m, path) {
			if n := countOf(online(text)); least < 0 || n < least {
				least = n
			}
		}
		if least < 8 { // a rule of each site
			t.Errorf("%s: a list of %d rules", path, least)
		}
		m.kill(t)
	}
}

// countOf is the number of rules of a list.
func countOf(list string) int { return strings.Count(list, "\n") }
