package integration

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/kafkatest"
	"dustbuster/operators/rule/report"
	"dustbuster/stream/kafka"
)

// applier is the command of an applier that follows a topic: it answers each URL with the
// canonical form by the present rules.
type applier struct {
	in     io.Writer
	out    *bufio.Reader
	stderr bytes.Buffer
}

// startApplier starts a command that reads URLs and prints forms.
func startApplier(t *testing.T, cmd *exec.Cmd) *applier {
	t.Helper()
	a := &applier{}
	cmd.Stderr = &a.stderr
	dies(cmd)
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil || a.stderr.Len() > 0 {
			t.Errorf("the applier's end: %v\n%s", err, &a.stderr)
		}
	})
	a.in, a.out = in, bufio.NewReader(out)
	return a
}

// makes waits until the applier gives a form.
func (a *applier) makes(t *testing.T, url, want string) {
	t.Helper()
	await(t, patience, url+" becomes "+want, func() (string, bool) {
		_, err := io.WriteString(a.in, url+"\n")
		must(t, err)
		got, err := a.out.ReadString('\n')
		must(t, err)
		return got, got == want+"\n"
	}, &a.stderr)
}

// pythonApplier is the applier in Python, which follows a topic with confluent-kafka.
func pythonApplier(t *testing.T, source string) *exec.Cmd {
	t.Helper()
	python := cmp.Or(os.Getenv("DUSTBUSTER_PYTHON"), "python3")
	if out, err := exec.Command(python, "-c", "import confluent_kafka").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: %s has no confluent-kafka (name another in DUSTBUSTER_PYTHON): the applier does not follow a topic\n%s", python, out)
	}
	cmd := exec.Command(python, "-m", "dustbuster_rules", "canon", "--rules", source)
	cmd.Dir = filepath.Join("..", "sinks", "appliers", "python")
	return cmd
}

// The applier in Python holds the owner's set, as the subscriber in Go does, while owners
// come and go, one writes late, and Kafka's cleaner takes what it may.
func TestPythonApplierOnKafka(t *testing.T) {
	t.Parallel()
	followsOwners(t, pythonApplier)
}

// followsOwners starts appliers at several moments of the topic's life.
func followsOwners(t *testing.T, command func(t *testing.T, source string) *exec.Cmd) {
	r := newRulesTopic(t, kafkatest.Shared(t).Brokers)
	start := func() *applier {
		return startApplier(t, command(t, "kafka://"+strings.Join(r.brokers, ",")+"/"+r.name))
	}
	const url = "http://www.example.org/?sid=1&ref=2&utm=3&q=4"
	const other = "http://b.example.org/?sid=1&q=4"
	first := start() // of a topic without records
	first.makes(t, url, url)
	a, _ := r.own(t, "a", 7)
	publish(t, a, "www.example.org", 1, "sid", "ref")
	publish(t, a, "b.example.org", 1, "q")
	first.makes(t, url, "http://www.example.org/?utm=3&q=4")
	first.makes(t, other, "http://b.example.org/?sid=1")
	late := slices.DeleteFunc(r.records(t), func(r kafka.Record) bool { return string(r.Key) == "owner" })

	b, _ := r.own(t, "b", 1) // another incarnation of the group
	publish(t, b, "www.example.org", 2, "ref", "utm")
	publish(t, b, "www.example.org", 3, "utm")
	r.clean(t)
	second := start()
	for _, p := range []*applier{first, second} {
		p.makes(t, url, "http://www.example.org/?sid=1&ref=2&q=4")
	}

	// All that the first owner has ever written comes again.
	must(t, r.cluster.Produce(t.Context(), r.name, 0, late))
	publish(t, b, "b.example.org", 2, "sid") // is read after what came late
	for _, p := range []*applier{first, second, start()} {
		p.makes(t, other, "http://b.example.org/?q=4")
		p.makes(t, url, "http://www.example.org/?sid=1&ref=2&q=4")
	}

	// The cleaner has dropped the owner's newer records, and the owner wrote them again.
	r.clean(t)
	eventually(t, func() bool { return b.Stats().Mended > 0 })
	publish(t, b, "b.example.org", 3)
	for _, p := range []*applier{first, second, start()} {
		p.makes(t, other, other)
		p.makes(t, url, "http://www.example.org/?sid=1&ref=2&q=4")
	}
}

// The applier in Python writes reports that the program can read, into the partition of
// their site.
func TestPythonReportsOnKafka(t *testing.T) {
	t.Parallel()
	r := newRulesTopic(t, kafkatest.Shared(t).Brokers)
	cmd := pythonApplier(t, "")
	cmd.Args = append(cmd.Args[:1], "-c", `
import sys
from dustbuster_rules import Exploration
from dustbuster_rules.reports import reporter_of
reporter = reporter_of(sys.argv[1])
for n in range(8):
    site = f"site{n}.example"
    reporter.send(Exploration(site, f"http://{site}/?sid=1", f"http://{site}/", '"v"').report(b"one", b"other", "crawler"))
reporter.close()
`, "kafka://"+strings.Join(r.brokers, ",")+"/"+r.name)
	succeed(t, cmd)
	ranges, err := r.cluster.Offsets(t.Context(), r.name)
	must(t, err)
	read := 0
	for partition := range ranges {
		for _, record := range readTo(t, r.reader(t).Add(r.name, partition, kafka.First), ranges[partition].End) {
			one, err := report.Parse(record.Value)
			if err != nil {
				t.Fatalf("%s: %v", record.Value, err)
			}
			if read++; one.Alike() || string(record.Key) != one.Site || kafka.PartitionOf(record.Key, len(ranges)) != partition {
				t.Errorf("partition %d, key %s: %+v", partition, record.Key, one)
			}
		}
	}
	if read != 8 {
		t.Errorf("%d reports, want 8", read)
	}
}
