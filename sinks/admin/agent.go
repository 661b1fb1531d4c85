package admin

import (
	"encoding/json"
	"net/http"
	"runtime"
	"time"

	"dustbuster/stream/agent"
	"dustbuster/stream/tail"

	"github.com/prometheus/client_golang/prometheus"
)

// Agent is the data shown by the listener of an agent, which has no rules: health, metrics,
// status and profiles. Its methods have the properties of State's methods.
type Agent interface {
	Status() AgentStatus
	Probes
}

// AgentStatus describes the state of an agent.
type AgentStatus struct {
	Version string
	agent.Status
	Tail tail.Stats // of followed logs
	Lags []tail.Lag // the same, by file
	Lag  int64      // offsets of topics not yet read
}

// OpenAgent is Open for an agent.
func OpenAgent(o Options, s Agent) (*Server, error) {
	return open(o, func(d *door) http.Handler { return agentHandler(s, d) })
}

const agentIndex = `dustbuster agent

/healthz
/readyz
/metrics
/api/v1/status
/debug/pprof/
`

// agentHandler handles the requests of an agent's Server, behind the door.
func agentHandler(s Agent, d *door) http.Handler {
	mux := common(s, d, agentIndex)
	mux.Handle("GET /metrics", metrics(agentCollector{s}, d))
	mux.HandleFunc("GET /api/v1/status", status(s.Status))
	return d.guard(mux)
}

// agentCollector turns the status of an agent into metrics.
type agentCollector struct{ state Agent }

// agentMetric is one number of an agent's status.
type agentMetric struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(*AgentStatus) float64
}

var (
	committedDesc = desc("last_commit_timestamp_seconds", "When it was last noted how far lines are dealt with, in Unix time.")

	agentNumbers = []agentMetric{
		{desc("read_bytes_total", "Bytes of lines read."), prometheus.CounterValue, func(s *AgentStatus) float64 { return float64(s.Bytes) }},
		{desc("lag_offsets", "Offsets of topics of lines that are not read yet."), prometheus.GaugeValue, func(s *AgentStatus) float64 { return float64(s.Lag) }},
		{desc("lost_offsets_total", "Offsets of topics of lines that were deleted before they were read, or could not be read."), prometheus.CounterValue, func(s *AgentStatus) float64 { return float64(s.Lost) }},
		{desc("sent_observations_total", "Observations that Kafka has acknowledged."), prometheus.CounterValue, func(s *AgentStatus) float64 { return float64(s.Sent.Observations) }},
		{desc("sent_dead_letters_total", "Lines that could not be parsed and that Kafka has acknowledged."), prometheus.CounterValue, func(s *AgentStatus) float64 { return float64(s.Sent.Letters) }},
		{desc("sent_records_total", "Records that Kafka has acknowledged."), prometheus.CounterValue, func(s *AgentStatus) float64 { return float64(s.Sent.Records) }},
		{desc("sent_bytes_total", "Bytes of their keys and values, before compression."), prometheus.CounterValue, func(s *AgentStatus) float64 { return float64(s.Sent.Bytes) }},
		{desc("waiting_observations", "Observations gathered and not yet sent."), prometheus.GaugeValue, func(s *AgentStatus) float64 { return float64(s.Waiting) }},
		{desc("remembered_observations", "Observations that are known to have been sent: what they cover is not sent again."), prometheus.GaugeValue, func(s *AgentStatus) float64 { return float64(s.Remembered) }},
		{desc("errors_total", "Errors after which the program went on."), prometheus.CounterValue, func(s *AgentStatus) float64 { return float64(s.Errors) }},
	}
)

// Describe sends the descriptors of Collect.
func (c agentCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{infoDesc, linesDesc, rereadDesc, droppedDesc, committedDesc, fileBytesDesc, fileSecondsDesc} {
		out <- d
	}
	for _, n := range agentNumbers {
		out <- n.desc
	}
	for _, n := range tailNumbers {
		out <- n.desc
	}
}

// Collect looks at the status once.
func (c agentCollector) Collect(out chan<- prometheus.Metric) {
	s := c.state.Status()
	send := func(d *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, kind, value, labels...)
	}
	send(infoDesc, prometheus.GaugeValue, 1, s.Version, runtime.Version())
	sendLines(&s.Counts, send)
	send(droppedDesc, prometheus.CounterValue, float64(s.Ahead), aheadOfClock)
	for _, n := range agentNumbers {
		send(n.desc, n.kind, n.value(&s))
	}
	tails := Status{Tail: s.Tail}
	for _, n := range tailNumbers {
		send(n.desc, n.kind, n.value(&tails))
	}
	sendFiles(s.Lags, send)
	if !s.Committed.IsZero() {
		send(committedDesc, prometheus.GaugeValue, float64(s.Committed.UnixNano())/float64(time.Second))
	}
}

// The form of JSON.
type (
	agentJSON struct {
		Version    string         `json:"version"`
		Started    time.Time      `json:"started"`
		Lines      map[string]int `json:"lines"`
		Bytes      int64          `json:"bytes"`
		Dropped    map[string]int `json:"hits_dropped"`
		Lag        int64          `json:"lag_offsets"`
		Lost       int64          `json:"lost_offsets"`
		Sent       sentJSON       `json:"sent"`
		Waiting    int            `json:"waiting_observations"`
		Remembered int            `json:"remembered_observations"`
		Tail       tailJSON       `json:"tail"`
		Files      []fileJSON     `json:"files,omitempty"`
		Committed  time.Time      `json:"committed,omitzero"`
		Errors     int            `json:"errors"`
		Error      string         `json:"last_error,omitempty"`
	}
	sentJSON struct {
		Observations int `json:"observations"`
		Letters      int `json:"dead_letters"`
		Records      int `json:"records"`
		Bytes        int `json:"bytes"`
	}
)

// MarshalJSON is the form of an agent's /api/v1/status.
func (s AgentStatus) MarshalJSON() ([]byte, error) {
	out := agentJSON{Version: s.Version, Started: s.Started.UTC(), Lines: counts(lines(&s.Counts)), Bytes: s.Bytes,
		Dropped: map[string]int{aheadOfClock: s.Ahead}, Lag: s.Lag, Lost: s.Lost, Sent: sentJSON(s.Sent), Waiting: s.Waiting, Remembered: s.Remembered,
		Tail: tailJSON(s.Tail), Files: files(s.Lags), Committed: s.Committed.UTC(), Errors: s.Errors, Error: s.LastError}
	out.Lines["all"], out.Lines["reread"] = s.Counts.Lines, s.Counts.Reread.All()
	return json.Marshal(out)
}
