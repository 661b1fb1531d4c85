package loop

import (
	"time"

	"dustbuster/operators/metric"
	"dustbuster/operators/read/crawler"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/waste"
	"dustbuster/stream/records"
	"dustbuster/stream/site"
)

// Metrics returns the state of the loop as metrics, without the counts of lines.
func (s *Status) Metrics() []metric.Metric {
	caughtUp := 0
	if s.CaughtUp {
		caughtUp = 1
	}
	all := append(records.DroppedMetrics(s.Dropped()),
		metric.Gauge("caught_up", "1 once the lines that were in the logs at the start have been read.", caughtUp),
		metric.Gauge("sites", "Sites with requests that count.", len(s.Sites)),
		metric.Gauge("late_sites", "Sites most of whose new lines are older than the window.", s.LateSites),
		metric.Gauge("urls", "URLs in the windows of all sites.", s.total(func(s *site.Status) int { return s.URLs })),
		metric.Gauge("likely_pairs", "Pairs of texts with enough examples, before redundant ones are removed.", s.total(func(s *site.Status) int { return s.Likely })),
		metric.Gauge("rules", "Suggested rules.", s.total(func(s *site.Status) int { return s.Rules })),
		metric.Gauge("urls_shed", "URLs dropped since the start to stay within the memory.", s.total(func(s *site.Status) int { return s.Shed })),
		metric.Counter("events_total", "Events written: likely, faded and snapshots.", s.Events),
		metric.Gauge("state_bytes", "Size of the journal on disk.", s.StateBytes),
		metric.Gauge("memory_budget_bytes", "Most memory for the tables of all sites. 0: no limit.", s.MemoryBudget),
		metric.Gauge("memory_used_bytes", "Memory that the tables of all sites take.", s.MemoryUsed),
	)
	for what, n := range s.Errors {
		all = append(all, metric.Counter("errors_total", "Errors after which the program went on, by what failed.", n, metric.Label{Name: "reason", Value: failureNames[what]}))
	}
	for why, n := range map[string]int{"secret": s.total(func(s *site.Status) int { return s.Withheld.Secret }), "one_client": s.total(func(s *site.Status) int { return s.Withheld.OneClient })} {
		all = append(all, metric.Gauge("withheld_rules", "Suggested rules that are hidden and not tested, by reason.", n, metric.Label{Name: "reason", Value: why}))
	}
	all = append(all, s.wasteMetrics()...)
	if !s.Saved.IsZero() { // the zero time would look like 1970
		all = append(all,
			metric.Gauge("last_checkpoint_timestamp_seconds", "When the last checkpoint was begun, in Unix time.", float64(s.Saved.UnixNano())/float64(time.Second)),
			metric.Gauge("last_checkpoint_duration_seconds", "How long the last checkpoint took.", s.SaveTook.Seconds()))
	}
	return all
}

// Waste returns the waste of all sites at their last looks; nil if that of no site is known.
func (s *Status) Waste() (all *waste.Told) {
	for i := range s.Sites {
		if of := s.Sites[i].Waste; of != nil && all == nil {
			first := *of
			all = &first
		} else if of != nil {
			all.Add(of)
		}
	}
	return all
}

// Days returns the waste of all sites by day, of so many dates, the newest first. Dates of clocks that
// are ahead do not count.
func (s *Status) Days(dates int) []waste.Day {
	tomorrow := evidence.PaneOf(time.Now().Unix(), evidence.SecondsOfDay) + 1
	return waste.Sum(func(yield func(waste.Curve) bool) {
		for i := range s.Sites {
			if !yield(s.Sites[i].Curve) {
				return
			}
		}
	}, tomorrow, dates)
}

// wasteMetrics returns the waste by family. Families that asked for nothing are left out.
func (s *Status) wasteMetrics() (all []metric.Metric) {
	told := s.Waste()
	if told == nil {
		return nil
	}
	for bit, f := range told.Waste[:waste.Union] {
		if f.Fetched > 0 {
			family := metric.Label{Name: "family", Value: crawler.Name(bit)}
			all = append(all,
				metric.Gauge("fetched_urls", "URLs that clients fetched, by family of their user agents.", f.Fetched, family),
				metric.Gauge("fetched_pages", "Different pages of these URLs. The other URLs are duplicates.", f.Pages, family),
				metric.Gauge("waste_bytes", "Bytes of the duplicates.", f.Bytes, family))
		}
	}
	return all
}

// total adds up a number of all sites.
func (s *Status) total(of func(*site.Status) int) (sum int) {
	for i := range s.Sites {
		sum += of(&s.Sites[i])
	}
	return sum
}

// The parts of a status document about the loop, in the order of the document.
type (
	// ProgressJSON is the age and the progress of the loop.
	ProgressJSON struct {
		Started  time.Time `json:"started"`
		CaughtUp bool      `json:"caught_up"`
	}
	// HealthJSON is the state on disk, the memory, and errors.
	HealthJSON struct {
		State  stateJSON   `json:"state"`
		Memory *memoryJSON `json:"memory,omitempty"` // of the tables of all sites; nil: no limit
		Events int         `json:"events"`
		Errors int         `json:"errors"`
		Error  string      `json:"last_error,omitempty"`
		Fails  string      `json:"failing,omitempty"` // work that fails at present

		Forgotten *Forgotten `json:"clients_forgotten,omitempty"` // nil: all clients compare
	}
	stateJSON struct {
		Bytes int64     `json:"bytes"`
		Saved time.Time `json:"saved,omitzero"`
		Took  float64   `json:"save_seconds"`
	}
	memoryJSON struct {
		Budget int64 `json:"budget_bytes"`
		Used   int64 `json:"used_bytes"`
	}
)

// Progress returns the first part of the loop in a status document.
func (s *Status) Progress() ProgressJSON { return ProgressJSON{s.Started.UTC(), s.CaughtUp} }

// Dropped returns the numbers of admitted hits that were dropped, by reason.
func (s *Status) Dropped() map[string]int {
	return map[string]int{"late": s.Late, "shed": s.Shed, "beyond_max_sites": s.Beyond, records.AheadOfClock: s.Ahead}
}

// Health returns the second part of the loop in a status document.
func (s *Status) Health() HealthJSON {
	h := HealthJSON{State: stateJSON{s.StateBytes, s.Saved.UTC(), s.SaveTook.Seconds()}, Events: s.Events, Errors: s.Errors.All(), Error: s.LastError, Forgotten: s.Forgotten}
	if err := s.Failing.Err(); err != nil {
		h.Fails = err.Error()
	}
	if s.MemoryBudget > 0 {
		h.Memory = &memoryJSON{s.MemoryBudget, s.MemoryUsed}
	}
	return h
}
