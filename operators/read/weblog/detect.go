package weblog

import (
	"bytes"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Detection is the result of detecting the format of some lines.
type Detection struct {
	Lines      int    // records: lines that are neither blank nor directives
	Directives int    // lines that begin with '#', and the header lines of formats
	Fits       []Fit  // formats that at least one line fits, best first
	Nearest    Fit    // if no format fits: the format that understands most of the first line
	Trouble    string // what the bytes are, if they are not lines of text; else empty
}

// Fit measures how well lines fit one format.
type Fit struct {
	Format     Format
	Lines      int    // lines that fit
	Directives int    // lines that define how other lines are read
	Further    int    // lines that fit and go on after the format's last field
	Short      int    // lines that fit and end after the last needed field
	Seen       Fields // fields that at least one line fills
	Misfit     string // the error of the first line that does not fit
	Column     int    // and its column in the line, counted from 1

	score   int
	told    bool // a directive defined how lines are read
	reached int  // fields understood before the error of the first line that does not fit
}

// Best returns the best format. ok is false if it fits less than half of the lines: they are in
// no known format, or in several.
func (d Detection) Best() (best Fit, ok bool) {
	if len(d.Fits) == 0 {
		return d.Nearest, false
	}
	return d.Fits[0], 2*d.Fits[0].Lines >= d.Lines
}

// Choose replaces all fits by f.
func (d *Detection) Choose(f Fit) {
	d.Fits, d.Nearest = nil, f
	if f.Lines > 0 || f.told {
		d.Fits = []Fit{f}
	}
}

// Detect ranks the formats of the table over the first lines of a log. The lines have no
// newlines. A line counts for a format by the number of understood fields, and one more if
// nothing of it remains. So combined wins over common on lines of combined, even if some are
// torn, and loses on lines of common. vhost_combined fits no line of combined. Equal formats
// keep the order of the table. A format also fits a file that has only its directives.
func Detect(lines [][]byte) Detection {
	d := Detection{Trouble: trouble(lines)}
	for _, line := range lines {
		header := slices.ContainsFunc(table, func(f Format) bool { return f.isHeader(line) })
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0:
		case line[0] == '#' || header:
			d.Directives++
		default:
			d.Lines++
		}
	}
	for i := range table {
		if table[i].Twin != "" {
			continue
		}
		fit := Measure(table[i].mustParser(), lines)
		if fit.Lines > 0 || fit.told {
			d.Fits = append(d.Fits, fit)
		} else if fit.Column > 0 && (d.Nearest.Column == 0 || fit.reached > d.Nearest.reached) {
			d.Nearest = fit
		}
	}
	if len(d.Fits) == 0 && d.Trouble == "" && ofConnections(lines) {
		d.Trouble = tcpLog
	}
	slices.SortStableFunc(d.Fits, func(a, b Fit) int { return b.score - a.score })
	return d
}

// Measure measures how well lines fit one parser's format.
func Measure(p *Parser, lines [][]byte) (f Fit) {
	var h Hit
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) > 0 {
			p.measure(&f, &h, line)
		}
	}
	f.Format = p.format
	return f
}

func (p *Parser) measure(f *Fit, h *Hit, line []byte) {
	err := p.Parse(h, line)
	switch {
	case errors.Is(err, ErrDirective):
		f.Directives++
		w, named := p.scanner.(*w3cScanner)
		f.told = f.told || !named || w.told
		return
	case err != nil:
		if f.Misfit == "" {
			f.Misfit, f.Column, f.reached = err.Error(), p.err.Offset+1, p.reached(h)
		}
		return
	case !p.Plausible(h):
		return
	}
	f.Lines++
	f.Seen |= filled(h)
	f.score += p.weight()
	switch {
	case p.further:
		f.Further++
		f.score--
	case p.missing > 0:
		f.Short++
		f.score -= p.missing + 1
	}
}

// reached returns how much of a line a failed Parse had understood, in fields that hardly occur
// by chance. It is the maximum if a #Fields line lacks a needed name, so that this error is
// reported.
func (p *Parser) reached(h *Hit) int {
	if _, ok := p.scanner.(*jsonScanner); !ok && at(p.line, 0, '{') {
		return -1 // an object is nearer to any JSON format, even without a known key
	}
	n := (filled(h) & (HasTime | HasStatus | HasSize)).count()
	if r := &p.record.raw; r.request != nil || r.method != nil || r.target != nil || r.path != nil {
		n++
	}
	if l, ok := p.scanner.(*lineScanner); ok && (words(h.Client) || bytes.Count(p.line[:p.err.Offset-p.skipped], quote) > l.quotes(p.op)) {
		return 0 // text of another format, read as words of this format
	}
	if w, ok := p.scanner.(*w3cScanner); ok && w.flaw != "" && w.edge == w.encoded {
		n = math.MaxInt
	}
	return n
}

var quote = []byte(`"`)

// quotes returns the number of quotes in the format before an op.
func (s *lineScanner) quotes(op int) int {
	n := strings.Count(s.lead, `"`)
	for i := range op {
		n += strings.Count(s.ops[i].sep, `"`)
	}
	return n
}

// noClient begins a line of a server that logs no addresses.
var noClient = []byte("- - - [")

// weight returns how much the format understands of a line that fits. A format with a
// test of its own wins over a similar format.
func (p *Parser) weight() int {
	if l, ok := p.scanner.(*lineScanner); ok {
		if p.format.plausible != nil {
			return len(l.ops) + 2
		}
		return len(l.ops) + 1
	}
	return p.format.Fields.count() + 1
}

// Plausible reports whether a server writes such hits. Usually, a client is "-" only if all before
// the time are dashes. A line
// without the format's host, but with a blank in the user's name, has "-" as its client. The
// hit is that of the last Parse.
func (p *Parser) Plausible(h *Hit) bool {
	if p.nobody { // a server writes unix: as the client, which is nobody
		as := *h
		as.Client = p.logged
		h = &as
	}
	if p.format.plausible != nil {
		return p.format.plausible(h, p.line)
	}
	_, isLine := p.scanner.(*lineScanner)
	return !isLine || p.format.Fields&HasClient == 0 || len(h.Client) > 0 && !words(h.Client) || bytes.HasPrefix(p.line, noClient)
}

// trouble returns what the bytes are if the first bytes are not lines of text, or an
// empty string.
func trouble(lines [][]byte) string {
	if len(lines) > 0 && IsUTF16(lines[0]) {
		return UTF16
	}
	if len(lines) > 0 && binary(lines) {
		return "it is binary data, not a log"
	}
	return ""
}

// tcpLine is a line of HAProxy's tcplog: address, time, frontend, backend and server, three times, bytes,
// two letters or dashes, counts.
var tcpLine = regexp.MustCompile(`:\d+ \[\d\d/[A-Z][a-z]{2}/\d{4}:[\d:.]+\] \S+ \S+/\S+ -?\d+/-?\d+/\+?-?\d+ \+?\d+ [A-Za-z-]{2} \d+/`)

// tcpLog says what to do with a log of connections.
const tcpLog = "it is HAProxy's tcplog, which logs connections and no requests: set mode http and option httplog"

// ofConnections reports whether most lines are of tcplog.
func ofConnections(lines [][]byte) bool {
	n := 0
	for _, line := range lines {
		if tcpLine.Match(line) {
			n++
		}
	}
	return n > 0 && 2*n >= len(lines)
}

// UTF16 says what to do with UTF-16 text.
const UTF16 = "it is UTF-16 text: convert it to UTF-8, as with iconv -f UTF-16 -t UTF-8"

// IsUTF16 reports whether text that begins with first is UTF-16: it has a byte order mark, or
// every second byte is NUL.
func IsUTF16(first []byte) bool {
	return bytes.HasPrefix(first, []byte("\xff\xfe")) || bytes.HasPrefix(first, []byte("\xfe\xff")) || zeros(first, 1) || zeros(first, 0)
}

// zeros reports whether exactly every second of the first bytes is NUL, beginning at
// start, as in Latin text in UTF-16 without a byte order mark.
func zeros(b []byte, start int) bool {
	b = b[:min(len(b), 64)]
	for i, c := range b {
		if (c == 0) != (i%2 == start) {
			return false
		}
	}
	return len(b) >= 8
}

// binary reports whether at least a tenth of the first bytes are bytes that no server
// writes: control bytes except tabs. NULs do not count, since crashes leave NULs in logs.
func binary(lines [][]byte) bool {
	seen, strange := 0, 0
	for _, line := range lines {
		for _, c := range bytes.TrimSuffix(line, []byte("\r")) {
			seen++
			if c != 0 && c < ' ' && c != '\t' {
				strange++
			}
		}
		if seen > 4096 {
			break
		}
	}
	return 10*strange > seen
}
