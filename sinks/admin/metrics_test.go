package admin

import (
	"bytes"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dustbuster/stream/tail"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

func TestMetrics(t *testing.T) {
	c := collector{show(fixed{status: full()})}
	want := `
# HELP dustbuster_lines_total Log lines read, by what became of them.
# TYPE dustbuster_lines_total counter
dustbuster_lines_total{result="admitted"} 100
dustbuster_lines_total{result="blank"} 1
dustbuster_lines_total{result="control_bytes"} 104
dustbuster_lines_total{result="directive"} 5
dustbuster_lines_total{result="host"} 105
dustbuster_lines_total{result="ignored_client"} 106
dustbuster_lines_total{result="malformed"} 4
dustbuster_lines_total{result="method"} 101
dustbuster_lines_total{result="other"} 7
dustbuster_lines_total{result="other_host"} 110
dustbuster_lines_total{result="oversized"} 2
dustbuster_lines_total{result="own_validator"} 107
dustbuster_lines_total{result="status"} 102
dustbuster_lines_total{result="target"} 103
dustbuster_lines_total{result="too_many_bytes"} 108
dustbuster_lines_total{result="too_many_tokens"} 109
dustbuster_lines_total{result="unknown_format"} 3
dustbuster_lines_total{result="wrapper"} 6
# HELP dustbuster_hits_dropped_total Admitted hits that were not kept, by reason.
# TYPE dustbuster_hits_dropped_total counter
dustbuster_hits_dropped_total{reason="ahead_of_clock"} 24
dustbuster_hits_dropped_total{reason="beyond_max_sites"} 23
dustbuster_hits_dropped_total{reason="late"} 21
dustbuster_hits_dropped_total{reason="shed"} 22
# HELP dustbuster_last_checkpoint_timestamp_seconds When the last checkpoint was begun, in Unix time.
# TYPE dustbuster_last_checkpoint_timestamp_seconds gauge
dustbuster_last_checkpoint_timestamp_seconds 1.7673624005e+09
# HELP dustbuster_last_checkpoint_duration_seconds How long the last checkpoint took.
# TYPE dustbuster_last_checkpoint_duration_seconds gauge
dustbuster_last_checkpoint_duration_seconds 1.5
`
	if err := testutil.CollectAndCompare(c, strings.NewReader(want), "dustbuster_lines_total", "dustbuster_hits_dropped_total",
		"dustbuster_last_checkpoint_timestamp_seconds", "dustbuster_last_checkpoint_duration_seconds"); err != nil {
		t.Error(err)
	}
}

// Each number of the status is exported under one name.
func TestNumbers(t *testing.T) {
	_, _, body := get(t, local(show(fixed{status: full()})), "/metrics")
	for _, want := range []string{
		"caught_up 1", "sites 2", "urls 132", "likely_pairs 134", "rules 136", "events_total 31", "errors_total 32", "state_bytes 33", "memory_budget_bytes 94", "memory_used_bytes 95", "urls_shed 74",
		"tail_read_bytes_total 41", "tail_oversized_lines_total 42", "tail_skipped_bytes_total 43", "tail_null_runs_total 44",
		"tail_rotations_total 45", "tail_truncations_total 46", "tail_abandoned_files_total 47", "tail_abandoned_bytes_total 48",
		"valid_rules 81", "tried_rules{state=\"refuted\"} 76", "verdicts_total{reason=\"unsafe\",state=\"undecided\"} 75", "held_updates 1", "fetch_requests_total 82", "fetch_bytes_total 83", "fetch_cache_hits_total 84",
		"fetch_refused_total{reason=\"robots\"} 85", "fetch_waited_seconds_total 86",
		"lines_reread_total 60", "tail_lag_bytes{file=\"/a\ufffd\"} 96", "tail_lag_bytes{file=\"/b\"} 97", "tail_lag_seconds{file=\"/b\"} 0", "tail_damaged_files_total 49", "tail_errors_total 50", "tail_files 51",
		"partition_lag{partition=\"5\"} 9", "partition_lost_records_total{partition=\"5\"} 92", "partition_refused_records_total{partition=\"5\"} 93",
	} {
		if !strings.Contains(body, "\ndustbuster_"+want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	for _, want := range []string{`dustbuster_build_info{goversion="go`, `version="v1.2.3"} 1`, "\ngo_goroutines ", "\nprocess_resident_memory_bytes "} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(body, "a.example") {
		t.Error("a site is in the metrics")
	}
	_, _, body = get(t, local(show(fixed{})), "/metrics")
	if strings.Contains(body, "dustbuster_last_checkpoint") || !strings.Contains(body, "\ndustbuster_caught_up 0\n") {
		t.Errorf("at the start:\n%s", body)
	}
}

func TestMetricsLint(t *testing.T) {
	problems, err := testutil.CollectAndLint(collector{show(fixed{status: full()})})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	_, _, body := get(t, local(show(fixed{status: full()})), "/metrics")
	var own bytes.Buffer
	for line := range strings.Lines(body) {
		if strings.Contains(line, "dustbuster_") {
			own.WriteString(line)
		}
	}
	if n := strings.Count(own.String(), "# HELP"); n != len(numbers)+len(tailNumbers)+16 { // two are the door's
		t.Errorf("%d metrics, want %d", n, len(numbers)+len(tailNumbers)+16)
	}
}

// counted counts the calls of Status.
type counted struct {
	*shown
	asked atomic.Int32
}

func (c *counted) Status() Status { c.asked.Add(1); return c.shown.Status() }

func TestScrapeLooksOnce(t *testing.T) {
	c := &counted{shown: show(fixed{status: full()})}
	h := local(c)
	get(t, h, "/metrics")
	if n := c.asked.Load(); n != 1 {
		t.Errorf("one scrape asked %d times", n)
	}
}

// Lines that wait in a file have waited since their arrival.
func TestSeconds(t *testing.T) {
	if got := seconds(tail.Lag{Since: time.Now().Add(-time.Hour)}); got < 3600 || got > 7200 {
		t.Errorf("%v seconds, want those of an hour", got)
	}
	if got := seconds(tail.Lag{Since: time.Now().Add(time.Hour)}); got != 0 {
		t.Errorf("%v seconds of what comes yet", got)
	}
}
