package offline

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/table"
)

// stats prints the counts of lines read and kept, and the cost. The number of lines is the
// sum of the counts from lines_blank to hits_admitted. late, shed and beyond are parts of
// hits_admitted.
func (m *mining) stats(w io.Writer, took time.Duration) {
	out := func(name string, value any) { fmt.Fprintf(w, "%-28s %v\n", name, value) }
	for _, format := range slices.Sorted(maps.Keys(m.formats)) {
		if m.formats[format] == 0 {
			continue
		}
		out("files_"+cmp.Or(format, "of_no_known_format"), m.formats[format])
	}
	c := &m.Counts
	out("lines", c.Lines)
	out("lines_blank", c.Blank)
	out("lines_directive", c.Directive)
	out("lines_oversized", c.Oversized)
	out("lines_unknown_format", c.Unknown)
	out("lines_malformed", c.Malformed)
	out("lines_wrapper", c.Wrapping)
	out("lines_other", c.Other)
	for why, n := range c.Reasons {
		if admit.Reason(why) != admit.Admitted {
			out("refused_"+admit.Reason(why).String(), n)
		}
	}
	out("hits_admitted", c.Reasons[admit.Admitted])
	out("hits_late", m.dropped[table.Late])
	out("hits_shed", m.shed())
	out("hits_beyond_max_sites", m.Sites.Beyond())
	textStats(m.near, out)
	m.siteStats(out)
	out("rules_of_substrings", m.pairs)
	out("rules_of_parameters", m.drops)
	out("seconds", fmt.Sprintf("%.3f", took.Seconds()))
	resources(out)
}

// siteStats adds up the sizes of the machines.
func (m *mining) siteStats(out func(string, any)) {
	var sites, urls, cells, pairs, likely int
	var envelopes envelope.Census
	for site := range m.Sites.All() {
		s, c := site.Stats(), site.Envelopes()
		sites++
		urls += s.Envelope.URLs
		cells += s.Envelope.Cells
		pairs += s.Envelope.Pairs
		likely += s.Envelope.Likely
		envelopes.Alone += c.Alone
		envelopes.Shared += c.Shared
		envelopes.Crowded += c.Crowded
	}
	out("sites", sites)
	out("urls", urls)
	out("envelopes", envelopes.All())
	out("envelopes_of_one_url", envelopes.Alone)
	out("envelopes_overflowing", envelopes.Crowded)
	out("envelopes_held", cells)
	out("pairs", pairs)
	out("pairs_likely", likely)
}

func resources(out func(string, any)) {
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	out("heap_bytes", mem.HeapAlloc)
	if peak, ok := peakResident(); ok {
		out("peak_resident_bytes", peak)
	}
	if used, ok := userTime(); ok {
		out("user_seconds", fmt.Sprintf("%.3f", used.Seconds()))
	}
}

// peakResident returns the greatest resident memory of the process, where the system
// reports it. (getrusage returns the parent's if the parent had more.)
func peakResident() (bytes int, ok bool) {
	status, err := os.ReadFile("/proc/self/status")
	_, rest, found := strings.Cut(string(status), "VmHWM:")
	if err != nil || !found {
		return 0, false
	}
	var kb int
	_, err = fmt.Sscan(rest, &kb)
	return kb << 10, err == nil
}
