package records

import (
	"dustbuster/operators/metric"
	"dustbuster/operators/read/input"
	"dustbuster/operators/window/admit"
)

// Counts says how lines were classified. Lines plus Reread is the sum of all other
// fields but Hosted.
type Counts struct {
	Lines     int
	Blank     int
	Directive int                // lines that say how later lines are read
	Oversized int                // lines above the length bound
	Unknown   int                // lines in a file of no known format
	Malformed int                // lines not in their file's format
	Wrapping  int                // a wrapper's own lines, or the beginning of a continued line
	Other     int                // lines of other programs that write into the same log
	Reasons   [admit.Reasons]int // by result of admission, admit.Admitted included
	Hosted    int                // of the admitted: their site is that of their log's path
	Reread    Reread             // lines counted twice: here, and with their final class
}

// Reread counts the lines that could not be read at first, and were read once their
// format was detected.
type Reread struct{ Unknown, Malformed, Other int }

// All returns the sum of the fields.
func (r Reread) All() int { return r.Unknown + r.Malformed + r.Other }

// Final returns the counts with each line counted once, in its final class.
func (c Counts) Final() Counts {
	c.Unknown -= c.Reread.Unknown
	c.Malformed -= c.Reread.Malformed
	c.Other -= c.Reread.Other
	c.Reread = Reread{}
	return c
}

// Add adds other counts.
func (c *Counts) Add(d *Counts) {
	c.Lines += d.Lines
	c.Blank += d.Blank
	c.Directive += d.Directive
	c.Oversized += d.Oversized
	c.Unknown += d.Unknown
	c.Malformed += d.Malformed
	c.Wrapping += d.Wrapping
	c.Other += d.Other
	c.Hosted += d.Hosted
	for i, n := range d.Reasons {
		c.Reasons[i] += n
	}
	c.Reread.Unknown += d.Reread.Unknown
	c.Reread.Malformed += d.Reread.Malformed
	c.Reread.Other += d.Reread.Other
}

// Describe adds the counts of its lines to the state of an input.
func (c *Counts) Describe(s *input.State) {
	final := c.Final()
	s.Count(c.JSON(), final.JSON())
}

// classes yields the counts of lines by class. Their sum is Lines plus Reread.
func (c *Counts) classes(yield func(class string, lines int) bool) {
	names := [...]string{"blank", "directive", "oversized", "unknown_format", "malformed", "wrapper", "other"}
	for i, n := range [...]int{c.Blank, c.Directive, c.Oversized, c.Unknown, c.Malformed, c.Wrapping, c.Other} {
		if !yield(names[i], n) {
			return
		}
	}
	for why, n := range c.Reasons {
		if !yield(admit.Reason(why).String(), n) {
			return
		}
	}
}

// Metrics returns the counts as metrics.
func (c *Counts) Metrics() (all []metric.Metric) {
	for class, n := range c.classes {
		all = append(all, metric.Counter("lines_total", "Log lines read, by what became of them.", n, metric.Label{Name: "result", Value: class}))
	}
	return append(all, metric.Counter("lines_reread_total",
		"Lines that could not be read at first, and were read again once their format was known.", c.Reread.All()))
}

// JSON returns the counts by name, for a status document.
func (c *Counts) JSON() map[string]int {
	all := map[string]int{"all": c.Lines, "reread": c.Reread.All()}
	for class, n := range c.classes {
		all[class] = n
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
