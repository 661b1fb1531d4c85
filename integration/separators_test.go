package integration

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

// The rules that the daemon publishes say what separates parameters in its log. A line with
// another separator is in them within moments, a killed daemon has not forgotten the line,
// and the command exports accordingly.
func TestRunSeparators(t *testing.T) {
	t.Parallel()
	_, origin, log := startLive(t)
	state := t.TempDir()
	list := filepath.Join(state, "rules.jsonl")
	cmd, stderr := trier(t, origin, log, state, "", "--hold-share", "1")
	awaitSeparators(t, list, "&", stderr)
	if _, report := runExport(t, "dud", "--rules", list, "--site", "a.test"); strings.Contains(report, ": drop sid: ") {
		t.Errorf("left out:\n%s", report)
	}

	addSemicolon(t, log)
	awaitSeparators(t, list, "&;", stderr)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()

	for _, path := range []string{list, log} { // the daemon must know by itself
		must(t, os.Remove(path))
	}
	writeFile(t, log, []byte(liveLog()))
	_, stderr = trier(t, origin, log, state, "", "--hold-share", "1")
	awaitSeparators(t, list, "&;", stderr)
	asDocumented(t, publishedSchema, readFile(t, list))
	if file, report := runExport(t, "dud", "--rules", list, "--site", "a.test"); strings.Contains(string(readFile(t, file)), "sid") ||
		!strings.Contains(report, ": drop sid: the site has queries with ;") {
		t.Errorf("exported\n%s%s", readFile(t, file), report)
	}
}

// Miners do as the daemon does, and the next owner of a partition goes on from what the last
// one knew.
func TestMinersSeparators(t *testing.T) {
	t.Parallel()
	c := kafkatest.Shared(t)
	k := openKafka(t, kafka.Options{Brokers: c.Brokers})
	_, origin, log := startLive(t)
	s := newTopics(t, c, k, 1)
	startAgent(t, c, s.observations, "--tail", log, "--state", t.TempDir(), "--window", "0")
	list := filepath.Join(t.TempDir(), "rules.jsonl")
	args := []string{"subscribe", "--once", "--brokers", strings.Join(c.Brokers, ","), "--rules-topic", s.rules, "--rules", list}
	await := func(want string, m *member) {
		t.Helper()
		for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
			_ = exec.Command(program, args...).Run() // there may be no rules yet
			if saySeparators(list, want) {
				return
			}
		}
		text, _ := os.ReadFile(list)
		t.Fatalf("no rules with separators %q\n%s%s", want, text, &m.stderr)
	}
	first := startMiner(t, c, s, "first", trialArgs(origin, 1)...)
	await("&", first)
	addSemicolon(t, log)
	await("&;", first)
	first.kill(t)

	next := startMiner(t, c, s, "next", trialArgs(origin, 2)...)
	next.stderr.awaits(t, "joining the group of miners")
	await("&;", next)
	next.end(t)
	if !strings.Contains(keysOf(t, k, s.rules), "/state/separators") {
		t.Error("what was seen is no state of the site's")
	}
	await("&;", next)
}

// keysOf lists the keys of a topic.
func keysOf(t *testing.T, k *kafka.Cluster, topic string) string {
	t.Helper()
	var keys strings.Builder
	ranges, err := k.Offsets(t.Context(), topic)
	must(t, err)
	reader := kafka.NewReader(k, kafka.ReaderOptions{Compacted: true})
	defer reader.Close()
	for p, at := range ranges {
		from := reader.Add(topic, p, at.First)
		for next := at.First; next < at.End; {
			b, err := from.Read(t.Context())
			must(t, err)
			for _, r := range b.Records {
				keys.Write(append(r.Key, '\n'))
			}
			next = b.Next
		}
		from.Close()
	}
	return keys.String()
}

// addSemicolon adds a line to a log whose URL separates parameters at a semicolon.
func addSemicolon(t *testing.T, log string) {
	t.Helper()
	f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	defer f.Close()
	if _, err := f.WriteString(line("/story?id=1;sid=19f", liveSize("story", 1))); err != nil {
		t.Fatal(err)
	}
}

// saySeparators reports whether a list holds rules, and all of them say these separators.
func saySeparators(list, want string) bool {
	text, _ := os.ReadFile(list)
	rules := bytes.Count(text, []byte(`"state":"valid"`))
	return rules > 0 && rules == bytes.Count(text, []byte(`"separators":"`+want+`"`)) && bytes.Contains(text, []byte(`"params":["sid"]`))
}

// awaitSeparators waits until a list says these separators.
func awaitSeparators(t *testing.T, list, want string, stderr *bytes.Buffer) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if saySeparators(list, want) {
			return
		}
	}
	text, _ := os.ReadFile(list)
	t.Fatalf("no rules with separators %q\n%s%s", want, text, stderr)
}
