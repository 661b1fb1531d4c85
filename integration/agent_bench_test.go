package integration

import (
	"testing"
	"time"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/combine"
	"dustbuster/operators/window/evidence"
)

// BenchmarkAgent takes a whole log through an agent into a real Kafka: followed,
// and from a topic of four partitions. Lines per second of the clock and per
// second of the agent's processor time; what it sent, and what that takes on
// disk.
func BenchmarkAgent(b *testing.B) {
	c, k := sharedKafka(b)
	lines := benchLines(b)
	log := plainLog(b)
	from := topicOf(b, k, 4, nil)
	produceLines(b, c, k, from, 4, lines)
	for _, test := range []struct {
		name string
		args []string
	}{
		{"tail", []string{"--tail", log}},
		{"topic", []string{"--lines-topic", from}},
	} {
		b.Run(test.name, func(b *testing.B) {
			var took, busy time.Duration
			var s status
			for b.Loop() {
				to := topicOf(b, k, 12, nil)
				start := time.Now()
				a := startAgent(b, c, to, append([]string{"--state", b.TempDir(), "--consumer-group", to}, test.args...)...)
				for s = (status{}); s.Lines["all"] < len(lines) || s.Waiting > 0; time.Sleep(5 * time.Millisecond) {
					s, _ = a.status(b)
				}
				took += time.Since(start)
				b.ReportMetric(float64(peakOf(a.pid()))/1e6, "peak-MB")
				a.end(b)
				busy += a.cmd.ProcessState.UserTime() + a.cmd.ProcessState.SystemTime()
				b.ReportMetric(float64(c.Size(b, to)), "disk-B")
			}
			b.ReportMetric(float64(len(lines)*b.N)/took.Seconds(), "lines/s")
			b.ReportMetric(float64(len(lines)*b.N)/busy.Seconds(), "lines/cpu-s")
			b.ReportMetric(float64(s.Lines["admitted"]), "hits")
			b.ReportMetric(float64(s.Sent.Observations), "observations")
			b.ReportMetric(float64(s.Sent.Records), "records")
			b.ReportMetric(float64(s.Sent.Bytes), "value-B")
		})
	}
}

// BenchmarkCombinedLine is KnownLine for an agent: from the bytes of a line to the
// word that nothing is new. User time says more than the clock's where others work, too.
func BenchmarkCombinedLine(b *testing.B) {
	lines := benchLines(b)
	parser, err := weblog.New("combined")
	must(b, err)
	gate, err := admit.New(admit.Defaults())
	must(b, err)
	c, err := combine.New(combine.Options{Pane: 7200, Entries: 1 << 20, MaxBytes: 1 << 30, Key: [2]uint64{1, 2}})
	must(b, err)
	var h weblog.Hit
	var o evidence.Observation
	add := func(line []byte) {
		if parser.Parse(&h, line[:len(line)-1]) != nil {
			return
		}
		if site, why := gate.Admit(&o, &h); why == admit.Admitted {
			c.Add(site, &o)
		}
	}
	for _, line := range lines {
		add(line)
	}
	for range c.Drain() {
	}
	b.ReportAllocs()
	start := userTime(b)
	i := 0
	for b.Loop() {
		add(lines[i])
		if i++; i == len(lines) {
			i = 0
		}
	}
	b.ReportMetric(float64((userTime(b)-start).Nanoseconds())/float64(b.N), "user-ns/op")
}
