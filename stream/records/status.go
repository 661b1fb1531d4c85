package records

import (
	"dustbuster/operators/metric"
	"dustbuster/operators/window/admit"
)

// named is a count of lines with the name of their class.
type named struct {
	name  string
	count int
}

// classes returns the counts of lines by class. Their sum is Lines plus Reread.
func (c *Counts) classes() []named {
	all := []named{{"blank", c.Blank}, {"directive", c.Directive}, {"oversized", c.Oversized}, {"unknown_format", c.Unknown}, {"malformed", c.Malformed}, {"wrapper", c.Wrapping}, {"other", c.Other}}
	for why, n := range c.Reasons {
		all = append(all, named{admit.Reason(why).String(), n})
	}
	return all
}

// Metrics returns the counts as metrics.
func (c *Counts) Metrics() (all []metric.Metric) {
	for _, n := range c.classes() {
		all = append(all, metric.Counter("lines_total", "Log lines read, by what became of them.", n.count, metric.Label{Name: "result", Value: n.name}))
	}
	return append(all, metric.Counter("lines_reread_total",
		"Of the lines of an unknown format, malformed or of other programs, those that were read after all when their format was told.", c.Reread.All()))
}

// JSON returns the counts by name, for a status document.
func (c *Counts) JSON() map[string]int {
	all := map[string]int{"all": c.Lines, "reread": c.Reread.All()}
	for _, n := range c.classes() {
		all[n.name] = n.count
	}
	return all
}

// AheadOfClock is why a hit is dropped whose time is too far ahead of the clock.
const AheadOfClock = "ahead_of_clock"

// DroppedMetrics returns the numbers of admitted hits that were not kept, by reason, as
// metrics.
func DroppedMetrics(hits map[string]int) (all []metric.Metric) {
	for why, n := range hits {
		all = append(all, metric.Counter("hits_dropped_total", "Admitted hits that were not kept, by reason.", n, metric.Label{Name: "reason", Value: why}))
	}
	return all
}
