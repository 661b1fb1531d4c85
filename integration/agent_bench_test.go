package integration

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"dustbuster/integration/kafkatest"
	"dustbuster/stream/kafka"
)

// BenchmarkAgent takes a whole log through an agent into a real Kafka: followed,
// and from a topic of four partitions. Lines per second of the clock and per
// second of the agent's processor time; what it sent, and what that takes on
// disk.
func BenchmarkAgent(b *testing.B) {
	c := kafkatest.Shared(b)
	k := openKafka(b, kafka.Options{Brokers: c.Brokers})
	lines := benchLines(b)
	log := plainLog(b)
	from := topicOf(b, k, 4, nil)
	produceLines(b, c, k, from, 4, lines)
	for name, args := range map[string][]string{
		"tail":  {"--tail", log},
		"topic": {"--lines-topic", from},
	} {
		b.Run(name, func(b *testing.B) {
			var took, busy time.Duration
			var s agentStatus
			for b.Loop() {
				to := topicOf(b, k, 12, nil)
				address := freeAddress(b)
				args := append([]string{"--state", b.TempDir(), "--consumer-group", to, "--admin-listen", address}, args...)
				start := time.Now()
				a := startAgent(b, c, to, args...)
				for s = (agentStatus{}); s.Lines["all"] < len(lines) || s.Waiting > 0; time.Sleep(5 * time.Millisecond) {
					s.ask(address)
				}
				took += time.Since(start)
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

// agentStatus is what the admin listener of an agent says.
type agentStatus struct {
	Lines   map[string]int `json:"lines"`
	Waiting int            `json:"waiting_observations"`
	Sent    struct {
		Observations, Records, Bytes int
	} `json:"sent"`
}

// ask asks how the agent is doing, and leaves all as it is if nobody answers yet.
func (s *agentStatus) ask(address string) {
	answer, err := http.Get("http://" + address + "/api/v1/status")
	if err != nil {
		return
	}
	defer answer.Body.Close()
	_ = json.NewDecoder(answer.Body).Decode(s) // it is asked again
}
