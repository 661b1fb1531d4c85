package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/table"
)

// tooMalformed is the share of malformed lines, one in so many, from which on a mistake is
// likely.
const tooMalformed = 10

// explain prints the reasons for an empty list of rules, and avoidable losses of lines and
// hits. If there are requests and none counts, the reason is an error.
func (m *mining) explain(w io.Writer) error {
	say := func(format string, args ...any) { fmt.Fprintf(w, "dustbuster: "+format+"\n", args...) }
	c := &m.counts
	known := c.Lines - c.Unknown
	if c.Reasons[admit.Admitted] > 0 && m.sized == 0 && !m.o.miner.Envelope.Similarity.Off {
		say("no line tells the size of its page, so no two URLs can be told to be alike\n" +
			"add the size to the log, or see what --no-size-match gives")
	}
	if c.Malformed*tooMalformed > known {
		say("%d of %d lines are malformed\nsee some with --debug; name the format with --format if it was told wrong", c.Malformed, known)
	}
	if n := m.shed(); n > 0 {
		say("at least %d hits left out: their sites have more than %d URLs (--max-urls), or take more than their shares of the memory (--memory)", n, m.o.miner.Table.MaxURLs)
	}
	if n := m.cutURLs(); n > 0 {
		say("%d URLs left out: the sites took more than their shares of the memory (--memory)", n)
	}
	if n := m.sites.Beyond(); n > 0 {
		say("%d hits left out: the log names more than %d sites (--max-sites), and theirs have fewer URLs than others\n"+
			"--hosts names those that count", n, m.o.maxSites)
	}
	why, idle := m.nothing()
	if why != "" && !idle {
		return errors.New(why)
	}
	if why != "" {
		say("%s", why)
	}
	return nil
}

// cutURLs returns the least number of URLs removed for want of memory.
func (m *mining) cutURLs() (n int) {
	for site := range m.sites.Held() {
		n += site.CutURLs()
	}
	return n
}

// refusal is a number of lines not admitted for one reason.
type refusal struct {
	name  string
	lines int
}

// refusals returns the lines not admitted, by reason.
func (m *mining) refusals() (all []refusal) {
	add := func(why string, n int) {
		if n > 0 {
			all = append(all, refusal{why, n})
		}
	}
	for why, n := range m.counts.Reasons {
		if admit.Reason(why) != admit.Admitted {
			add(admit.Reason(why).String(), n)
		}
	}
	add("malformed", m.counts.Malformed)
	add("unknown_format", m.counts.Unknown)
	add("wrapper", m.counts.Wrapping)
	add("other", m.counts.Other)
	add("oversized", m.counts.Oversized)
	add("blank", m.counts.Blank)
	add("directive", m.counts.Directive)
	return all
}

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
	c := &m.counts
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
	out("hits_beyond_max_sites", m.sites.Beyond())
	m.siteStats(out)
	out("rules_of_substrings", m.pairs)
	out("rules_of_parameters", m.drops)
	out("seconds", fmt.Sprintf("%.3f", took.Seconds()))
	resources(out)
}

// shed is the least number of hits lost to --max-urls: a URL replaced by another URL had
// one or more hits.
func (m *mining) shed() int { return m.dropped[table.Shed] + m.dropped[table.KeptInstead] }

// siteStats adds up the sizes of the machines.
func (m *mining) siteStats(out func(string, any)) {
	var sites, urls, cells, pairs, likely int
	var envelopes envelope.Census
	for site := range m.sites.All() {
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
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) == nil {
		out("user_seconds", fmt.Sprintf("%.3f", time.Duration(used.Utime.Nano()).Seconds()))
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
