package admin

import (
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"time"

	"dustbuster/stream/loop"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics answers a scrape with one look at the state.
func metrics(c prometheus.Collector, d *door) http.Handler {
	return promhttp.HandlerFor(registry(c, d.refused, d.streams.gauge()), promhttp.HandlerOpts{MaxRequestsInFlight: 8})
}

func registry(all ...prometheus.Collector) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(all...)
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// collector turns the state into metrics. Labels are names from the program itself. Names
// of sites and rules are never labels, because any client can invent such names.
type collector struct{ state State }

// metric is one number of the status.
type metric struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(*Status) float64
}

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("dustbuster_"+name, help, labels, nil)
}

func counter(name, help string, value func(*Status) float64) metric {
	return metric{desc(name, help), prometheus.CounterValue, value}
}

func gauge(name, help string, value func(*Status) float64) metric {
	return metric{desc(name, help), prometheus.GaugeValue, value}
}

// All metrics but those of Go and the process.
var (
	infoDesc    = desc("build_info", "1; the labels say what is running.", "version", "goversion")
	linesDesc   = desc("lines_total", "Log lines read, by what became of them.", "result")
	rereadDesc  = desc("lines_reread_total", "Of the lines of an unknown format, malformed or of other programs, those that were read after all when their format was told.")
	droppedDesc = desc("hits_dropped_total", "Admitted hits that were not kept, by reason.", "reason")
	verdictDesc = desc("verdicts_total", "Verdicts on rules, by what they were and why.", "state", "reason")
	triedDesc   = desc("tried_rules", "Rules that were tried and are remembered, by state.", "state")
	refusedDesc = desc("fetch_refused_total", "Documents that were not fetched, by reason.", "reason")
	savedDesc   = desc("last_checkpoint_timestamp_seconds", "When the last checkpoint was begun, in Unix time.")
	tookDesc    = desc("last_checkpoint_duration_seconds", "How long the last checkpoint took.")
	lagDesc     = desc("partition_lag", "Offsets of observations not folded yet, by partition owned.", "partition")
	lostDesc    = desc("partition_lost_records_total", "Records that went from the topic before they were read, by partition.", "partition")
	passedDesc  = desc("partition_refused_records_total", "Records passed over, by partition.", "partition")

	fileBytesDesc   = desc("tail_lag_bytes", "Bytes of a followed log that are not dealt with, by file; of a compressed one, its size until it is.", "file")
	fileSecondsDesc = desc("tail_lag_seconds", "For how long, at least, the first of them have been there.", "file")

	numbers = []metric{
		gauge("caught_up", "1 once what was in the logs at the start has been read.", func(s *Status) float64 {
			if s.CaughtUp {
				return 1
			}
			return 0
		}),
		gauge("sites", "Sites with hits.", func(s *Status) float64 { return float64(len(s.Sites)) }),
		gauge("urls", "URLs in the windows of all sites.", total(func(s *loop.Site) int { return s.URLs })),
		gauge("likely_pairs", "Pairs of substrings at or above the least support, redundant ones too.", total(func(s *loop.Site) int { return s.Likely })),
		gauge("rules", "Likely rules after refinement.", total(func(s *loop.Site) int { return s.Rules })),
		counter("events_total", "Events told: likely, faded and snapshots.", func(s *Status) float64 { return float64(s.Events) }),
		counter("errors_total", "Errors after which the program went on.", func(s *Status) float64 { return float64(s.Errors) }),
		gauge("state_bytes", "Size of the journal on disk.", func(s *Status) float64 { return float64(s.StateBytes) }),
		gauge("memory_budget_bytes", "What the tables and indexes of all sites may take; 0: there is no bound.", func(s *Status) float64 { return float64(s.MemoryBudget) }),
		gauge("memory_used_bytes", "What they are charged for.", func(s *Status) float64 { return float64(s.MemoryUsed) }),
		gauge("urls_shed", "URLs that went from the windows of the sites held, since the start, as those took more than their shares of the memory.", total(func(s *loop.Site) int { return s.Shed })),
		gauge("valid_rules", "Rules published as valid.", func(s *Status) float64 { return float64(s.Trial.rules()) }),
		gauge("held_updates", "Sites of which rules wait for a person.", func(s *Status) float64 { return float64(len(s.Trial.Held)) }),
		counter("fetch_requests_total", "Requests to sites, those for robots.txt too.", func(s *Status) float64 { return float64(s.Trial.Fetch.Requests) }),
		counter("fetch_bytes_total", "Bytes of bodies fetched, as they came.", func(s *Status) float64 { return float64(s.Trial.Fetch.Bytes) }),
		counter("fetch_cache_hits_total", "Documents that were known already.", func(s *Status) float64 { return float64(s.Trial.Fetch.Hits) }),
		counter("fetch_waited_seconds_total", "Time waited before requests, to be polite.", func(s *Status) float64 { return s.Trial.Fetch.Waited.Seconds() }),
	}

	// tailNumbers are those of followed logs.
	tailNumbers = []metric{
		counter("tail_read_bytes_total", "Bytes of lines read from followed logs.", func(s *Status) float64 { return float64(s.Tail.Bytes) }),
		counter("tail_oversized_lines_total", "Lines left out for their length.", func(s *Status) float64 { return float64(s.Tail.Oversized) }),
		counter("tail_skipped_bytes_total", "Bytes left out: of oversized and torn lines, and zero bytes.", func(s *Status) float64 { return float64(s.Tail.Skipped) }),
		counter("tail_null_runs_total", "Runs of zero bytes left out.", func(s *Status) float64 { return float64(s.Tail.NullRuns) }),
		counter("tail_rotations_total", "Times that a path led to a new file.", func(s *Status) float64 { return float64(s.Tail.Rotations) }),
		counter("tail_truncations_total", "Times that a file was emptied or cut.", func(s *Status) float64 { return float64(s.Tail.Truncations) }),
		counter("tail_abandoned_files_total", "Files that went away before they were read to their end.", func(s *Status) float64 { return float64(s.Tail.Abandoned) }),
		counter("tail_abandoned_bytes_total", "Bytes not read of files that went away.", func(s *Status) float64 { return float64(s.Tail.AbandonedBy) }),
		counter("tail_damaged_files_total", "Compressed files that could not be read to their end.", func(s *Status) float64 { return float64(s.Tail.Damaged) }),
		counter("tail_errors_total", "Failed attempts to open or read a log.", func(s *Status) float64 { return float64(s.Tail.Errors) }),
		gauge("tail_files", "Log files held open, rotated ones too.", func(s *Status) float64 { return float64(s.Tail.Following) }),
	}
)

// total adds up a number of all sites.
func total(of func(*loop.Site) int) func(*Status) float64 {
	return func(s *Status) float64 {
		sum := 0
		for i := range s.Sites {
			sum += of(&s.Sites[i])
		}
		return float64(sum)
	}
}

// Describe sends the descriptors of Collect.
func (c collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{infoDesc, linesDesc, rereadDesc, droppedDesc, refusedDesc, savedDesc, tookDesc, verdictDesc, triedDesc, lagDesc, lostDesc, passedDesc, fileBytesDesc, fileSecondsDesc} {
		out <- d
	}
	for _, n := range slices.Concat(numbers, tailNumbers) {
		out <- n.desc
	}
}

// sendLines sends the counts of lines.
func sendLines(c *records.Counts, send func(*prometheus.Desc, prometheus.ValueType, float64, ...string)) {
	for _, n := range lines(c) {
		send(linesDesc, prometheus.CounterValue, float64(n.count), n.name)
	}
	send(rereadDesc, prometheus.CounterValue, float64(c.Reread.All()))
}

// sendFiles sends the lag of each file. Several inputs may hold one file for a moment, but
// a metric must come only once.
func sendFiles(lags []tail.Lag, send func(*prometheus.Desc, prometheus.ValueType, float64, ...string)) {
	sent := map[string]bool{}
	for _, f := range files(lags) {
		if !sent[f.File] {
			sent[f.File] = true
			send(fileBytesDesc, prometheus.GaugeValue, float64(f.Bytes), f.File)
			send(fileSecondsDesc, prometheus.GaugeValue, f.Seconds, f.File)
		}
	}
}

// Collect looks at the state once.
func (c collector) Collect(out chan<- prometheus.Metric) {
	s := c.state.Status()
	send := func(d *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, kind, value, labels...)
	}
	send(infoDesc, prometheus.GaugeValue, 1, s.Version, runtime.Version())
	sendLines(&s.Counts, send)
	for _, n := range s.dropped() {
		send(droppedDesc, prometheus.CounterValue, float64(n.count), n.name)
	}
	for why, n := range s.Trial.Fetch.Refused {
		send(refusedDesc, prometheus.CounterValue, float64(n), string(why))
	}
	for v, n := range s.Trial.Verdicts {
		send(verdictDesc, prometheus.CounterValue, float64(n), string(v.State), v.Reason)
	}
	for state, n := range s.Trial.states() {
		send(triedDesc, prometheus.GaugeValue, float64(n), string(state))
	}
	for _, p := range s.Partitions {
		name := strconv.Itoa(p.Partition)
		send(lagDesc, prometheus.GaugeValue, float64(max(0, p.End-p.Position)), name)
		send(lostDesc, prometheus.CounterValue, float64(p.Lost), name)
		send(passedDesc, prometheus.CounterValue, float64(p.Refused), name)
	}
	for _, n := range slices.Concat(numbers, tailNumbers) {
		send(n.desc, n.kind, n.value(&s))
	}
	sendFiles(s.Lags, send)
	if !s.Saved.IsZero() { // the zero time would look like 1970
		send(savedDesc, prometheus.GaugeValue, float64(s.Saved.UnixNano())/float64(time.Second))
		send(tookDesc, prometheus.GaugeValue, s.SaveTook.Seconds())
	}
}
