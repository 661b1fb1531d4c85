package weblog

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"dustbuster/operators/read/client"
)

// w3cScanner reads the lines of one file, and the directives among them.
type w3cScanner struct {
	filling
	columns []*column // of the last #Fields line, or the default
	preset  bool      // no #Fields line yet: lines may have fewer or more columns at the end
	told    bool      // there was a valid #Fields line
	days    int64     // the date of the last #Date line, for logs with a time only
	dated   bool      // a column has the date
	queries bool      // a column has the query
	encoded bool      // values are encoded as by CloudFront
	edge    bool      // only CloudFront's columns are accepted
	needed  int       // the number of columns up to the last needed column
	header  string    // of client.Proxies, in lower case; "": none
	flaw    string    // the error of the last #Fields line; then no line can be read
}

func newColumns(fields string, edge bool) *w3cScanner {
	s := &w3cScanner{edge: edge}
	s.name([]byte(fields))
	s.preset, s.told = true, false
	return s
}

// newW3C returns a parser for the columns of a #Fields line.
func newW3C(x *client.Proxies, directive string) (*Parser, error) {
	fresh := func() *w3cScanner {
		s := &w3cScanner{header: strings.ToLower(x.Header)}
		s.name([]byte(directive[len(fieldsDirective):]))
		s.preset, s.told = true, false
		return s
	}
	if flaw := fresh().flaw; flaw != "" {
		return nil, fmt.Errorf("read %q: %w", fieldsDirective, errors.New(flaw))
	}
	f := Format{Name: "custom", Description: "columns that a #Fields line names", Pattern: directive,
		scanner: func() scanner { return fresh() }} // each parser has its own, since lines change it
	return f.parser(x)
}

func (s *w3cScanner) scan(p *Parser, h *Hit) bool {
	if len(p.line) > 0 && p.line[0] == '#' {
		s.direct(p)
		p.directive = true
		return false
	}
	if s.flaw != "" {
		return p.fail(s.flaw, 0)
	}
	p.record.parts, p.record.ranks = dateParts{}, [fields]uint8{}
	if !s.scanColumns(p, h) {
		return false
	}
	if !s.finishTime(p, h) {
		return p.fail("a date and a time that exist", 0)
	}
	p.finish(h)
	s.cutHost(h)
	return true
}

// finishTime sets the time from its columns. A log with a time only has its date in a
// directive, or no date.
func (s *w3cScanner) finishTime(p *Parser, h *Hit) bool {
	d := &p.record.parts
	if s.dated {
		return p.composeTime(h)
	}
	seconds, ok := daySeconds(d.hour, d.minute, d.second)
	if s.days != 0 && h.Time == 0 {
		h.Time = s.days*secondsPerDay + seconds
	}
	return ok
}

// cutHost splits the host from a cs-uri without a scheme, as logged by Incapsula.
func (s *w3cScanner) cutHost(h *Hit) {
	i := bytes.IndexByte(h.Target, '/')
	if i <= 0 || !nameByte(h.Target[0]) || h.Target[i-1] == ':' || len(h.Host) > 0 {
		return
	}
	h.Host, h.Target = h.Target[:i], h.Target[i:]
	if h.Method == nil {
		h.Method = methodGet
	}
}
