package main

import (
	"fmt"
	"strings"

	"dustbuster/operators/window/admit"
	"dustbuster/sinks/page"
)

// nothing returns the reason for which no line counts; "" if a line counts. Idle reports that there
// is no request either, as in the log of an idle server, which is no failure.
func (m *mining) nothing() (why string, idle bool) {
	c := &m.counts
	requests := c.Lines - c.Blank - c.Directive
	switch {
	case c.Reasons[admit.Admitted] > 0:
		return "", false
	case c.Lines == 0:
		return "there are no lines to read", true
	case requests > 0 && c.Oversized == requests:
		return fmt.Sprintf("no line counts, since each of %d is longer than %d bytes (--max-line), as in a file of zeros or without line ends", requests, m.o.files.MaxLine), false
	}
	return fmt.Sprintf("none of %d lines is a GET answered with a whole page: %s", c.Lines, m.refused()), requests == 0
}

// refused returns the counts of lines not admitted, by reason.
func (m *mining) refused() string {
	var parts []string
	for _, r := range m.refusals() {
		parts = append(parts, fmt.Sprintf("%s %d (%s)", r.name, r.lines, page.LineWords[r.name]))
	}
	return strings.Join(parts, ", ")
}
