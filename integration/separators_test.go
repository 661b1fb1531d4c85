package integration

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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
	d := trier(t, origin, log, state, "--hold-share", "1")
	awaitSeparators(t, list, "&", d)
	if _, report := runExport(t, "dud", "--rules", list, "--site", "a.test"); strings.Contains(report, ": ignore the parameter sid: ") {
		t.Errorf("left out:\n%s", report)
	}

	addSemicolon(t, log)
	awaitSeparators(t, list, "&;", d)
	d.kill(t)

	for _, path := range []string{list, log} { // the daemon must know by itself
		must(t, os.Remove(path))
	}
	writeFile(t, log, []byte(liveLog()))
	awaitSeparators(t, list, "&;", trier(t, origin, log, state, "--hold-share", "1"))
	asDocumented(t, publishedSchema, readFile(t, list))
	if file, report := runExport(t, "dud", "--rules", list, "--site", "a.test"); strings.Contains(string(readFile(t, file)), "sid") ||
		!strings.Contains(report, ": ignore the parameter sid: the site has queries with ;") {
		t.Errorf("exported\n%s%s", readFile(t, file), report)
	}
}

// Miners do as the daemon does, and the next owner of a partition goes on from what the last
// one knew.
func TestMinersSeparators(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	_, origin, log := startLive(t)
	s := newTopics(t, c, k, 1)
	startAgent(t, c, s.observations, "--tail", log, "--state", t.TempDir(), "--window", "0")
	list := filepath.Join(t.TempDir(), "rules.jsonl")
	args := []string{"subscribe", "--once", "--brokers", strings.Join(c.Brokers, ","), "--rules-topic", s.rules, "--rules", list}
	come := func(want string, m *running) {
		t.Helper()
		awaitSeparators(t, list, want, m, args...)
	}
	first := startMiner(t, c, s, "first", trialArgs(origin, 1)...)
	come("&", first)
	addSemicolon(t, log)
	come("&;", first)
	first.kill(t)

	next := startMiner(t, c, s, "next", trialArgs(origin, 2)...)
	next.stderr.awaits(t, "joining the group of miners")
	come("&;", next)
	next.end(t)
	if !strings.Contains(keysOf(t, k, s.rules), "/state/separators") {
		t.Error("what was seen is no state of the site's")
	}
	come("&;", next)
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

// awaitSeparators waits until a list holds rules, and all of them say these separators. The list
// may be made by a command.
func awaitSeparators(t *testing.T, list, want string, d *running, command ...string) {
	t.Helper()
	await(t, patience, "rules with separators "+want, func() (string, bool) {
		if len(command) > 0 {
			_ = exec.Command(program, command...).Run() // there may be no rules yet
		}
		text, _ := os.ReadFile(list)
		rules := bytes.Count(text, []byte(`"state":"valid"`))
		return string(text), rules > 0 && rules == bytes.Count(text, []byte(`"separators":"`+want+`"`)) && bytes.Contains(text, []byte(`"params":["sid"]`))
	}, d)
}
