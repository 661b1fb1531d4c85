package admin

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"dustbuster/stream/agent"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

type shownAgent struct {
	status AgentStatus
	ready  error
}

func (a shownAgent) Status() AgentStatus { return a.status }
func (a shownAgent) Ready() error        { return a.ready }
func (a shownAgent) Healthy() error      { return nil }

// fullAgent has a different number in every place.
func fullAgent() shownAgent {
	return shownAgent{status: AgentStatus{Version: "v1", Lag: 1, Tail: tail.Stats{Bytes: 2, Following: 3}, Lags: []tail.Lag{{File: "/a", Bytes: 16}},
		Status: agent.Status{Started: time.Unix(1767362400, 0), Bytes: 4, Ahead: 5, Lost: 15, Waiting: 6, Remembered: 7, Errors: 8, LastError: "x<y",
			Counts: records.Counts{Lines: 9, Malformed: 10}, Sent: agent.Sent{Observations: 11, Letters: 12, Records: 13, Bytes: 14},
			Committed: time.Unix(1767362401, 0)}}}
}

func TestAgentMetrics(t *testing.T) {
	_, _, body := get(t, localAgent(fullAgent()), "/metrics")
	for _, want := range []string{
		"lag_offsets 1", "lost_offsets_total 15", "tail_read_bytes_total 2", "tail_files 3", `tail_lag_bytes{file="/a"} 16`, `tail_lag_seconds{file="/a"} 0`, "read_bytes_total 4", `hits_dropped_total{reason="ahead_of_clock"} 5`,
		"waiting_observations 6", "remembered_observations 7", "errors_total 8", `lines_total{result="malformed"} 10`,
		"sent_observations_total 11", "sent_dead_letters_total 12", "sent_records_total 13", "sent_bytes_total 14",
		"last_commit_timestamp_seconds 1.767362401e+09",
	} {
		if !strings.Contains(body, "\ndustbuster_"+want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	problems, err := testutil.CollectAndLint(agentCollector{fullAgent()})
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	if _, _, body := get(t, localAgent(shownAgent{}), "/metrics"); strings.Contains(body, "last_commit") {
		t.Errorf("at the start:\n%s", body)
	}
}

func TestAgentAnswers(t *testing.T) {
	s := fullAgent()
	s.ready = errors.New("waiting for partitions")
	for path, want := range map[string]struct {
		code int
		text string
	}{
		"/":             {http.StatusOK, "/metrics\n"},
		"/healthz":      {http.StatusOK, "ok\n"},
		"/readyz":       {http.StatusServiceUnavailable, "waiting for partitions\n"},
		"/api/v1/rules": {http.StatusNotFound, ""},
		"/api/v1/status": {http.StatusOK, `"bytes": 4,
  "hits_dropped": {
    "ahead_of_clock": 5
  },
  "lag_offsets": 1,
  "lost_offsets": 15,
  "sent": {
    "observations": 11,
    "dead_letters": 12,
    "records": 13,
    "bytes": 14
  },
  "waiting_observations": 6,
  "remembered_observations": 7,`},
	} {
		if code, _, body := get(t, localAgent(s), path); code != want.code || !strings.Contains(body, want.text) {
			t.Errorf("%s: %d %s", path, code, body)
		}
	}
}
