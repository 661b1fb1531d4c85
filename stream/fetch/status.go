package fetch

import (
	"maps"

	"dustbuster/operators/metric"
)

// shown are the reasons that are among the metrics even if nothing was refused for them, so
// that a first refusal is seen as an increase.
var shown = []Reason{Robots, Closed, Action, Pattern, Secret, Address, Timeout, Network}

// Metrics returns the counts as metrics.
func (s *Stats) Metrics() []metric.Metric {
	all := []metric.Metric{
		metric.Counter("fetch_requests_total", "Requests to sites, those for robots.txt too.", s.Requests),
		metric.Counter("fetch_bytes_total", "Bytes of bodies fetched, as they came.", s.Bytes),
		metric.Counter("fetch_cache_hits_total", "Documents that were known already.", s.Hits),
		metric.Counter("fetch_waited_seconds_total", "Time waited before requests, to be polite.", s.Waited.Seconds()),
	}
	refused := map[Reason]int64{}
	for _, why := range shown {
		refused[why] = 0
	}
	maps.Copy(refused, s.Refused)
	for why, n := range refused {
		all = append(all, metric.Counter("fetch_refused_total", "Documents that were not fetched, by reason.", n, metric.Label{Name: "reason", Value: string(why)}))
	}
	return all
}

// StatsJSON is the part of a status document about fetches.
type StatsJSON struct {
	Requests int64             `json:"requests"`
	Bytes    int64             `json:"bytes"`
	Hits     int64             `json:"cache_hits"`
	Refused  map[Reason]int64  `json:"refused,omitempty"`
	First    map[Reason]string `json:"refused_first,omitempty"` // an example of each
	Waited   float64           `json:"waited_seconds"`
}

// JSON returns the counts for a status document.
func (s *Stats) JSON() StatsJSON {
	return StatsJSON{s.Requests, s.Bytes, s.Hits, s.Refused, s.First, s.Waited.Seconds()}
}
